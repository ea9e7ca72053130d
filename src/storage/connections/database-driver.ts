/** What the rest of storage asks of a kind of database; SQLite and PostgreSQL each do it in their own way. */

import type { Knex } from 'knex';
import type { Statement, Value, Values } from '../sql/statement';

/** An open connection that one piece of work has for itself. */
export interface Connection {
  /** Runs a prepared statement to its end, and gives its rows. */
  all(sql: string, values: readonly Value[]): Promise<unknown[]>;
  /** Runs a prepared statement that gives no rows; how many it inserted, changed or deleted. */
  run(sql: string, values: readonly Value[]): Promise<number>;
  begin(): Promise<void>;
  /**
   * Ends the transaction; resolves when it will survive the loss of power.
   *
   * @param last - asks for the last statements, all at once
   * @throws LastFailed where one of these failed, so that nothing was committed
   */
  commit(last: () => Promise<void>): Promise<void>;
  rollback(): Promise<void>;
}

/** The last statements of a transaction failed: nothing was committed. */
export class LastFailed extends Error {
  constructor(cause: unknown) {
    super('The transaction was not committed', { cause });
  }
}

/** Lends a connection to a piece of work; whichever broke is not lent again. */
export type WithConnection = <Result>(
  work: (connection: Connection) => Promise<Result>,
) => Promise<Result>;

/** Where lists and counts are read instead of on the primary. */
export interface StandbyReads {
  /** `postgres://…`; it may hold a password. */
  readonly url: string;
  /** Told when the standby fails, and not again until it has answered: the primary is read meanwhile. */
  readonly onFailure?: (error: unknown) => void;
}

/** One open database. */
export interface DatabaseDriver {
  /** Composes queries, migrates, and runs whatever is not worth a prepared statement. */
  readonly knex: Knex;
  /** Runs a prepared statement that only reads, outside of any transaction. Throws or rejects with what the driver says. */
  query(statement: Statement<Values, unknown>, parameters: Values): Promise<unknown[]>;
  /**
   * Begins a list or a count: what it gives reads as `query` does, and may ask a standby that has all that anybody was told of
   * before. Undefined where there is none.
   */
  readonly beginList?: (() => DatabaseDriver['query']) | undefined;
  /** Connections for transactions. */
  readonly withConnection: WithConnection;
  /**
   * How many transactions may change rows at the same time. Where it is more than one, each statement is a way to another host and
   * back: those that nothing depends on are sent with the commit, and ids are taken in advance.
   */
  readonly transactions: number;
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
