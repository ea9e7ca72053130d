/** Keeps the indexes of a collection in line with its items. */

import type { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { ItemPagesOf } from '../lists/item-pages';
import type { CollectionIndex } from './collection-index';
import { lookupIndex } from './lookup-index';
import { valueCounts } from './value-counts';

/** Makes the kinds of indexes over a collection, and what updates all that it has. */
export const collectionIndexes = <Item extends object>(
  db: Database,
  collection: number,
  indexes: readonly CollectionIndex[],
  pages: ItemPagesOf<Item>,
) => {
  const kinds = { lookup: lookupIndex(db, collection, pages), count: valueCounts(db) };
  return {
    kinds,

    /** Says that an item has changed; undefined where it is new or deleted. */
    async updateIndexes(
      trx: Transaction,
      id: bigint,
      before: Item | undefined,
      after: Item | undefined,
    ): Promise<void> {
      for (const index of indexes) {
        if (!(await index.holds(trx, id))) continue;
        await kinds[index.kind].update(trx, index, id, before, after);
      }
    },
  };
};
