/** Texts of many rows, joined by the database: to transfer each of them takes longer than to read it. */

import type { Knex } from 'knex';
import { isPostgres } from './dialect';
import { param } from './statement';

/** The one row of such a query. */
export interface AggregatedRow {
  /** The number of rows; PostgreSQL gives its digits. */
  readonly count: number | string;
  /** The last id in decimal digits; null without rows. */
  readonly last: string | null;
  /** The texts, joined by commas in the order of ids; null without rows, or where one may not be joined. */
  readonly texts: string | null;
}

/**
 * Composes the query. Texts of another format than that in the slot `format` may not be joined, nor may long ones.
 *
 * @param rows - gives `id`, `document` and `format`, in the order of ids
 * @param longest - text that may be joined, in bytes
 */
export const aggregateRows = (
  knex: Knex,
  rows: Knex.QueryBuilder,
  longest: number,
): Knex.QueryBuilder => {
  const fits = knex.raw('octet_length(??) <= ? and ?? = ?', [
    ...['document', longest, 'format'],
    param('format'),
  ]);
  // SQLite joins rows as they come, and they come in the order of the query within.
  const joined = isPostgres(knex)
    ? knex.raw(`string_agg(??, ',' order by ??)`, ['document', 'id'])
    : knex.raw(`group_concat(??, ',')`, ['document']);
  return knex.from(rows.as('page')).select(
    knex.raw('count(*) as ??', ['count']),
    knex.raw('cast(max(??) as text) as ??', ['id', 'last']),
    // What may not be joined is left out of the joining, too: it may be of any length.
    knex.raw(
      'case when count(case when ? then 1 end) = count(*) then ? filter (where ?) end as ??',
      [fits, joined, fits, 'texts'],
    ),
  );
};
