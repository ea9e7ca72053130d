/** A connection to SQLite that keeps its prepared statements. */

import type { Database, Statement } from 'sqlite3';
import type { DriverConnection, OwnedConnection } from './lend';

const prepare = (raw: Database, sql: string): Promise<Statement> =>
  new Promise((resolve, reject) => {
    // What is asked of a statement that could not be prepared is never answered, so the answer is awaited.
    const prepared = raw.prepare(sql, (error: Error | null) =>
      error === null ? resolve(prepared) : reject(error),
    );
  });

/** Runs to the end of the rows: a statement that stops before keeps its lock. */
const run = (prepared: Statement, values: readonly unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    prepared.all(values, (error: Error | null, rows: unknown[]) =>
      error === null ? resolve(rows) : reject(error),
    );
  });

export const sqliteConnection = (raw: Database & DriverConnection): OwnedConnection => {
  const statements = new Map<string, Statement>();

  const all = async (sql: string, values: readonly unknown[]): Promise<unknown[]> => {
    let prepared = statements.get(sql);
    if (prepared === undefined) {
      prepared = await prepare(raw, sql);
      statements.set(sql, prepared);
    }
    return run(prepared, values);
  };

  return {
    all,
    async begin() {
      await all('BEGIN IMMEDIATE', []);
    },
    async commit() {
      await all('COMMIT', []);
    },
    async rollback() {
      await all('ROLLBACK', []);
    },
    release() {
      for (const prepared of statements.values()) prepared.finalize();
      statements.clear();
    },
  };
};
