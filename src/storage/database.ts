/** The database: opened by its URL, brought up to date, closed. */

import { isNativeError } from 'node:util/types';
import type { Knex } from 'knex';
import { migrationSource } from './migrations/index';
import { openSqlite } from './sqlite';

/** Where every storage keeps its rows; a transaction is one too. */
export type Database = Knex;

const SQLITE = 'sqlite:';

const reasonOf = (error: unknown): string => (isNativeError(error) ? error.message : String(error));

/** In one transaction, so that processes that start together take turns, and one that dies leaves no lock behind. */
const migrate = async (db: Database): Promise<void> => {
  await db.transaction((trx) => trx.migrate.latest({ migrationSource }));
};

/**
 * Opens the database and brings its tables up to date.
 *
 * @param url - `sqlite:PATH`, relative to the working directory, or `sqlite::memory:`
 * @throws Error of one sentence fit for an operator, where the URL or the file is unusable
 */
export const openDatabase = async (url: string): Promise<Database> => {
  const path = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : '';
  if (path === '') {
    // The URL itself may hold a password.
    throw new Error('The database URL must be "sqlite:" followed by the path of a file.');
  }
  let db: Database | undefined;
  try {
    db = await openSqlite(path);
    await migrate(db);
    return db;
  } catch (error) {
    await db?.destroy();
    throw new Error(`The database "${path}" cannot be opened: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
};

/** Waits for running queries and closes the file. */
export const closeDatabase = (db: Database): Promise<void> => db.destroy();
