/** Transactions: what runs in one, and one from begin to commit, again where another one was in its way. */

import { type Connection, Skipped, type WithConnection } from '../connections/database-driver';
import {
  classifyError,
  commitOutcomeUnknown,
  DatabaseUnavailable,
  isConnectionError,
  unavailable,
} from '../connections/database-errors';
import { type RetryDelay, retry } from '../connections/retry';
import type { Statement, Values } from '../sql/statement';

/** Runs statements that give rows: outside of any transaction, or inside of one. */
export interface Runner {
  all<Parameters extends Values, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<Row[]>;
}

export interface Transaction extends Runner {
  /**
   * Runs a statement that gives no rows; gives how many it inserted, changed or deleted. In SQLite this takes half the time of
   * `returning`, which writes a table of its own for the rows.
   */
  run<Parameters extends Values>(
    statement: Statement<Parameters, never>,
    parameters: Parameters,
  ): Promise<number>;
  /**
   * Runs a statement whose outcome is not waited for: it costs no round trip of its own. Statements run in the order in which they
   * are asked for, these included. Where one fails, so does the transaction.
   */
  send<Parameters extends Values>(
    statement: Statement<Parameters, never>,
    parameters: Parameters,
  ): Promise<void>;
}

/**
 * Makes the transaction of a connection as one change sees it.
 *
 * @param failureOf - makes what the transaction fails with of a failure of what this change sends
 */
export const transactionOver = (
  connection: Connection,
  failureOf: (error: unknown) => unknown,
): Transaction => ({
  // A statement's type says what its rows are; the drivers do not know.
  all: <Row>(statement: Statement<Values, Row>, parameters: Values) =>
    connection.all(statement, parameters) as Promise<Row[]>,
  run: (statement, parameters) => connection.run(statement, parameters),
  send: (statement, parameters) => connection.send(statement, parameters, failureOf),
});

const maxAttempts = 8;
const firstDelayMilliseconds = 5;
/** Then the caller gets the error instead of waiting longer. */
const maxElapsedMilliseconds = 3000;

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
    if (error instanceof Skipped) throw await undo(connection, error.cause);
    // The driver knows more, as where the disk could not be synced.
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

/**
 * Runs the work in a transaction. Work that met a conflict or a broken connection is done again, so it must not change
 * anything but the database.
 *
 * @throws DatabaseUnavailable where the database fails; whatever the work throws
 */
export const runTransaction = <Result>(
  withConnection: WithConnection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> =>
  retryTransient(() => withConnection((connection) => runOnce(connection, work)));
