/** Goes on with work that has failed. */

import type { MaybePromise } from '../../../engine';

/**
 * Does the work again until it succeeds.
 *
 * @param failure - what the first attempt threw
 * @param untilNext - waits until it makes sense to try again after so many attempts; throws where it does not
 */
export const retry = async <Result>(
  work: () => MaybePromise<Result>,
  failure: unknown,
  untilNext: (error: unknown, attempts: number) => Promise<void>,
): Promise<Result> => {
  let error = failure;
  for (let attempts = 1; ; attempts += 1) {
    await untilNext(error, attempts);
    try {
      return await work();
    } catch (again) {
      error = again;
    }
  }
};
