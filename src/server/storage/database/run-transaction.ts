/** One transaction from begin to commit, again where another one was in its way. */

import { setTimeout } from 'node:timers/promises';
import { type MaybePromise, orCatch } from '../../../engine';
import type { Connection, WithConnection } from '../connections/database-driver';
import {
  classifyError,
  commitOutcomeUnknown,
  DatabaseUnavailable,
  isConnectionError,
  unavailable,
} from '../connections/database-errors';
import { retry } from '../connections/retry';

const mostAttempts = 8;
const firstPauseMilliseconds = 5;
/** Whoever tried for so long is told: callers wait, too. */
const patienceMilliseconds = 3000;

/** Longer each time, and by chance, so that two that met do not meet again. */
const pause = (attempt: number): Promise<void> =>
  setTimeout(firstPauseMilliseconds * 2 ** attempt * Math.random());

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

const commit = async (connection: Connection): Promise<void> => {
  try {
    await connection.commit();
  } catch (error) {
    // Who knows more has told it already.
    if (error instanceof DatabaseUnavailable) throw error;
    throw isConnectionError(error) ? commitOutcomeUnknown(error) : await undo(connection, error);
  }
};

const runOnce = async <Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> => {
  await connection.begin();
  let result: Result;
  try {
    result = await work(connection);
  } catch (error) {
    throw await undo(connection, error);
  }
  await commit(connection);
  return result;
};

/** Waits until it makes sense to try again; throws where it does not. */
const untilNext = () => {
  const latest = performance.now() + patienceMilliseconds;
  return async (error: unknown, attempts: number): Promise<void> => {
    const trouble = classifyError(error);
    if (trouble === undefined) throw error;
    const isPassing = trouble === 'conflict' || trouble === 'lost';
    const isLast = attempts === mostAttempts || performance.now() > latest;
    if (isLast || !isPassing) throw unavailable(error);
    await pause(attempts);
  };
};

/**
 * Tries the work again where the trouble may be over, and tells all other trouble as DatabaseUnavailable. What is done at once
 * is given at once.
 */
export const retryTransient = <Result>(work: () => MaybePromise<Result>): MaybePromise<Result> =>
  orCatch(work, (error) => retry(work, error, untilNext()));

/**
 * Runs the work in a transaction. Work that met a conflict or a broken connection is done again, so it must not change
 * anything but the database.
 *
 * @throws DatabaseUnavailable where the database is in trouble; whatever the work throws
 */
export const runTransaction = <Result>(
  lend: WithConnection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> =>
  Promise.resolve(retryTransient(() => lend((connection) => runOnce(connection, work))));
