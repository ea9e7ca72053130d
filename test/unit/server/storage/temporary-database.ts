/** A real database for one test file. */

import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/server/storage/database/database';
import { newDatabase } from '../../../support/new-database';

export interface TemporaryDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes the database and opens it again, as a restart would. */
  reopen(): Promise<Database>;
  remove(): Promise<void>;
}

export const openTemporaryDatabase = async (): Promise<TemporaryDatabase> => {
  const { url, remove } = await newDatabase();
  let db = await openDatabase(url);
  return {
    url,
    get db() {
      return db;
    },
    async reopen() {
      await closeDatabase(db);
      db = await openDatabase(url);
      return db;
    },
    async remove() {
      await closeDatabase(db);
      await remove();
    },
  };
};
