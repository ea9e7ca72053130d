/** One transaction from begin to commit, again where another one was in its way. */

import { type Connection, LastFailed, type WithConnection } from '../connections/database-driver';
import {
  classifyError,
  commitOutcomeUnknown,
  DatabaseUnavailable,
  isConnectionError,
  unavailable,
} from '../connections/database-errors';
import { type RetryDelay, retry } from '../connections/retry';

const maxAttempts = 8;
const firstDelayMilliseconds = 5;
/** Then the caller gets the error instead of waiting longer. */
const maxElapsedMilliseconds = 3000;

/**
 * Undoes what was begun, and resolves to what is to be thrown: the first failure, unless the connection is lost meanwhile. There
 * may be no transaction any more, and that is no failure.
 */
const undo = async (connection: Connection, failure: unknown): Promise<unknown> => {
  // What is asked of a lost connection may never be answered. Its end is the end of the transaction.
  if (isConnectionError(failure)) return failure;
  try {
    await connection.rollback();
  } catch (error) {
    if (isConnectionError(error)) return error;
  }
  return failure;
};

const commit = async (connection: Connection, last: () => Promise<void>): Promise<void> => {
  try {
    await connection.commit(last);
  } catch (error) {
    if (error instanceof LastFailed) throw await undo(connection, error.cause);
    // The driver knows more, as where the disk could not be synced.
    if (error instanceof DatabaseUnavailable) throw error;
    throw isConnectionError(error) ? commitOutcomeUnknown(error) : await undo(connection, error);
  }
};

/** What work has come to, and the last statements, which go with the commit. */
export interface Done<Result> {
  readonly result: Result;
  readonly last: () => Promise<void>;
}

const runOnce = async <Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Done<Result>>,
): Promise<Result> => {
  await connection.begin();
  let done: Done<Result>;
  try {
    done = await work(connection);
  } catch (error) {
    throw await undo(connection, error);
  }
  await commit(connection, done.last);
  return done.result;
};

const delayAfter: RetryDelay = (error, attempts, elapsed) => {
  const kind = classifyError(error);
  if (kind === undefined) throw error;
  const isTransient = kind === 'conflict' || kind === 'lost';
  const isLast = attempts === maxAttempts || elapsed > maxElapsedMilliseconds;
  if (isLast || !isTransient) throw unavailable(error);
  // Longer each time, and by chance, so that two that met do not meet again.
  return firstDelayMilliseconds * 2 ** attempts * Math.random();
};

/** Tries the work again where the failure may be over, and throws all other failures of the database as DatabaseUnavailable. */
export const retryTransient = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retry(work, delayAfter);

/**
 * Runs the work in a transaction. Work that met a conflict or a broken connection is done again, so it must not change
 * anything but the database.
 *
 * @throws DatabaseUnavailable where the database fails; whatever the work throws
 */
export const runTransaction = <Result>(
  withConnection: WithConnection,
  work: (connection: Connection) => Promise<Done<Result>>,
): Promise<Result> =>
  retryTransient(() => withConnection((connection) => runOnce(connection, work)));
