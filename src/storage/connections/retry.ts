/** Repeats work that has failed: the one loop behind everything that storage retries. */

import { setTimeout } from 'node:timers/promises';

/**
 * Decides how long to wait before the next attempt, in milliseconds; throws where there is to be none.
 *
 * @param error - what the last attempt threw
 * @param attempts - how many have failed so far
 * @param elapsed - milliseconds since the first one failed
 */
export type RetryDelay = (error: unknown, attempts: number, elapsed: number) => number;

/** Does the work until it succeeds or `delayAfter` throws. */
export const retry = async <Result>(
  work: () => Promise<Result>,
  delayAfter: RetryDelay,
): Promise<Result> => {
  let start: number | undefined;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      start ??= performance.now();
      await setTimeout(delayAfter(error, attempts, performance.now() - start));
    }
  }
};
