/** The port between storage and a kind of database, which SQLite and PostgreSQL each implement, and what both need for it. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Statement, Values } from '../sql/statement';

/** A statement, whatever it takes and gives. */
export type AnyStatement = Statement<Values, unknown>;

/** The result of a statement of an author's own: rows by the rule of sql/own-values.ts. */
export interface OwnResult {
  readonly rows: readonly object[];
  /** Rows that were inserted, changed, deleted or read. */
  readonly count: number;
}

/**
 * Runs a statement of an author's own, its values as handlers have them.
 * @param signal - ends one that reads outside of a transaction, on a server, where its caller has left
 */
export type RunOwn = (
  sql: string,
  values: readonly unknown[],
  signal?: AbortSignal,
) => Promise<OwnResult>;

/** The signals of the callers of handlers, by which their statements end. */
export const callers = new AsyncLocalStorage<AbortSignal>();

/** An open connection that one piece of work has for itself. */
export interface Connection {
  readonly runOwn: RunOwn;
  all(statement: AnyStatement, parameters: Values): Promise<unknown[]>;
  /** Runs a statement that gives no rows; gives how many it inserted, changed or deleted. */
  run(statement: AnyStatement, parameters: Values): Promise<number>;
  /**
   * Runs a statement in its turn without waiting for its outcome, where that takes a round trip: it is sent with the next statement
   * that is waited for, at the latest with the commit.
   *
   * @param failureOf - maps the driver's error to the transaction's error
   */
  send(
    statement: AnyStatement,
    parameters: Values,
    failureOf: (error: unknown) => unknown,
  ): Promise<void>;
  begin(): Promise<void>;
  /**
   * Ends the transaction; resolves when it will survive the loss of power.
   *
   * @throws Skipped where an earlier statement failed, so that nothing was committed
   */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** The error of a statement that was not run, since an earlier one of its transaction failed; its cause is that failure. */
export class Skipped extends Error {
  constructor(cause: unknown) {
    super('Skipped: an earlier statement failed', { cause });
  }
}

/** Lends a connection to a piece of work. One that broke is not lent again. */
export type WithConnection = <Result>(
  work: (connection: Connection) => Promise<Result>,
) => Promise<Result>;

/** One open database. */
export interface DatabaseDriver {
  /** Composes queries, migrates, and runs whatever is not worth a prepared statement. */
  readonly knex: Knex;
  /** Runs a statement that only reads, outside of any transaction. Throws or rejects with what the driver says. */
  query(statement: AnyStatement, parameters: Values): Promise<unknown[]>;
  /** Runs a statement of an author's own, outside of any transaction; undefined where it does not only read. */
  queryOwn(...statement: Parameters<RunOwn>): Promise<OwnResult> | undefined;
  /** Runs a statement of an author's own on a connection of Knex's. */
  runOn(connection: unknown, sql: string, values: readonly unknown[]): Promise<OwnResult>;
  readonly withConnection: WithConnection;
  /** Runs the work in a transaction that no other process runs at the same time; for changes of the tables. */
  withMigrationLock(work: (trx: Knex.Transaction) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const ignore = (): void => {};

export const knexSettings = {
  // Knex prints what it throws, too.
  log: { warn: ignore, error: ignore } satisfies Knex.Logger,
  // Errors are logged: with the values bound they would reveal hashes and personal data.
  compileSqlOnError: false,
  // How long to wait for a connection; milliseconds.
  acquireConnectionTimeout: 5000,
} as const;

/**
 * Resolves when all promises are settled that can be without input or output: what is asked for together is then known. Unlike
 * `setImmediate` it does not wait for a turn of the event loop.
 */
export const gathered = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Does the work until it succeeds or `delayAfter` throws. That gets the last error, the number of attempts that have failed and the
 * milliseconds since the first one did, and gives the milliseconds to wait before the next.
 */
export const retry = async <Result>(
  work: () => Promise<Result>,
  delayAfter: (error: unknown, attempts: number, elapsed: number) => number,
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

/** A listener to statements. */
export interface StatementListener {
  /** Tells whether it listens at the moment; what is run meanwhile costs nothing more where it does not. */
  isListening(): boolean;
  /** Takes a statement, without its values, when it has run or failed, in the context of what waits for it. */
  take(sql: string, milliseconds: number, error?: unknown): void;
}

/** Makes the driver report its prepared statements, and the beginning and the end of its transactions. */
export const watchedDriver = (
  driver: DatabaseDriver,
  listener: StatementListener,
): DatabaseDriver => {
  const timed = async <Result>(sql: string, run: () => Result): Promise<Awaited<Result>> => {
    const start = performance.now();
    try {
      const result = await run();
      listener.take(sql, performance.now() - start);
      return result;
    } catch (error) {
      listener.take(sql, performance.now() - start, error);
      throw error;
    }
  };
  const watched = <Result>(sql: string, run: () => Result): Result | Promise<Awaited<Result>> =>
    listener.isListening() ? timed(sql, run) : run();
  const watchedConnection = (connection: Connection): Connection => ({
    runOwn: async (sql, values) => watched(sql, () => connection.runOwn(sql, values)),
    all: (statement, values) => watched(statement.sql, () => connection.all(statement, values)),
    run: (statement, values) => watched(statement.sql, () => connection.run(statement, values)),
    send: (statement, values, failureOf) =>
      watched(statement.sql, () => connection.send(statement, values, failureOf)),
    begin: () => watched('BEGIN', () => connection.begin()),
    commit: () => watched('COMMIT', () => connection.commit()),
    rollback: () => watched('ROLLBACK', () => connection.rollback()),
  });
  return {
    ...driver,
    query: (statement, parameters) =>
      watched(statement.sql, () => driver.query(statement, parameters)),
    queryOwn: (sql, ...more) => {
      const running = driver.queryOwn(sql, ...more);
      return running && Promise.resolve(watched(sql, () => running));
    },
    withConnection: (work) =>
      driver.withConnection((connection) => work(watchedConnection(connection))),
  };
};
