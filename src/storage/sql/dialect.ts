/** Differences between the SQL of SQLite and of PostgreSQL. */

import type { Knex } from 'knex';

/** Checks whether the database is PostgreSQL, or one that is compatible. */
export const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';

/** Adds `returning` to a query that deletes, which Knex leaves out for SQLite. */
export const deleteReturning = (
  knex: Knex,
  rows: Knex.QueryBuilder,
  columns: readonly (string | Knex.Raw)[],
): Knex.Raw =>
  knex.raw(`?? returning ${columns.map(() => '??').join(', ')}`, [rows.delete(), ...columns]);

/** Reads an error's code, of the driver or the system, and its message; one driver's errors are not instances of Error. */
export const errorFacts = (error: unknown): { readonly code: string; readonly message: string } => {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = error;
  return { code: String(code), message: String(message) };
};

/** Checks for the error of a value that must be unique and is in use. SQLite's message says so; PostgreSQL's code is `unique_violation`. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { code, message } = errorFacts(error);
  if (code === '23505') return true;
  return code.startsWith('SQLITE_CONSTRAINT') && message.includes('UNIQUE constraint failed');
};
