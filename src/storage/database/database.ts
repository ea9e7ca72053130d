/** The database: what runs statements and transactions in it, how a transaction is tried again, how the database is opened and closed. */

import { AsyncResource } from 'node:async_hooks';
import type { Knex } from 'knex';
import {
  type Connection,
  type DatabaseDriver,
  type RunOwn,
  retry,
  Skipped,
  type StatementListener,
  type WithConnection,
  watchedDriver,
} from '../connections/database-driver';
import {
  classifyError,
  commitOutcomeUnknown,
  connectionErrorHint,
  DatabaseUnavailable,
  databaseUnavailable,
  isConnectionError,
} from '../connections/database-errors';
import type { Watch } from '../connections/load';
import { migrate } from '../migrations/index';
import { withoutSecrets } from '../postgres/connection-url';
import { type Query, type Statement, statement, type Values } from '../sql/statement';
import { groupCommit } from './group-commit';

/** Runs statements that give rows: outside of any transaction, or inside of one. */
export interface Runner {
  /** Runs a statement of an author's own. Outside of a transaction one that changes something has one of its own. */
  readonly runOwn: RunOwn;
  all<Parameters extends Values, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<Row[]>;
}

/** Runs statements inside of a transaction. */
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

/** Makes the names of what transactions lock, which they lock in the order of these names: all counters before the first row. */
export const lockName = {
  counter: (name: string): string => `0 ${name}`,
  row: (name: string): string => `1 ${name}`,
  eventCounts: (names: readonly string[]): string => `2 ${names.join(' ')}`,
};

/** The database of all storages. Its methods throw DatabaseUnavailable where it fails. */
export interface Database extends Runner {
  /** Composes queries. What it runs itself is not shared with others; for rare work. */
  readonly knex: Knex;
  /** Changes tables in a transaction that no other process has at the same time. */
  changeTables(work: (trx: Knex.Transaction) => Promise<void>): Promise<void>;
  /** Runs a statement of an author's own on a connection of Knex's. */
  runOn: DatabaseDriver['runOn'];
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
   * @param lock - what the work locks, by `lockName`: work of one transaction locks in the order of these names, side by side where
   *   they differ. Work without one shares its transaction with nothing at the same time
   */
  transaction<Result>(work: (trx: Transaction) => Promise<Result>, lock?: string): Promise<Result>;
}

/** Tries the work again where the failure may be over, and throws all other failures of the database as DatabaseUnavailable. */
export const retryTransient = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retry(work, (error, attempts, elapsed) => {
    const kind = classifyError(error);
    if (kind === undefined) throw error;
    const isTransient = kind === 'conflict' || kind === 'lost';
    // In the end the caller gets the error instead of waiting longer.
    const isLast = attempts === 8 || elapsed > 3000;
    if (isLast || !isTransient) throw databaseUnavailable(error);
    // Longer each time, and by chance, so that two that met do not meet again.
    const firstDelay = 5;
    return firstDelay * 2 ** attempts * Math.random();
  });

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
  try {
    await connection.commit();
  } catch (error) {
    if (error instanceof Skipped) throw await undo(connection, error.cause);
    // The driver knows more, as where the disk could not be synced.
    if (error instanceof DatabaseUnavailable) throw error;
    throw isConnectionError(error) ? commitOutcomeUnknown(error) : await undo(connection, error);
  }
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

/** Options of opening a database. */
export interface DatabaseOptions {
  /** The most connections to a database that is a server. */
  readonly connections?: number;
  readonly listener?: StatementListener | undefined;
  readonly watch?: Watch | undefined;
}

const drivers = new WeakMap<Database, DatabaseDriver>();

/**
 * @param isListening - whether a change runs in the context of its request, though it shares its transaction, so that its statements are
 *   told apart from others'
 */
