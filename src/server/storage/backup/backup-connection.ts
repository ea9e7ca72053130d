/** A SQLite database as a file: where it is, and a connection for work on the whole of it. */

import { Database, OPEN_READWRITE } from 'sqlite3';

/** The path in `sqlite:PATH`; undefined where the URL names another kind of database, or one in memory. */
export const sqlitePath = (url: string): string | undefined => {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? [];
  return path === ':memory:' ? undefined : path;
};

/** Runs one statement and gives its rows. */
export type Ask = <Row>(sql: string, values?: readonly string[]) => Promise<Row[]>;

const open = (path: string): Promise<Database> =>
  new Promise((resolve, reject) => {
    const database = new Database(path, OPEN_READWRITE, (error) =>
      error === null ? resolve(database) : reject(error),
    );
  });

const close = (database: Database): Promise<void> =>
  new Promise((resolve, reject) => {
    database.close((error) => (error === null ? resolve() : reject(error)));
  });

const askerOf =
  (database: Database): Ask =>
  (sql, values = []) =>
    new Promise((resolve, reject) => {
      database.all(sql, values, (error: Error | null, rows: never[]) =>
        error === null ? resolve(rows) : reject(error),
      );
    });

/** Opens a file that exists, as it is, does the work, and closes it. */
export const withSqliteFile = async <Result>(
  path: string,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> => {
  const database = await open(path);
  try {
    return await work(askerOf(database));
  } finally {
    await close(database);
  }
};

/** The code of SQLite's or the file system's that an error carries. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null ? String(Reflect.get(error, 'code')) : '';
