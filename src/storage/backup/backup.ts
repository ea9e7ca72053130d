/**
 * Backups of a SQLite database: a copy in one file while servers go on writing, and the way back. Changes of files survive the
 * loss of power, and what fails leaves the files as they were.
 */

import { randomUUID } from 'node:crypto';
import {
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { Database, OPEN_READWRITE } from 'sqlite3';
import { Refusal } from '../connections/database-errors';
import { versionProblem } from '../migrations/index';
import { errorFacts } from '../sql/dialect';

/** Finds the path in `sqlite:PATH`; undefined where the URL names another kind of database, or one in memory. */
export const sqlitePath = (url: string): string | undefined => {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? [];
  return path === ':memory:' ? undefined : path;
};

/** Runs one statement and gives its rows. */
type Ask = <Row>(sql: string, values?: readonly string[]) => Promise<Row[]>;

/** Opens a file that exists, as it is, does the work, and closes it. */
export const withSqliteFile = async <Result>(
  path: string,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> => {
  const database = await new Promise<Database>((resolve, reject) => {
    const opened = new Database(path, OPEN_READWRITE, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const all = promisify<string, readonly string[], never[]>(database.all.bind(database));
  try {
    return await work((sql, values = []) => all(sql, values));
  } finally {
    await promisify(database.close.bind(database))();
  }
};

const unlessMissing = (error: unknown): undefined => {
  if (errorFacts(error).code === 'ENOENT') return undefined;
  throw error;
};

/** Reads the state of a file; undefined for a missing one. */
const statOf = (path: string) => stat(path, { bigint: true }).catch(unlessMissing);

const permissionsOf = async (path: string): Promise<number | undefined> => {
  const found = await statOf(path);
  return found && Number(found.mode) & 0o777;
};

const requireOtherFile = async (file: string, database: string): Promise<void> => {
  const [one, other] = [await statOf(file), await statOf(database)];
  if (one !== undefined && one.dev === other?.dev && one.ino === other.ino) {
    throw new Refusal(`The file "${file}" is the database itself.`);
  }
};

/** Waits until a file's content, or the names in a folder, are on the disk. */
const sync = async (path: string): Promise<void> => {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
};

/** Gives a file another name, which replaces what has it. */
const putInPlace = async (file: string, path: string): Promise<void> => {
  await rename(file, path);
  await sync(dirname(path));
};

/**
 * Lets the work make a file under a temporary name beside the path, and deletes what is left there afterwards. The name is another
 * one each time: two that write the same file do not disturb each other.
 */
const withPartial = async <Result>(
  path: string,
  work: (partial: string) => Promise<Result>,
): Promise<Result> => {
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    return await work(partial);
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) {
      await rm(`${partial}${suffix}`, { force: true });
    }
  }
};

/**
 * Makes a file that holds the database as it was at one moment. It appears under its name when it is whole and on the disk.
 *
 * @param database - the path of the database, which is not migrated
 * @param options - `force` replaces a file that is in the way
 * @throws Refusal where there is no database, or a file is in the way
 */
export const backUp = async (
  database: string,
  file: string,
  { force }: { readonly force: boolean },
): Promise<void> => {
  const permissions = await permissionsOf(database);
  if (permissions === undefined) throw new Refusal(`There is no database "${database}".`);
  await requireOtherFile(file, database);
  if (!force && (await statOf(file)) !== undefined) {
    throw new Refusal(`There is a file "${file}" already; --force replaces it.`);
  }
  await withPartial(file, async (partial) => {
    // As private as the database from the beginning.
    const created = await open(partial, 'wx', permissions);
    await created.close();
    await withSqliteFile(database, async (ask) => {
      await ask('pragma busy_timeout = 5000');
      await ask('vacuum into ?', [partial]);
    });
    await sync(partial);
    await putInPlace(partial, file);
  });
};

/** Tells whether SQLite's code is that of no database, or of a damaged one. */
const isDamage = (error: unknown): boolean =>
  ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(errorFacts(error).code);

/** Finds why a file cannot be restored: one sentence about it; undefined where it can be. */
const problemOf = async (ask: Ask): Promise<string | undefined> => {
  const [check] = await ask<{ integrity_check: string }>('pragma integrity_check(1)');
  if (check?.integrity_check !== 'ok') return `is damaged: ${check?.integrity_check}`;
  const tables = await ask(`select name from sqlite_master where name = 'knex_migrations'`);
  const done =
    tables.length > 0 ? await ask<{ name: string }>('select * from knex_migrations') : [];
  if (done.length === 0) return 'is no database of these services';
  const problem = versionProblem(done);
  return problem && `is refused: ${problem}`;
};

/** @param file - the name of the backup to its operator; it is read at the path */
const requireUsable = async (path: string, file: string): Promise<void> => {
  const problem = await withSqliteFile(path, problemOf).catch((error: unknown) => {
    if (isDamage(error)) return 'is no database, or a damaged one';
    throw error;
  });
  if (problem !== undefined) throw new Refusal(`The file "${file}" ${problem}.`);
};

const requireBackup = async (file: string, database: string): Promise<void> => {
  if ((await statOf(file)) === undefined) throw new Refusal(`There is no file "${file}".`);
  await requireOtherFile(file, database);
  const log = await statOf(`${file}-wal`);
  if (log !== undefined && log.size > 0n) {
    throw new Refusal(`The file "${file}" has a log beside it: it is in use, or no backup.`);
  }
};

/** Deletes the logs beside a database's file, which SQLite would apply to the file that is there next. */
const deleteLogs = async (database: string): Promise<void> => {
  for (const suffix of ['-wal', '-journal', '-shm']) {
    await rm(`${database}${suffix}`, { force: true });
  }
  await sync(dirname(database));
};

/** Keeps the logs, which may hold what the file does not, beside the file that is kept. */
const keepLogs = async (database: string, kept: string): Promise<void> => {
  for (const suffix of ['-wal', '-journal']) {
    await rename(`${database}${suffix}`, `${kept}${suffix}`).catch(unlessMissing);
  }
  await deleteLogs(database);
};

const inUse = 'The database is in use: stop the servers first.';

/**
 * Runs the work while no other process has the database open: in WAL mode each connection keeps a shared lock on the file, which
 * prevents leaving that mode. Afterwards the one file holds everything. A database so damaged that SQLite does not recognize it
 * cannot be locked.
 *
 * @param work - told whether the logs may hold what the file does not
 */
const whileUnused = async (
  database: string,
  work: (hasLogs: boolean) => Promise<void>,
): Promise<void> => {
  let isLocked = false;
  try {
    await withSqliteFile(database, async (ask) => {
      await ask('pragma locking_mode = exclusive');
      const [mode] = await ask<{ journal_mode: string }>('pragma journal_mode = delete');
      if (mode?.journal_mode !== 'delete') throw new Refusal(inUse);
      await ask('begin exclusive');
      isLocked = true;
      await work(false);
    });
  } catch (error) {
    if (errorFacts(error).code === 'SQLITE_BUSY') throw new Refusal(inUse);
    if (isLocked || !isDamage(error)) throw error;
    await work(true);
  }
};

/**
 * Restores the database from the file, which stays as it is.
 *
 * @param path - of the database; a symbolic link is followed
 * @param now - milliseconds since 1970; names the file that is kept
 * @returns the path under which the old database is kept; undefined where there was none
 * @throws Refusal where the file is no valid backup, or the database is in use
 */
export const restore = async (
  path: string,
  file: string,
  now: number,
): Promise<string | undefined> => {
  const database = (await realpath(path).catch(unlessMissing)) ?? path;
  await requireBackup(file, database);
  await mkdir(dirname(database), { recursive: true });
  const kept = `${database}.before-${new Date(now).toISOString().replaceAll(/[-:]/g, '')}`;
  return withPartial(database, async (partial) => {
    await copyFile(file, partial, constants.COPYFILE_EXCL);
    const former = await permissionsOf(database);
    // Backups are often kept as files that cannot be written.
    await chmod(partial, (former ?? (await permissionsOf(partial)) ?? 0) | 0o600);
    await requireUsable(partial, file);
    await sync(partial);
    if (former === undefined) {
      await keepLogs(database, kept);
      await putInPlace(partial, database);
      return undefined;
    }
    await whileUnused(database, async (hasLogs) => {
      // A second name first, then the replacement: there is a database at every moment.
      await link(database, kept);
      await (hasLogs ? keepLogs(database, kept) : deleteLogs(database));
      await putInPlace(partial, database);
    });
    return kept;
  });
};
