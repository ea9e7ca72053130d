/** A SQLite database as a file: a connection for work on the whole of it, names that are free, and changes that survive the loss of power. */

import { randomUUID } from 'node:crypto';
import { open, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { Database, OPEN_READWRITE } from 'sqlite3';
import { errorFacts } from '../sql/dialect';

/** The path in `sqlite:PATH`; undefined where the URL names another kind of database, or one in memory. */
export const sqlitePath = (url: string): string | undefined => {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? [];
  return path === ':memory:' ? undefined : path;
};

/** Runs one statement and gives its rows. */
export type Ask = <Row>(sql: string, values?: readonly string[]) => Promise<Row[]>;

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

/** Does nothing where there is no such file. */
const unlessMissing = (error: unknown): undefined => {
  if (errorFacts(error).code === 'ENOENT') return undefined;
  throw error;
};

/** Undefined where there is no such file. */
export const factsOf = (path: string) => stat(path, { bigint: true }).catch(unlessMissing);

/** Resolves symbolic links; gives the path itself where there is no such file. */
export const withoutLinks = async (path: string): Promise<string> =>
  (await realpath(path).catch(unlessMissing)) ?? path;

/** Tells whether both are there and are one file. */
export const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [oneFacts, otherFacts] = [await factsOf(one), await factsOf(other)];
  return (
    oneFacts !== undefined && oneFacts.dev === otherFacts?.dev && oneFacts.ino === otherFacts.ino
  );
};

/** Resolves when the file's content is on the disk. */
export const syncFile = async (path: string): Promise<void> => {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
};

/** Resolves when the names in the file's folder are on the disk. */
export const syncFolderOf = (path: string): Promise<void> => syncFile(dirname(path));

/**
 * Lets the work make a file under a temporary name beside the path; what is still there afterwards is removed. A name of its
 * own each time: two that write the same file do not disturb each other.
 */
export const withPartial = async <Result>(
  path: string,
  work: (partial: string) => Promise<Result>,
): Promise<Result> => {
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    return await work(partial);
  } finally {
    for (const left of ['', '-journal', '-wal', '-shm'])
      await rm(`${partial}${left}`, { force: true });
  }
};
