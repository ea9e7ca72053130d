/** Replaces a SQLite database that is not in use by a backup; the old database stays beside it. */

import { chmod, constants, copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupRefused } from './backup';
import { checkBackup, isDamage } from './backup-check';
import { codeOf, withSqliteFile } from './backup-connection';
import { factsOf, isSameFile, syncFile, syncFolderOf, withPartial } from './backup-files';

const inUse = 'The database is in use: stop the servers first.';

/** Takes away what stands beside a database's file: SQLite would play it into the file that is there next. */
type ClearLogs = (database: string, kept: string) => Promise<void>;

/** There is nothing in them that is not in the file. */
const dropLogs: ClearLogs = async (database) => {
  for (const suffix of ['-wal', '-journal', '-shm']) {
    await rm(`${database}${suffix}`, { force: true });
  }
  await syncFolderOf(database);
};

const setLogsAside: ClearLogs = async (database, kept) => {
  for (const suffix of ['-wal', '-journal']) {
    if ((await factsOf(`${database}${suffix}`)) !== undefined) {
      await rename(`${database}${suffix}`, `${kept}${suffix}`);
    }
  }
  await dropLogs(database, kept);
};

/**
 * Runs the work while no other process has the database open: in WAL mode each connection keeps a shared lock on the file, which
 * is in the way of leaving that mode. Having left it, the one file holds everything. A database so damaged that SQLite does
 * not know it for one cannot be locked.
 */
const whileUnused = async (
  database: string,
  work: (clearLogs: ClearLogs) => Promise<void>,
): Promise<void> => {
  let isLocked = false;
  try {
    await withSqliteFile(database, async (ask) => {
      await ask('pragma locking_mode = exclusive');
      const [mode] = await ask<{ journal_mode: string }>('pragma journal_mode = delete');
      if (mode?.journal_mode !== 'delete') throw new BackupRefused(inUse);
      await ask('begin exclusive');
      isLocked = true;
      await work(dropLogs);
    });
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') throw new BackupRefused(inUse);
    if (isLocked || !isDamage(error)) throw error;
    await work(setLogsAside);
  }
};

const putInPlace = async (database: string, partial: string): Promise<void> => {
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
 * @throws BackupRefused where the file is no valid backup, or the database is in use
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
      await setLogsAside(database, kept);
      await putInPlace(database, partial);
      return undefined;
    }
    await whileUnused(database, async (clearLogs) => {
      // A second name first, then the replacement: there is a database at every moment.
      await link(database, kept);
      await clearLogs(database, kept);
      await putInPlace(database, partial);
    });
    return kept;
  });
};
