/** Bounds costly work: so much at once, so much waiting, and whatever comes beyond is turned away. */

import { HttpError } from '../../engine';

/** How much work is let in. */
export interface AdmissionLimits {
  /** Pieces of work under way at the same time. */
  readonly atOnce: number;
  /** Pieces that may wait for their turn, first come first served. */
  readonly waiting: number;
}

/** Runs the work when its turn comes. */
export type Admit = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Makes a gate. What comes while the queue is full gets HttpError 503 `unavailable` with `Retry-After`. */
export const admission = ({ atOnce, waiting }: AdmissionLimits): Admit => {
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = (): Promise<void> | undefined => {
    if (running < atOnce) {
      running += 1;
      return undefined;
    }
    if (queue.length >= waiting) {
      throw new HttpError(503, 'unavailable', 'The server is busy; try again in a moment.', {
        headers: { 'Retry-After': '5' },
      });
    }
    return new Promise((resolve) => queue.push(resolve));
  };

  // The place of finished work goes straight to the next in the queue, so `running` changes only where none waits.
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
