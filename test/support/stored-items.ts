/** The rows that storage has of the items of a collection. */

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

/** Counts the items of a collection. */
export const countItems = async (
  db: Database,
  service: string,
  collection: string,
): Promise<number> => {
  // The drivers give counts as numbers or as text.
  const [row] = await storedItems(db, service, collection).count({ count: '*' });
  return Number(row?.['count']);
};
