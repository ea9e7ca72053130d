/** The indexes of a collection, and how they follow its items. */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { CollectionIndex } from './field-values';
import type { ItemPagesOf } from './item-pages';
import { lookupIndex } from './lookup-index';
import { valueCounts } from './value-counts';

/** The indexes that this process writes, by database and collection. */
const writtenOf = new WeakMap<Database, Map<number, CollectionIndex[]>>();

/**
 * Gives the list of the indexes that this process writes when an item of the collection changes; an index that is added to it
 * is written from then on. All applications of a process share the list: while one takes over from another, each also writes
 * the indexes that only the other declares.
 */
export const writtenIndexes = (db: Database, collection: number): CollectionIndex[] => {
  const collections = writtenOf.get(db) ?? new Map<number, CollectionIndex[]>();
  writtenOf.set(db, collections);
  const written = collections.get(collection) ?? [];
  collections.set(collection, written);
  return written;
};

/** Makes the kinds of indexes over a collection, and the function that updates those in the list. */
export const collectionIndexes = <Item extends object>(
  db: Database,
  collection: number,
  written: readonly CollectionIndex[],
  pages: ItemPagesOf<Item>,
) => {
  const kinds = { lookup: lookupIndex(db, collection, pages), count: valueCounts(db) };
  return {
    kinds,

    /** Updates the indexes after an item has changed; undefined stands for an item that is new or deleted. */
    async updateIndexes(
      trx: Transaction,
      id: bigint,
      before: Item | undefined,
      after: Item | undefined,
    ): Promise<void> {
      // Read after the row is locked: an index that is being filled is in the list before all rows are locked.
      for (const index of written) {
        await kinds[index.kind].update(trx, index, id, before, after);
      }
    },
  };
};
