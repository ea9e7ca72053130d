/** A SQLite database as a file: where it is, and a connection for work on the whole of it. */

import Driver from 'better-sqlite3';

/** The path in `sqlite:PATH`; undefined where the URL names another kind of database, or one in memory. */
export const sqlitePath = (url: string): string | undefined => {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? [];
  return path === ':memory:' ? undefined : path;
};

/** Runs one statement and gives its rows. */
export type Ask = <Row>(sql: string, values?: readonly string[]) => Row[];

/** Opens a file that exists, as it is, does the work, and closes it. Another process's lock is waited for a second. */
export const withSqliteFile = async <Result>(
  path: string,
  work: (ask: Ask) => Result | Promise<Result>,
): Promise<Result> => {
  const database = new Driver(path, { fileMustExist: true, timeout: 1000 });
  try {
    return await work(<Row>(sql: string, values: readonly string[] = []): Row[] => {
      const prepared = database.prepare<string[], Row>(sql);
      if (prepared.reader) return prepared.all(...values);
      prepared.run(...values);
      return [];
    });
  } finally {
    database.close();
  }
};

/** The code of SQLite's or the file system's that an error carries. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null ? String(Reflect.get(error, 'code')) : '';
