/** Waits for the write lock of a SQLite file without stopping the whole process. */

import { retry } from '../connections/retry';

/** How long to wait for the lock of another process: migrations wait as long as those of others take. In milliseconds. */
export const lockTimeout = { usual: 5000, migration: 600_000 } as const;

const longestDelayMilliseconds = 20;

/** Also SQLITE_BUSY_SNAPSHOT and SQLITE_BUSY_RECOVERY: another process has just written, or recovers from a crash. */
const isBusy = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  String(error.code).startsWith('SQLITE_BUSY');

/**
 * Does work that begins by taking the write lock, again where another process has the lock.
 *
 * @throws what the last attempt threw, when the time is over
 */
export const retryWhileBusy = <Result>(
  work: () => Promise<Result>,
  milliseconds: number,
): Promise<Result> =>
  retry(work, (error, attempts, elapsed) => {
    if (!isBusy(error) || elapsed > milliseconds) throw error;
    return Math.random() * Math.min(longestDelayMilliseconds, attempts);
  });
