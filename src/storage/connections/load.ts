/** The load of the parts of a program: each part tells it when it is asked, so that it costs nothing while nothing asks. */

/** The load of a queue, or of a pool of connections, at a moment. */
export interface Load {
  readonly waiting: number;
  /** The time that the oldest one has waited; 0 where none waits. */
  readonly oldestSeconds?: number;
  readonly inUse?: number;
  readonly idle?: number;
  readonly most?: number;
}

/** Takes what tells the load of a part, once for each part. */
export type Watch = (part: string, read: () => Load) => void;

/** Tells the load of a queue, given what waits in the order of its arrival, and the time in milliseconds. */
export const queueLoad = (waiting: readonly { readonly since: number }[], now: number): Load => ({
  waiting: waiting.length,
  oldestSeconds: (now - (waiting[0]?.since ?? now)) / 1000,
});
