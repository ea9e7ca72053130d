/** Differences between the SQL of SQLite and of PostgreSQL, and keys of texts within the bounds of both. */

import { hash } from 'node:crypto';
import type { Knex } from 'knex';

/** Checks whether the database is PostgreSQL, or one that is compatible. */
export const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';

/** Quotes a name, as both databases have it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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

/**
 * Makes the key by which a text of any length is found: a short text itself; of a longer one, the beginning and a digest, which are
 * longer than any short one.
 */
export const searchKey = (text: string): string => {
  // UTF-8 takes four bytes for a character at most; PostgreSQL indexes some 2,700 bytes.
  const longest = 200;
  // The one character that PostgreSQL does not store.
  const nul = '\u0000';
  if (text.length <= longest && !text.includes(nul)) return text;
  const beginning = text.slice(0, longest).replaceAll(nul, ' ').padEnd(longest);
  return `${beginning}${hash('sha256', text)}`;
};
