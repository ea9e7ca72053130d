/** A connection to PostgreSQL whose statements are prepared under names. */

import { createHash } from 'node:crypto';
import { type ClientBase, DatabaseError, type QueryResult } from 'pg';
import type { Connection } from '../connections/database-driver';
import type { Value } from '../sql/statement';

const names = new Map<string, string>();

/** Names are cut off at 63 characters, so the SQL itself does not do. */
const nameOf = (sql: string): string => {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
};

/** Errors are logged: with the row that broke a rule they would reveal hashes and personal data. */
const throwWithoutValues = (error: unknown): never => {
  throw error instanceof DatabaseError
    ? Object.assign(error, { detail: undefined, where: undefined })
    : error;
};

const query = (raw: ClientBase, sql: string, values: readonly Value[]): Promise<QueryResult> =>
  raw.query({ name: nameOf(sql), text: sql, values: [...values] }).catch(throwWithoutValues);

export const postgresConnection = (raw: ClientBase): Connection => ({
  async all(sql, values) {
    const { rows } = await query(raw, sql, values);
    return rows;
  },
  async run(sql, values) {
    const { rowCount } = await query(raw, sql, values);
    return rowCount ?? 0;
  },
  async begin() {
    await raw.query('begin');
  },
  async commit() {
    const { command } = await raw.query('commit');
    // A transaction in which a statement failed is rolled back, and that is no error (PostgreSQL, COMMIT).
    if (command !== 'COMMIT') throw new Error(`The transaction ended by ${command}`);
  },
  async rollback() {
    await raw.query('rollback');
  },
});
