/** Where SQLite and PostgreSQL have words of their own. */

import type { Knex } from 'knex';

/** Whether the database is PostgreSQL, or one that is compatible. */
export const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';

/** Adds `returning` to a query that deletes, which Knex leaves out for SQLite. */
export const deleteReturning = (
  knex: Knex,
  rows: Knex.QueryBuilder,
  columns: readonly (string | Knex.Raw)[],
): Knex.Raw =>
  knex.raw(`?? returning ${columns.map(() => '??').join(', ')}`, [rows.delete(), ...columns]);

/** An error's code, of the driver or the system, and its message; one driver's errors are no instances of Error. */
export const errorFacts = (error: unknown): { readonly code: string; readonly message: string } => {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = error;
  return { code: String(code), message: String(message) };
};

/** A value that must be unique is in use. SQLite says it in words behind a general code; PostgreSQL's is `unique_violation`. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { code, message } = errorFacts(error);
  if (code === '23505') return true;
  return code.startsWith('SQLITE_CONSTRAINT') && message.includes('UNIQUE constraint failed');
};

/** A value that must be there is NULL (PostgreSQL: `not_null_violation`). */
export const isNullViolation = (error: unknown): boolean => errorFacts(error).code === '23502';