const databaseOver = (
  driver: DatabaseDriver,
  watch?: Watch,
  isListening = () => false,
): Database => {
  const { knex, query, queryOwn, withConnection } = driver;
  const transaction = groupCommit<Connection, Transaction>({
    run: (work) => runTransaction(withConnection, work),
    viewOf: (connection, failureOf) => ({
      runOwn: connection.runOwn,
      // A statement's type says what its rows are; the drivers do not know.
      all: <Row>(statement: Statement<Values, Row>, parameters: Values) =>
        connection.all(statement, parameters) as Promise<Row[]>,
      run: (statement, parameters) => connection.run(statement, parameters),
      send: (statement, parameters) => connection.send(statement, parameters, failureOf),
    }),
    watch,
  });
  const db: Database = {
    knex,
    changeTables: (work) => driver.withMigrationLock(work),
    runOn: driver.runOn,
    prepare: statement,
    all: <Row>(prepared: Statement<Values, Row>, parameters: Values) =>
      retryTransient(() => query(prepared, parameters)) as Promise<Row[]>,
    runOwn: async (...statement) =>
      (await retryTransient(async () => queryOwn(...statement))) ??
      db.transaction((trx) => trx.runOwn(...statement)),
    transaction: (work, lock) => {
      if (!isListening()) return transaction(work, lock);
      const resource = new AsyncResource('change');
      return transaction((trx) => resource.runInAsyncScope(work, undefined, trx), lock);
    },
  };
  drivers.set(db, driver);
  return db;
};

/** Makes the same database inside a transaction: what reads or changes does so there. */
export const within = (db: Database, trx: Transaction): Database => ({
  ...db,
  all: trx.all,
  runOwn: trx.runOwn,
  transaction: (work) => work(trx),
});

/**
 * Does the work of a handler in a transaction, whose statements are refused afterwards.
 * @throws Error where it sends no statement for four seconds
 */
export const workWithin = async <Result>(
  { all, run, send, runOwn }: Transaction,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> => {
  let hasEnded = false;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const longPause = new Promise<never>((_, reject) => {
    const message =
      'A `transaction` has sent no statement for 4 seconds, and others wait for it: use there only what it gives';
    const giveUp = () => (running > 0 ? timer?.refresh() : reject(new Error(message)));
    // All other changes of the process wait for it, and it may wait for one of them.
    timer = setTimeout(giveUp, 4000);
  });
  const counted =
    <Given extends readonly unknown[], Sent>(call: (...given: Given) => Promise<Sent>) =>
    async (...given: Given): Promise<Sent> => {
      if (hasEnded) throw new Error('The transaction of this statement has ended');
      running += 1;
      return call(...given).finally(() => {
        running -= 1;
        timer?.refresh();
      });
    };
  const counting = { all: counted(all), run: counted(run), send: counted(send) };
  const working = work({ ...counting, runOwn: counted(runOwn) } as Transaction);
  return Promise.race([working, longPause]).finally(() => {
    hasEnded = true;
    clearTimeout(timer);
  });
};

const SQLITE = 'sqlite:';

const openerOf = (url: string, { connections = 10, watch }: DatabaseOptions) => {
  // A driver is loaded by programs that use it.
  if (/^postgres(?:ql)?:\/\/./.test(url)) {
    const { openPostgres, readingPostgres } =
      require('../postgres/postgres') as typeof import('../postgres/postgres');
    return { open: () => openPostgres(url, connections, watch), read: () => readingPostgres(url) };
  }
  const path = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : '';
  const { openSqliteInMemory, openSqliteSync, readingSqlite } =
    require('../sqlite/sqlite') as typeof import('../sqlite/sqlite');
  const read = () => readingSqlite(path);
  if (path === ':memory:') return { open: openSqliteInMemory, read };
  if (path !== '') return { open: () => openSqliteSync(path), read };
  throw new Error(
    'The database URL must be "sqlite:" followed by the path of a file, or "postgres://…".',
  );
};

const cannotOpen = (url: string, cause: unknown): Error => {
  const reason = connectionErrorHint(cause);
  const shown = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : withoutSecrets(url);
  return new Error(`The database "${shown}" cannot be opened: ${reason}.`, { cause });
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
  const { listener, watch } = options;
  const { open } = openerOf(url, options);
  let driver: DatabaseDriver | undefined;
  try {
    driver = await open();
    await driver.withMigrationLock(migrate);
    const watched = listener === undefined ? driver : watchedDriver(driver, listener);
    return databaseOver(watched, watch, listener?.isListening);
  } catch (error) {
    await driver?.close();
    throw cannotOpen(url, error);
  }
};

/**
 * Reads a database as it is, at one moment, and changes nothing: it creates no file, and migrates no table.
 *
 * @throws Error of one sentence fit for an operator, where the URL or the database is unusable
 */
export const inspectDatabase = async <Result>(
  url: string,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> => {
  const db = openerOf(url, {}).read();
  try {
    return await db.transaction(work, { readOnly: true, isolationLevel: 'repeatable read' });
  } catch (error) {
    throw cannotOpen(url, error);
  } finally {
    await db.destroy();
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
