/** Knex on a connection to SQLite: it composes queries, migrates, and does rare work. */

import type { Database } from 'better-sqlite3';
import { type Knex, knex } from 'knex';
import { knexSettings } from '../connections/database-driver';
import { setUp, writerSettings } from './sqlite-connection';

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
