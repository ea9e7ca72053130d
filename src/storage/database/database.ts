/** The database: opened by its URL, brought up to date, read from, changed, closed. */

import type { Knex } from 'knex';
import type { DatabaseDriver, StandbyReads } from '../connections/database-driver';
import { connectionErrorHint } from '../connections/database-errors';
import { type OnStatement, watchedDriver } from '../connections/watched-driver';
import { migrate } from '../migrations/index';
import { withoutSecrets } from '../postgres/connection-url';
import { type Query, type Statement, statement, type Values } from '../sql/statement';
import { openSqliteInMemory, openSqliteSync } from '../sqlite/sqlite-sync';
import { groupCommit } from './group-commit';
import { retryTransient, runTransaction } from './run-transaction';
import { type Runner, runInTransaction, type Transaction } from './transaction';

/** The database of all storages. Its methods throw DatabaseUnavailable where it fails. */
export interface Database extends Runner {
  /** Composes queries. What it runs itself is not shared with others; for rare work. */
  readonly knex: Knex;
  /**
   * Whether each statement is a way to another host and back: ids are taken in advance, and what is done later in a transaction
   * shows whether it fails when that ends.
   */
  readonly isAhead: boolean;
  /** Makes a statement of a query that has slots. */
  prepare<Parameters extends Values, Row>(query: Query): Statement<Parameters, Row>;
  /**
   * Begins a list or a count: what it gives runs its statements as `all` does, or on a standby that has all that anybody was told
   * of before. Never for credentials, and never for what a change depends on.
   */
  beginList(): Runner['all'];
  /**
   * Runs a statement by itself, whatever transaction the caller is in: what it changes stays though that is undone. A disk that is lost
   * may undo it, where the statement says so.
   */
  ahead<Parameters extends Values, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<Row[]>;
  /**
   * Changes rows, all or nothing, and resolves when it will survive the loss of power. The work may be done more than
   * once, and may share its transaction with others', so it changes nothing but the database, through the runner that it is
   * given.
   *
   * @param order - what the work locks, by name: work of one transaction is done in the order of these names
   */
  transaction<Result>(work: (trx: Transaction) => Promise<Result>, order?: string): Promise<Result>;
  /**
   * Changes rows as `transaction` does. Where others would wait for what it locks until the changes that share its transaction are
   * committed, it has one to itself.
   */
  separately<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result>;
}

/** How a database is opened. */
export interface DatabaseOptions {
  /** Connections at most, where the database is a server. */
  readonly connections?: number;
  /** Where lists and counts are read, if not with everything else; PostgreSQL alone. */
  readonly standby?: StandbyReads | undefined;
  /** Told each statement of requests; undefined: nothing asks. */
  readonly onStatement?: OnStatement | undefined;
}

const flush = (trx: Transaction): Promise<void> => trx.flush();

const engines = new WeakMap<Database, DatabaseDriver>();

const databaseOver = (engine: DatabaseDriver): Database => {
  const { knex, query, beginList, withConnection, transactions } = engine;
  const isAhead = transactions > 1;
  const change = groupCommit<Transaction>(
    (work) =>
      runTransaction(withConnection, (connection) => runInTransaction(connection, work, isAhead)),
    isAhead ? { transactions, part: ({ part }, failure) => part(failure), flush } : undefined,
  );
  const allOver =
    (read: DatabaseDriver['query']): Runner['all'] =>
    <Row>(prepared: Statement<Values, Row>, parameters: Values): Promise<Row[]> =>
      retryTransient(() => read(prepared, parameters)) as Promise<Row[]>;
  const all = allOver(query);
  const db: Database = {
    knex,
    isAhead,
    prepare: statement,
    all,
    beginList: () => (beginList === undefined ? all : allOver(beginList())),
    ahead: <Row>({ sql, bind }: Statement<Values, Row>, parameters: Values) =>
      retryTransient(() =>
        withConnection((connection) => connection.all(sql, bind(parameters))),
      ) as Promise<Row[]>,
    transaction: (work, order) => change(work, order),
    separately: (work) => (isAhead ? change.alone(work) : change(work)),
  };
  engines.set(db, engine);
  return db;
};

const inside =
  (trx: Transaction) =>
  async <Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await work(trx);
    await trx.flush();
    return result;
  };

/** The same database inside a transaction: what reads or changes does so there. */
export const within = (db: Database, trx: Transaction): Database => ({
  ...db,
  all: trx.all,
  beginList: () => trx.all,
  // The parts of a transaction see what those before have done, and may have locked what others would wait for.
  isAhead: false,
  transaction: inside(trx),
  separately: inside(trx),
});

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(?:ql)?:\/\/./;

/** What an operator may see of the URL: it may hold a password. */
const shown = (url: string): string =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length) : withoutSecrets(url);

const opener = (
  url: string,
  { connections = 10, standby }: DatabaseOptions,
): (() => Promise<DatabaseDriver>) => {
  if (POSTGRES.test(url)) {
    // Programs on SQLite need not wait for this driver to load.
    const { openPostgres } =
      require('../postgres/postgres') as typeof import('../postgres/postgres');
    return () => openPostgres(url, connections, standby);
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
  const open = opener(url, options);
  let engine: DatabaseDriver | undefined;
  try {
    engine = await open();
    await engine.withMigrationLock(migrate);
    const { onStatement } = options;
    return databaseOver(onStatement === undefined ? engine : watchedDriver(engine, onStatement));
  } catch (error) {
    await engine?.close();
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
  await engines.get(db)?.close();
};
