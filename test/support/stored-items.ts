/** The rows that storage has: of a table, and of the items of a collection. */

import type { Knex } from 'knex';
import type { Database } from '../../src/storage/database/database';

/** Composes a query of the rows, to be narrowed further. */
export const storedItems = (
  { knex }: Database,
  service: string,
  collection: string,
): Knex.QueryBuilder =>
  knex('items')
    .join('collections', 'collections.key', 'items.collection')
    .where({ service, name: collection });

/** Counts rows; the drivers give counts as numbers or as text. */
const count = async (rows: Knex.QueryBuilder): Promise<number> => {
  const [row] = await rows.count({ count: '*' });
  return Number(row?.['count']);
};

/** Counts the items of a collection. */
export const countItems = (db: Database, service: string, collection: string): Promise<number> =>
  count(storedItems(db, service, collection));

/** Counts the rows of a table. */
export const countRows = ({ knex }: Database, table: string): Promise<number> => count(knex(table));
