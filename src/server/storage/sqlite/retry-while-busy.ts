/** Waits for the write lock of a SQLite file without stopping the whole process. */

import { setTimeout } from 'node:timers/promises';
import { type MaybePromise, orCatch } from '../../../engine';
import { retry } from '../connections/retry';

/** How long a lock of another process's is waited for: by changes of the tables as long as those take. In milliseconds. */
export const patience = { usual: 5000, alone: 600_000 } as const;

const mostBetweenLooks = 20;

/** Also SQLITE_BUSY_SNAPSHOT and SQLITE_BUSY_RECOVERY: somebody else has just written, or mends what a crash left. */
const isBusy = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  String(error.code).startsWith('SQLITE_BUSY');

/** Waits until the lock may be free; throws where it is something else, or the time is over. */
const untilNext = (milliseconds: number) => {
  const deadline = performance.now() + milliseconds;
  return async (error: unknown, looks: number): Promise<void> => {
    if (!isBusy(error) || performance.now() > deadline) throw error;
    await setTimeout(Math.random() * Math.min(mostBetweenLooks, looks));
  };
};

/**
 * Does what begins by taking the write lock, again where another process has it. What is done at once is given at once.
 *
 * @throws what the last attempt threw, when the time is over
 */
export const retryWhileBusy = <Result>(
  attempt: () => MaybePromise<Result>,
  milliseconds: number,
): MaybePromise<Result> =>
  orCatch(attempt, (error) => retry(attempt, error, untilNext(milliseconds)));
