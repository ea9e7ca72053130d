/** Replaces a SQLite database that is not in use by a backup, if that is a whole one of ours; the old database stays beside it. */

import { chmod, constants, copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../connections/database-errors';
import { versionProblem } from '../migrations/index';
import { errorFacts } from '../sql/dialect';
import {
  type Ask,
  factsOf,
  isSameFile,
  syncFile,
  syncFolderOf,
  withoutLinks,
  withPartial,
  withSqliteFile,
} from './sqlite-files';

// SQLite's result codes for what is no database, or no whole one.
const damaged = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

/** Tells whether the error says that a file is no database, or a damaged one. */
const isDamage = (error: unknown): boolean => damaged.has(errorFacts(error).code);

const requireWhole = async (ask: Ask, file: string): Promise<void> => {
  const [first] = await ask<{ integrity_check: string }>('pragma integrity_check(1)');
  if (first?.integrity_check !== 'ok') {
    throw new Refusal(`The file "${file}" is damaged: ${first?.integrity_check}.`);
  }
};

const requireOurs = async (ask: Ask, file: string): Promise<void> => {
  const tables = await ask(
    `select name from sqlite_master where type = 'table' and name = 'knex_migrations'`,
  );
  const made =
    tables.length === 0 ? [] : await ask<{ name: string }>('select name from knex_migrations');
  if (made.length === 0) {
    throw new Refusal(`The file "${file}" is no database of these services.`);
  }
  const problem = versionProblem(made);
  if (problem !== undefined) throw new Refusal(`The file "${file}" is refused: ${problem}.`);
};

/**
 * Passes a database that this program can open.
 *
 * @param path - where the file is read
 * @param file - what the operator calls it
 * @throws Refusal where it is no database, damaged, not ours, or from a newer version
 */
const checkBackup = async (path: string, file: string): Promise<void> => {
  try {
    await withSqliteFile(path, async (ask) => {
      await requireWhole(ask, file);
      await requireOurs(ask, file);
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new Refusal(`The file "${file}" is no database, or a damaged one.`);
  }
};

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
      if (mode?.journal_mode !== 'delete') throw new Refusal(inUse);
      await ask('begin exclusive');
      isLocked = true;
      await work(dropLogs);
    });
  } catch (error) {
    if (errorFacts(error).code === 'SQLITE_BUSY') throw new Refusal(inUse);
    if (isLocked || !isDamage(error)) throw error;
    await work(setLogsAside);
  }
};

const putInPlace = async (database: string, partial: string): Promise<void> => {
  await rename(partial, database);
  await syncFolderOf(database);
};

const requireBackup = async (database: string, file: string): Promise<void> => {
  if ((await factsOf(file)) === undefined) throw new Refusal(`There is no file "${file}".`);
  if (await isSameFile(database, file)) {
    throw new Refusal(`The file "${file}" is the database itself.`);
  }
  const log = await factsOf(`${file}-wal`);
  if (log !== undefined && log.size > 0n) {
    throw new Refusal(`The file "${file}" has a log beside it: it is in use, or no backup.`);
  }
};

/**
 * Restores the database from the file, which stays as it is.
 *
 * @param path - of the database; what a symbolic link leads to is replaced
 * @param now - milliseconds since 1970; names what is kept
 * @returns the path under which the old database is kept; undefined where there was none
 * @throws Refusal where the file is no valid backup, or the database is in use
 */
export const restore = async (
  path: string,
  file: string,
  now: number,
): Promise<string | undefined> => {
  const database = await withoutLinks(path);
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
