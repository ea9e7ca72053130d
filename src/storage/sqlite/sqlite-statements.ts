/** The prepared statements of a connection to SQLite, each prepared at its first use. */

import type { Database, Statement } from 'better-sqlite3';

/** Gives the prepared statement of a SQL text. */
export const statementsOf = (raw: Database): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql) ?? raw.prepare(sql);
    statements.set(sql, known);
    return known;
  };
};
