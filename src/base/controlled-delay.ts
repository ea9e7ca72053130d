/**
 * CoDel (controlled delay: K. Nichols and V. Jacobson, RFC 8289) for the queues of a server. A queue may be long for a moment:
 * bursts are usual. It stands once every item dequeued within a whole interval has waited longer than the target. Then items
 * that have waited longer are refused, so that later ones are served in time.
 *
 * RFC 8289 drops one packet at a time, a bit more often each time, since senders slow down when they miss one. Callers do not,
 * so that all late items are refused, as B. Maurer describes it ("Fail at Scale", ACM Queue 13(8), 2015).
 */

/** Milliseconds. */
interface DelayBounds {
  /** The longest wait in a standing queue. */
  readonly target: number;
  /** The time after which a queue of longer waits stands. */
  readonly interval: number;
}

/**
 * Callers that have to wait for a second give up or ask again; after a quarter of it a response is still in time. A shorter
 * target would refuse usual load: of 2,000 connections with a request of 0.1 ms each, the last waits for 0.2 s.
 */
const usualBounds: DelayBounds = { target: 250, interval: 1000 };

/** Watches one queue. */
interface ControlledDelay {
  /** Records the queueing delay of a dequeued item; 0 for an empty queue. */
  observe(waited: number): void;
  /** Tells whether the queue stands, and an item queued at that time has waited for too long. */
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
  /** The time since when all delays exceed the target: an interval before first_above_time of RFC 8289 section 5.3. */
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
