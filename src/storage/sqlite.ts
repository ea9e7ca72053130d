/** All that is SQLite's alone: opening the file, its settings, and how its transactions begin. */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Knex, knex } from 'knex';
import type { Database as Connection } from 'sqlite3';

/** The part of Knex's transactions that is replaced below. */
interface KnexTransaction {
  begin(connection: unknown): Promise<unknown>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

const ignore = (): void => {};

/** Knex prints what it throws, too. */
const SILENT: Knex.Logger = { warn: ignore, error: ignore };

/** In this order: what follows the first may already have to wait for another process. */
const SETTINGS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;`;

/**
 * Makes every transaction take the write lock when it begins. One that reads first and writes later is otherwise refused
 * at once (SQLITE_BUSY_SNAPSHOT), without the waiting time, where another process wrote in between.
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

/** The driver stores a bigint as NULL without a word; that must never pass. */
const refuseBigints = ({ sql, bindings }: { sql: string; bindings?: readonly unknown[] }): void => {
  if (bindings?.some((binding) => typeof binding === 'bigint')) {
    throw new TypeError(`A bigint cannot be bound, only its decimal text: ${sql}`);
  }
};

/**
 * Opens the file, and creates it and its folder where they are missing.
 *
 * @param path - a file's path, relative to the working directory, or `:memory:`
 * @throws what the file system or the driver says
 */
export const openSqlite = async (path: string): Promise<Knex> => {
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
  const db = knex({
    client: 'sqlite3',
    connection: { filename: path },
    useNullAsDefault: true,
    log: SILENT,
    // Errors are logged: with the values bound they would tell hashes and personal data.
    compileSqlOnError: false,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (
        connection: Connection,
        done: (error: Error | null, connection: Connection) => void,
      ) => connection.exec(SETTINGS, (error) => done(error, connection)),
    },
  });
  beginWithWriteLock(db);
  db.on('query', refuseBigints);
  return db;
};
