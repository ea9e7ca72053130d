/** Fills the collections of a service that has never stored anything. */

import { idsOf } from './collections/ids';
import { leaveOutInvalid } from './collections/item-schema';
import { type Database, within } from './database/database';
import type { Transaction } from './database/transaction';
import type { ServiceStorage } from './storage';

/** Starting a counter decides between processes that look at the same time. */
const isUntouched = async (
  db: Database,
  trx: Transaction,
  service: string,
  names: readonly string[],
): Promise<boolean> => {
  const { knex, prepare } = db;
  const [first = ''] = names;
  if (!(await idsOf(db, service, first).start(trx))) return false;
  const any = knex('items')
    .join('collections', 'collections.key', 'items.collection')
    .where({ service })
    .limit(1)
    .select('collection');
  return (await trx.all(prepare(any), {})).length === 0;
};

/**
 * Adds the items that fit their schema, all or none, where none was ever stored.
 *
 * @param items - by the names of their collections
 * @returns whether it added them
 */
export const seedCollections = (
  db: Database,
  service: string,
  storage: ServiceStorage,
  items: Readonly<Record<string, readonly object[]>>,
): Promise<boolean> =>
  db.transaction(async (trx) => {
    if (!(await isUntouched(db, trx, service, Object.keys(items)))) return false;
    const { collections } = storage.within(within(db, trx));
    for (const [name, added] of Object.entries(items)) {
      for (const item of added) await collections[name]?.insert(item).catch(leaveOutInvalid);
    }
    return true;
  });
