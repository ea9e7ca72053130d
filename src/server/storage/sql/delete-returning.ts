/** Deletes rows and gives what was in them, which Knex leaves out for SQLite. */

import type { Knex } from 'knex';

/** Adds `returning` to a query that deletes. */
export const deleteReturning = (
  knex: Knex,
  rows: Knex.QueryBuilder,
  columns: readonly (string | Knex.Raw)[],
): Knex.Raw =>
  knex.raw(`?? returning ${columns.map(() => '??').join(', ')}`, [rows.delete(), ...columns]);
