/** Repeats work that has failed: the one loop of all that storage retries. */

import { setTimeout } from 'node:timers/promises';
import { type MaybePromise, orCatch } from '../../../engine';

/**
 * Decides how long to wait before the next attempt, in milliseconds; throws where there is to be none.
 *
 * @param error - what the last attempt threw
 * @param attempts - how many have failed so far
 * @param elapsed - milliseconds since the first one failed
 */
export type RetryDelay = (error: unknown, attempts: number, elapsed: number) => number;

/**
 * Does the work until it succeeds or `delayAfter` throws. What the first attempt gives synchronously is returned synchronously.
 */
export const retry = <Result>(
  work: () => MaybePromise<Result>,
  delayAfter: RetryDelay,
): MaybePromise<Result> =>
  orCatch(work, async (failure) => {
    const start = performance.now();
    let error = failure;
    for (let attempts = 1; ; attempts += 1) {
      await setTimeout(delayAfter(error, attempts, performance.now() - start));
      try {
        return await work();
      } catch (next) {
        error = next;
      }
    }
  });
