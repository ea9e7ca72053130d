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
  /** Resolves when the transaction will survive the loss of power. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Lends a connection to a piece of work; whichever broke is not lent again. */
export type WithConnection = <Result>(
  work: (connection: Connection) => Promise<Result>,
) => Promise<Result>;

/** One open database. */
export interface DatabaseDriver {
  /** Composes queries, migrates, and runs whatever is not worth a prepared statement. */
  readonly knex: Knex;
  /** Runs a prepared statement that only reads, outside of any transaction. Throws or rejects with what the driver says. */
  query(statement: Statement<Values, unknown>, parameters: Values): Promise<unknown[]>;
  /** Connections for transactions. */
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
