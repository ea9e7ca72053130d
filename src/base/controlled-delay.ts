/**
 * CoDel (controlled delay: K. Nichols and V. Jacobson, RFC 8289) for the queues of a server. A queue may be long for a moment, for
 * bursts are usual. It stands where for a whole interval everybody whose turn came had waited for more than the target. Then who has
 * waited for more is refused, so that who comes later is served in time; otherwise everybody would be served too late.
 *
 * RFC 8289 drops one packet at a time, a bit more often each time, since senders slow down when they miss one. Callers do not, so
 * that all are refused that are late, as B. Maurer describes it ("Fail at Scale", ACM Queue 13(8), 2015).
 */

/** Milliseconds. */
export interface DelayBounds {
  /** How long one may wait in a standing queue. */
  readonly target: number;
  /** For how long all have to wait for more than that until the queue stands. */
  readonly interval: number;
}

/**
 * Callers that have to wait for a second give up or ask again; who has waited for a quarter of it still gets a response in time. A
 * shorter target would refuse what is usual: of 2,000 connections with a request of 0.1 ms each, the last waits for 0.2 s.
 */
export const usualBounds: DelayBounds = { target: 250, interval: 1000 };

/** Watches one queue. */
export interface ControlledDelay {
  /** To be told for how long one had waited whose turn it was; 0 where nobody waits any more. */
  observe(waited: number): void;
  /** Whether the queue stands, and one that came at that time of the clock has waited for too long. */
  isLate(since: number): boolean;
}

/**
 * Begins to watch a queue.
 *
 * @param clock - milliseconds that never run backwards
 */
export const controlledDelay = (
  clock: () => number,
  { target, interval }: DelayBounds = usualBounds,
): ControlledDelay => {
  /** Since when all have waited for more than the target: an interval before what RFC 8289 section 5.3 calls first_above_time. */
  let aboveSince: number | undefined;
  return {
    observe(waited) {
      if (waited <= target) aboveSince = undefined;
      else aboveSince ??= clock();
    },
    isLate(since) {
      if (aboveSince === undefined) return false;
      const now = clock();
      return now - aboveSince >= interval && now - since > target;
    },
  };
};
