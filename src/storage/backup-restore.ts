/** Puts a backup in the place of a SQLite database that nobody uses; what was there is kept beside it. */

import { chmod, constants, copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupRefused } from './backup';
import { checkBackup, isDamage } from './backup-check';
import { codeOf, withSqliteFile } from './backup-connection';
import { factsOf, isSameFile, syncFile, syncFolderOf, withPartial } from './backup-files';

const inUse = 'The database is in use: stop the servers first.';

/**
 * Runs the work while nobody else has the database open: in WAL mode each connection keeps a shared lock on the file, which
 * is in the way of leaving that mode. Having left it, the one file holds everything. A database so damaged that SQLite does
 * not know it for one cannot be locked.
 */
const whileUnused = async (database: string, work: () => Promise<void>): Promise<void> => {
  let isLocked = false;
  try {
    await withSqliteFile(database, async (ask) => {
      await ask('pragma locking_mode = exclusive');
      const [mode] = await ask<{ journal_mode: string }>('pragma journal_mode = delete');
      if (mode?.journal_mode !== 'delete') throw new BackupRefused(inUse);
      await ask('begin exclusive');
      isLocked = true;
      await work();
    });
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') throw new BackupRefused(inUse);
    if (isLocked || !isDamage(error)) throw error;
    await work();
  }
};

/** SQLite would replay a log that was left behind into the file that is there next. */
const setLogsAside = async (database: string, kept: string): Promise<void> => {
  for (const suffix of ['-wal', '-journal']) {
    if ((await factsOf(`${database}${suffix}`)) !== undefined) {
      await rename(`${database}${suffix}`, `${kept}${suffix}`);
    }
  }
  await rm(`${database}-shm`, { force: true });
  await syncFolderOf(database);
};

/** There is a whole database under the name at every moment: a second name first, then the replacement. */
const replace = async (database: string, partial: string, kept: string): Promise<void> => {
  await link(database, kept);
  await setLogsAside(database, kept);
  await rename(partial, database);
  await syncFolderOf(database);
};

const putInPlace = async (database: string, partial: string, kept: string): Promise<void> => {
  await setLogsAside(database, kept);
  await rename(partial, database);
  await syncFolderOf(database);
};

const requireBackup = async (database: string, file: string): Promise<void> => {
  if ((await factsOf(file)) === undefined) throw new BackupRefused(`There is no file "${file}".`);
  if (await isSameFile(database, file)) {
    throw new BackupRefused(`The file "${file}" is the database itself.`);
  }
  const log = await factsOf(`${file}-wal`);
  if (log !== undefined && log.size > 0n) {
    throw new BackupRefused(`The file "${file}" has a log beside it: it is in use, or no backup.`);
  }
};

/**
 * Restores the database from the file, which stays as it is.
 *
 * @param now - milliseconds since 1970; names what is kept
 * @returns the path under which the old database is kept; undefined where there was none
 * @throws BackupRefused where the file is no good backup, or the database is in use
 */
export const restore = async (
  database: string,
  file: string,
  now: number,
): Promise<string | undefined> => {
  await requireBackup(database, file);
  await mkdir(dirname(database), { recursive: true });
  const kept = `${database}.before-${new Date(now).toISOString().replaceAll(/[-:]/g, '')}`;
  return withPartial(database, async (partial) => {
    await copyFile(file, partial, constants.COPYFILE_EXCL);
    const old = await factsOf(database);
    // Backups are often kept as files that cannot be written.
    await chmod(partial, (Number((old ?? (await factsOf(partial)))?.mode) & 0o777) | 0o600);
    await checkBackup(partial, file);
    await syncFile(partial);
    if (old === undefined) {
      await putInPlace(database, partial, kept);
      return undefined;
    }
    await whileUnused(database, () => replace(database, partial, kept));
    return kept;
  });
};
