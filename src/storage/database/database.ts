/** The database: opened by its URL, migrated, read from, changed, closed. */

import type { Knex } from 'knex';
import {
  type Connection,
  type DatabaseDriver,
  type OnStatement,
  watchedDriver,
} from '../connections/database-driver';
import { connectionErrorHint } from '../connections/database-errors';
import { migrate } from '../migrations/index';
import { withoutSecrets } from '../postgres/connection-url';
import { type Query, type Statement, statement, type Values } from '../sql/statement';
import { openSqliteInMemory, openSqliteSync } from '../sqlite/sqlite';
import { groupCommit } from './group-commit';
import {
  type Runner,
  retryTransient,
  runTransaction,
  type Transaction,
  transactionOver,
} from './transaction';

/** The database of all storages. Its methods throw DatabaseUnavailable where it fails. */
export interface Database extends Runner {
  /** Composes queries. What it runs itself is not shared with others; for rare work. */
  readonly knex: Knex;
  /**
   * Makes a statement of a query that has slots.
   *
   * @param tables - all that it changes, those included whose rows go with others; or all that it reads, where it changes none. On SQLite
   *   rows are cached until one of these tables changes. Without them nothing that it reads is cached, and what it changes
   *   invalidates all that is
   */
  prepare<Parameters extends Values, Row>(
    query: Query,
    tables?: readonly string[],
  ): Statement<Parameters, Row>;
  /**
   * Changes rows, all or nothing, and resolves when it will survive the loss of power. The work may be done more than
   * once, and may share its transaction with others', so it changes nothing but the database, through the runner that it is
   * given.
   *
   * @param lock - names what the work locks: work of one transaction locks in the order of these names, side by side where they
   *   differ. Work without one shares its transaction with nothing at the same time
   */
  transaction<Result>(work: (trx: Transaction) => Promise<Result>, lock?: string): Promise<Result>;
}

/** Options of opening a database. */
export interface DatabaseOptions {
  /** The most connections to a database that is a server. */
  readonly connections?: number;
  /** Takes each statement of requests. */
  readonly onStatement?: OnStatement | undefined;
}

const drivers = new WeakMap<Database, DatabaseDriver>();

const databaseOver = (driver: DatabaseDriver): Database => {
  const { knex, query, withConnection } = driver;
  const db: Database = {
    knex,
    prepare: statement,
    all: <Row>(prepared: Statement<Values, Row>, parameters: Values) =>
      retryTransient(() => query(prepared, parameters)) as Promise<Row[]>,
    transaction: groupCommit<Connection, Transaction>({
      run: (work) => runTransaction(withConnection, work),
      viewOf: transactionOver,
    }),
  };
  drivers.set(db, driver);
  return db;
};

/** Makes the same database inside a transaction: what reads or changes does so there. */
export const within = (db: Database, trx: Transaction): Database => ({
  ...db,
  all: trx.all,
  transaction: (work) => work(trx),
});

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(?:ql)?:\/\/./;

/** Leaves the password out of a URL. */
const shown = (url: string): string =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length) : withoutSecrets(url);

const opener = (url: string, connections: number): (() => Promise<DatabaseDriver>) => {
  if (POSTGRES.test(url)) {
    // Programs on SQLite do not wait for this driver to load.
    const { openPostgres } =
      require('../postgres/postgres') as typeof import('../postgres/postgres');
    return () => openPostgres(url, connections);
  }
  const path = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : '';
  if (path === ':memory:') return openSqliteInMemory;
  if (path !== '') return () => openSqliteSync(path);
  throw new Error(
    'The database URL must be "sqlite:" followed by the path of a file, or "postgres://…".',
  );
};

/**
 * Opens the database and brings its tables up to date.
 *
 * @param url - `sqlite:PATH`, relative to the working directory, `sqlite::memory:`, or `postgres://…`
 * @throws Error of one sentence fit for an operator, where the URL or the database is unusable
 */
export const openDatabase = async (
  url: string,
  options: DatabaseOptions = {},
): Promise<Database> => {
  const { connections = 10, onStatement } = options;
  const open = opener(url, connections);
  let driver: DatabaseDriver | undefined;
  try {
    driver = await open();
    await driver.withMigrationLock(migrate);
    return databaseOver(onStatement === undefined ? driver : watchedDriver(driver, onStatement));
  } catch (error) {
    await driver?.close();
    throw new Error(
      `The database "${shown(url)}" cannot be opened: ${connectionErrorHint(error)}.`,
      {
        cause: error,
      },
    );
  }
};

/**
 * Makes a check that rejects with DatabaseUnavailable where the database does not respond. It asks for a row: SQLite reads no
 * file without.
 */
export const databaseCheck = ({ knex, prepare, all }: Database): (() => Promise<void>) => {
  const find = prepare(knex('knex_migrations').where({ id: 1 }).select('id'));
  return async () => {
    await all(find, {});
  };
};

/** Waits for running queries and closes all connections. */
export const closeDatabase = async (db: Database): Promise<void> => {
  await drivers.get(db)?.close();
};
