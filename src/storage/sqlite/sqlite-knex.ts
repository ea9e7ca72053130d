/** Settings of connections to SQLite, and Knex on one: it composes queries, migrates, and does rare work. */

import type { Database, Statement } from 'better-sqlite3';
import { type Knex, knex } from 'knex';
import { knexSettings } from '../connections/database-driver';
import { retry } from '../connections/retry';
import { errorFacts } from '../sql/dialect';

/** Milliseconds to wait for the lock of another process: migrations wait as long as those of others take. */
export const lockTimeout = { usual: 5000, migration: 600_000 } as const;

const longestDelayMilliseconds = 20;

/** Checks for SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT and SQLITE_BUSY_RECOVERY: another process writes, or recovers from a crash. */
const isBusy = (error: unknown): boolean => errorFacts(error).code.startsWith('SQLITE_BUSY');

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

/** Kibibytes of pages that a connection keeps: SQLite's own default, where the driver's is 16,000. The kernel keeps the file, too. */
export const pageCache = 'cache_size = -2000';

/**
 * Pages of the log (16 MiB) after which SQLite writes them back, which takes two syncs of the disk while all requests wait. Pages
 * that have changed many times by then are written back once.
 */
export const writeBackAfter = 'wal_autocheckpoint = 4000';

/**
 * In this order: what follows the first may already have to wait for another process. In WAL mode `synchronous = FULL` syncs
 * the log at each commit, so that it survives the loss of power (sqlite.org/pragma.html#pragma_synchronous); NORMAL does not.
 */
export const writerSettings = (synchronous: 'NORMAL' | 'FULL'): string[] => [
  `busy_timeout = ${lockTimeout.usual}`,
  'journal_mode = WAL',
  `synchronous = ${synchronous}`,
  'foreign_keys = ON',
  pageCache,
];

/** Applies settings to a connection; closes it where that fails. */
export const setUp = (raw: Database, settings: readonly string[]): Database => {
  try {
    for (const setting of settings) raw.pragma(setting);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
};

/** Makes the function that gives the prepared statement of a SQL text. */
export const statementsOf = (raw: Database): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql) ?? raw.prepare(sql);
    statements.set(sql, known);
    return known;
  };
};

/** The methods of Knex's transactions that are replaced below. */
interface KnexTransaction {
  begin(connection: unknown): Promise<unknown>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

/**
 * Makes every transaction of Knex's take the write lock when it begins. One that reads first and writes later is otherwise
 * refused at once (SQLITE_BUSY_SNAPSHOT), without the waiting time, where another process wrote in between.
 */
const beginWithWriteLock = (db: Knex): void => {
  const client: { transaction(...facts: unknown[]): KnexTransaction } = db.client;
  const start = client.transaction.bind(client);
  client.transaction = (...facts) => {
    const transaction = start(...facts);
    transaction.begin = (connection) => transaction.query(connection, 'BEGIN IMMEDIATE;');
    return transaction;
  };
};

/** Refuses to bind a bigint: Knex reads integers as doubles, so that int64 travels as decimal text. */
const refuseBigints = ({ sql, bindings }: { sql: string; bindings?: readonly unknown[] }): void => {
  if (bindings?.some((binding) => typeof binding === 'bigint')) {
    throw new TypeError(`A bigint cannot be bound, only its decimal text: ${sql}`);
  }
};

/**
 * Makes a Knex with a single connection, which is opened when it is first needed.
 *
 * @param idleMilliseconds - the connection is closed when it was not used for so long
 */
export const sqliteKnex = (path: string, idleMilliseconds: number): Knex => {
  const db = knex({
    ...knexSettings,
    client: 'better-sqlite3',
    connection: { filename: path },
    useNullAsDefault: true,
    pool: {
      min: 0,
      max: 1,
      idleTimeoutMillis: idleMilliseconds,
      afterCreate: (raw: Database, done: (error: Error | null) => void) => {
        setUp(raw, writerSettings('FULL'));
        done(null);
      },
    },
  });
  beginWithWriteLock(db);
  db.on('query', refuseBigints);
  return db;
};
