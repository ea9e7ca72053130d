/** A connection to SQLite that keeps its prepared statements. */

import type { Database, Statement } from 'sqlite3';
import type { DriverConnection, OwnedConnection } from '../connections/connection-pool';

const prepare = (raw: Database, sql: string): Promise<Statement> =>
  new Promise((resolve, reject) => {
    // What is asked of a statement that could not be prepared is never answered, so the answer is awaited.
    const prepared = raw.prepare(sql, (error: Error | null) =>
      error === null ? resolve(prepared) : reject(error),
    );
  });

/** Runs to the end of the rows: a statement that stops before keeps its lock. */
const rowsOf = (prepared: Statement, values: readonly unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    prepared.all(values, (error: Error | null, rows: unknown[]) =>
      error === null ? resolve(rows) : reject(error),
    );
  });

const changesOf = (prepared: Statement, values: readonly unknown[]): Promise<number> =>
  new Promise((resolve, reject) => {
    prepared.run(values, function (error: Error | null) {
      if (error === null) resolve(this.changes);
      else reject(error);
    });
  });

export const sqliteConnection = (raw: Database & DriverConnection): OwnedConnection => {
  const statements = new Map<string, Statement>();

  const statementOf = async (sql: string): Promise<Statement> => {
    const prepared = statements.get(sql) ?? (await prepare(raw, sql));
    statements.set(sql, prepared);
    return prepared;
  };

  const run = async (sql: string, values: readonly unknown[]): Promise<number> =>
    changesOf(await statementOf(sql), values);

  return {
    run,
    async all(sql, values) {
      return rowsOf(await statementOf(sql), values);
    },
    async begin() {
      await run('BEGIN IMMEDIATE', []);
    },
    async commit() {
      await run('COMMIT', []);
    },
    async rollback() {
      await run('ROLLBACK', []);
    },
    release() {
      for (const prepared of statements.values()) prepared.finalize();
      statements.clear();
    },
  };
};
