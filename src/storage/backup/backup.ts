/** Copies a SQLite database into one file while servers go on writing to it. */

import { open, rename } from 'node:fs/promises';
import { Refusal } from '../connections/database-errors';
import {
  factsOf,
  isSameFile,
  syncFile,
  syncFolderOf,
  withPartial,
  withSqliteFile,
} from './sqlite-files';

/** `force` replaces a file that is in the way. */
export interface BackupOptions {
  readonly force: boolean;
}

/** As private as the database: it holds what the database holds. */
const createLike = async (path: string, mode: bigint): Promise<void> => {
  const created = await open(path, 'wx', Number(mode) & 0o777);
  await created.close();
};

/**
 * Makes the file, which then holds the database as it was at one moment. It appears under its name when it is whole and on
 * the disk.
 *
 * @param database - the path of the database, which is not migrated
 * @throws Refusal where there is no database, or a file is in the way
 */
export const backUp = async (
  database: string,
  file: string,
  { force }: BackupOptions,
): Promise<void> => {
  const facts = await factsOf(database);
  if (facts === undefined) throw new Refusal(`There is no database "${database}".`);
  if (await isSameFile(database, file)) {
    throw new Refusal(`The file "${file}" is the database itself.`);
  }
  if (!force && (await factsOf(file)) !== undefined) {
    throw new Refusal(`There is a file "${file}" already; --force replaces it.`);
  }
  await withPartial(file, async (partial) => {
    await createLike(partial, facts.mode);
    await withSqliteFile(database, async (ask) => {
      await ask('pragma busy_timeout = 5000');
      await ask('vacuum into ?', [partial]);
    });
    await syncFile(partial);
    await rename(partial, file);
    await syncFolderOf(file);
  });
};
