/** A real database for the tests of one file. */

import { afterAll, beforeAll } from '@jest/globals';
import { closeDatabase, type Database, openDatabase } from '../../../src/storage/database/database';
import { type NewDatabase, newDatabase } from '../../support/new-database';

/** The database while the tests run. */
export interface TemporaryDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes the database and opens it again, as a restart would. */
  reopen(): Promise<Database>;
  /** Opens it once more, as another process would; it is closed after the tests. */
  openAnother(): Promise<Database>;
}

/** Makes a database before the tests, and removes it after them. */
export const useTemporaryDatabase = (): TemporaryDatabase => {
  let made: NewDatabase | undefined;
  let db: Database | undefined;
  const others: Database[] = [];
  const url = (): string => {
    if (made === undefined) throw new Error('The database is not there yet');
    return made.url;
  };
  const current = (): Database => {
    if (db === undefined) throw new Error('The database is not open');
    return db;
  };
  beforeAll(async () => {
    made = await newDatabase();
    db = await openDatabase(url());
  });
  afterAll(async () => {
    await Promise.all([current(), ...others].map(closeDatabase));
    await made?.remove();
  });
  return {
    get url() {
      return url();
    },
    get db() {
      return current();
    },
    async reopen() {
      await closeDatabase(current());
      db = await openDatabase(url());
      return db;
    },
    async openAnother() {
      const another = await openDatabase(url());
      others.push(another);
      return another;
    },
  };
};
