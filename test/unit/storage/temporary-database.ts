/** A real SQLite file for one test file, and a text codec that stands in for the schema's own. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, type Database, openDatabase } from '../../../src/storage/database';
import type { TextCodec } from '../../../src/storage/text-codec';

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

/** Keeps bigints exactly, as text that ends in n, and leaves out properties that start with an x. */
export const standInCodec: TextCodec<unknown> = {
  write: (value) =>
    JSON.stringify(value, (name, item: unknown) => {
      if (name.startsWith('x')) return undefined;
      return typeof item === 'bigint' ? `${item}n` : item;
    }),
  read: (text) =>
    JSON.parse(text, (_, item: unknown) =>
      typeof item === 'string' && /^-?\d+n$/.test(item) ? BigInt(item.slice(0, -1)) : item,
    ),
};
