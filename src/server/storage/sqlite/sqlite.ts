/** SQLite as the admin program uses it: each statement runs in a thread, however long it takes. */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Knex, knex } from 'knex';
import type sqlite3 from 'sqlite3';
import { connectionPool, type Pool } from '../connections/connection-pool';
import type { DatabaseDriver } from '../connections/database-driver';
import { knexSettings } from '../connections/knex-settings';
import { patience, retryWhileBusy } from './retry-while-busy';
import { sqliteConnection } from './sqlite-connection';

/** The part of Knex's transactions that is replaced below. */
interface KnexTransaction {
  begin(connection: unknown): Promise<unknown>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

/** Stands for a database that is gone with its connection. */
export const inMemory = ':memory:';

/**
 * In this order: what follows the first may already have to wait for another process. In WAL mode `synchronous = FULL` syncs
 * the log after each commit, so that it survives the loss of power (sqlite.org/pragma.html#pragma_synchronous); NORMAL does
 * not.
 */
const WRITER_SETTINGS = `
  PRAGMA busy_timeout = ${patience.usual};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;`;

const READER_SETTINGS = `
  PRAGMA busy_timeout = ${patience.usual};
  PRAGMA query_only = ON;`;

/**
 * Makes every transaction of Knex's take the write lock when it begins. One that reads first and writes later is otherwise
 * refused at once (SQLITE_BUSY_SNAPSHOT), without the waiting time, where another process wrote in between.
 */
export const beginWithWriteLock = (db: Knex): void => {
  const client: { transaction(...facts: unknown[]): KnexTransaction } = db.client;
  const start = client.transaction.bind(client);
  client.transaction = (...facts) => {
    const transaction = start(...facts);
    transaction.begin = (connection) => transaction.query(connection, 'BEGIN IMMEDIATE;');
    return transaction;
  };
};

/** The driver stores a bigint as NULL without a word; that must never pass. */
export const refuseBigints = ({
  sql,
  bindings,
}: {
  sql: string;
  bindings?: readonly unknown[];
}): void => {
  if (bindings?.some((binding) => typeof binding === 'bigint')) {
    throw new TypeError(`A bigint cannot be bound, only its decimal text: ${sql}`);
  }
};

type Created = (error: Error | null, connection: sqlite3.Database) => void;

/** Knex forgets a connection that cannot be set up; it must not stay open. */
const setUp = (connection: sqlite3.Database, settings: string, done: Created): void => {
  connection.exec(settings, (error) => {
    if (error) connection.close();
    done(error, connection);
  });
};

const knexOver = (filename: string, settings: string): Knex =>
  knex({
    ...knexSettings,
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 0,
      max: 1,
      // Only closing closes it: prepared statements live as long as their connection.
      idleTimeoutMillis: 2 ** 31 - 1,
      afterCreate: (connection: sqlite3.Database, done: Created) =>
        setUp(connection, settings, done),
    },
  });

/** A database in memory has a single connection. */
const readerOf = (path: string, writer: Pool): Pool =>
  path === inMemory ? writer : connectionPool(knexOver(path, READER_SETTINGS), sqliteConnection);

/**
 * Opens the file, and creates it and its folder where they are missing. One connection writes and one reads, so that
 * readers do not wait for the disk.
 *
 * @param path - a file's path, relative to the working directory, or `:memory:`
 * @throws what the file system or the driver says
 */
export const openSqlite = async (path: string): Promise<DatabaseDriver> => {
  if (path !== inMemory) await mkdir(dirname(path), { recursive: true });
  const db = knexOver(path, WRITER_SETTINGS);
  beginWithWriteLock(db);
  db.on('query', refuseBigints);
  const writer = connectionPool(db, sqliteConnection);
  const reader = readerOf(path, writer);
  return {
    knex: db,
    query: ({ sql, bind }, parameters) =>
      reader.lend((connection) => connection.all(sql, bind(parameters))),
    withConnection: writer.lend,
    // The write lock is the whole file's.
    withMigrationLock: (work) => retryWhileBusy(() => db.transaction(work), patience.alone),
    async close() {
      if (reader !== writer) await reader.close();
      await writer.close();
    },
  };
};
