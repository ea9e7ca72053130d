/** A real SQLite file for one test file. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, type Database, openDatabase } from '../../../src/storage/database';

export interface TemporaryDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes the file and opens it again, as a restart would. */
  reopen(): Promise<Database>;
  remove(): Promise<void>;
}

export const openTemporaryDatabase = async (): Promise<TemporaryDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'storage-'));
  const url = `sqlite:${join(folder, 'made', 'on-opening.sqlite')}`;
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
      await rm(folder, { recursive: true });
    },
  };
};
