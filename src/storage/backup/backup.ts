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
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Database, OPEN_READWRITE } from 'sqlite3';
import { recoverFromCode } from '../../base/recover';
import { Refusal } from '../connections/database-errors';
import { versionProblem } from '../migrations/index';
import { errorFacts } from '../sql/dialect';

/** Finds the path in `sqlite:PATH`; undefined where the URL names another kind of database, or one in memory. */
export const sqlitePath = (url: string): string | undefined => {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? [];
  return path === ':memory:' ? undefined : path;
};

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

const unlessMissing = recoverFromCode('ENOENT', undefined);

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

/** Tells whether SQLite's code is that of no database, or of a damaged one. */
const isDamage = (error: unknown): boolean =>
  ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(errorFacts(error).code);

/** Finds why a file is no backup, or cannot be restored: one sentence about it; undefined where nothing is wrong. */
const findProblem = async (ask: Ask, isToRestore: boolean): Promise<string | undefined> => {
  const [check] = await ask<{ integrity_check: string }>('pragma integrity_check(1)');
  if (check?.integrity_check !== 'ok') return `is damaged: ${check?.integrity_check}`;
  const [row] = await ask<Record<'table' | 'parent', string>>('pragma foreign_key_check');
  if (row) return `is damaged: a row of "${row.table}" refers to none of "${row.parent}"`;
  if (!isToRestore) return undefined;
  const tables = await ask(`select name from sqlite_master where name = 'knex_migrations'`);
  const done =
    tables.length > 0 ? await ask<{ name: string }>('select * from knex_migrations') : [];
  if (done.length === 0) return 'is no database of these services';
  const problem = versionProblem(done);
  return problem && `is refused: ${problem}`;
};

type TableRows = Readonly<Record<string, number>>;

/** Checks the file at the path, and counts its rows. Throws Refusal where something is wrong with what has that name. */
const checkFile = (path: string, name: string, isToRestore: boolean): Promise<TableRows> =>
  withSqliteFile(path, async (ask) => {
    const problem = await findProblem(ask, isToRestore);
    if (problem !== undefined) throw new Refusal(`The file "${name}" ${problem}.`);
    const tables = await ask<{ name: string }>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'knex%' order by name`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [counted] = await ask<{ rows: number }>(`select count(*) as rows from "${name}"`);
      counts[name] = counted?.rows ?? 0;
    }
    return counts;
  }).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    throw new Refusal(`The file "${name}" is no database, or a damaged one.`);
  });

/**
 * Makes a file that holds the database as it was at one moment. It appears under its name when it is whole, checked and on the disk.
 *
 * @param database - the path of the database, which is not migrated
 * @param options - `force` replaces a file that is in the way
 * @returns the rows of each table
 * @throws Refusal where there is no database, it is damaged, or a file is in the way
 */
export const backUp = async (
  database: string,
  file: string,
  { force }: { readonly force: boolean },
): Promise<TableRows> => {
  const permissions = await permissionsOf(database);
  if (permissions === undefined) throw new Refusal(`There is no database "${database}".`);
  await requireOtherFile(file, database);
  if (!force && (await statOf(file)) !== undefined) {
    throw new Refusal(`There is a file "${file}" already; --force replaces it.`);
  }
  return withPartial(file, async (partial) => {
    // As private as the database from the beginning.
    const created = await open(partial, 'wx', permissions);
    await created.close();
    await withSqliteFile(database, async (ask) => {
      await ask('pragma busy_timeout = 5000');
      await ask('vacuum into ?', [partial]);
    });
    const rows = await checkFile(partial, database, false);
    await sync(partial);
    await putInPlace(partial, file);
    return rows;
  });
};

/** A time as it stands in names of files; their order is that of time. */
const stamp = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]/g, '');

/**
 * Makes a dated backup in a folder, and only then deletes older ones that it has made of a database of the same name.
 *
 * @param options - the number of files to `keep`; `now` in milliseconds since 1970
 * @throws Refusal as backUp does, and where there is no such folder
 */
export const backUpInto = async (
  database: string,
  folder: string,
  { keep, now }: { readonly keep: number; readonly now: number },
) => {
  if (!(await statOf(folder))?.isDirectory()) throw new Refusal(`There is no folder "${folder}".`);
  const prefix = `${basename(database, '.sqlite')}-`;
  const name = `${prefix}${stamp(now)}.sqlite`;
  const file = join(folder, name);
  const rows = await backUp(database, file, { force: false });
  const deleted = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== name && entry.name.startsWith(prefix))
    .filter((entry) => /^\d{8}T\d{6}\.\d{3}Z\.sqlite$/.test(entry.name.slice(prefix.length)))
    .map((entry) => join(folder, entry.name))
    .sort((one, other) => (one < other ? 1 : -1))
    .slice(keep - 1);
  for (const old of deleted) await rm(old, { force: true });
  return { file, rows, deleted };
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
 * @param work - receives whether the logs may hold what the file does not
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
 * Restores the database from the file, which stays as it is. Nothing changes before a copy of it has passed all checks.
 *
 * @param path - of the database; a symbolic link is followed
 * @param options - `now` in milliseconds since 1970 names the file that is kept; `dryRun` leaves it at the checks
 * @returns the rows of each table, and the path under which the old database is kept; undefined where there was none
 * @throws Refusal where the file is no valid backup, or the database is in use
 */
export const restore = async (
  path: string,
  file: string,
  { now, dryRun = false }: { readonly now: number; readonly dryRun?: boolean },
) => {
  const database = (await realpath(path).catch(unlessMissing)) ?? path;
  if ((await statOf(file)) === undefined) throw new Refusal(`There is no file "${file}".`);
  await requireOtherFile(file, database);
  const log = await statOf(`${file}-wal`);
  if (log !== undefined && log.size > 0n) {
    throw new Refusal(`The file "${file}" has a log beside it: it is in use, or no backup.`);
  }
  await mkdir(dirname(database), { recursive: true });
  const kept = `${database}.before-${stamp(now)}`;
  return withPartial(database, async (partial) => {
    await copyFile(file, partial, constants.COPYFILE_EXCL);
    const former = await permissionsOf(database);
    // Backups are often kept as files that cannot be written.
    await chmod(partial, (former ?? (await permissionsOf(partial)) ?? 0) | 0o600);
    const rows = await checkFile(partial, file, true);
    await sync(partial);
    if (dryRun) return { rows, previous: undefined };
    if (former === undefined) {
      await keepLogs(database, kept);
      await putInPlace(partial, database);
      return { rows, previous: undefined };
    }
    await whileUnused(database, async (hasLogs) => {
      // A second name first, then the replacement: there is a database at every moment.
      await link(database, kept);
      await (hasLogs ? keepLogs(database, kept) : deleteLogs(database));
      await putInPlace(partial, database);
    });
    return { rows, previous: kept };
  });
};
