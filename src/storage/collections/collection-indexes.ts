/** The indexes of a collection, and how they follow its items. */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { CollectionIndex } from './field-values';
import type { ItemPagesOf } from './item-pages';
import { lookupIndex } from './lookup-index';
import { valueCounts } from './value-counts';

/** The changes that this process makes in one database, as far as indexes must know of them. */
interface IndexWriting {
  /** The indexes that are written when an item of a collection changes, by the key of the collection. */
  readonly written: Map<number, CollectionIndex[]>;
  /** Transactions that are under way, or wait for their turn. */
  readonly running: Set<Promise<unknown>>;
}

const writings = new WeakMap<Database, IndexWriting>();

const writingOf = (db: Database): IndexWriting => {
  const known = writings.get(db) ?? { written: new Map(), running: new Set() };
  writings.set(db, known);
  return known;
};

/**
 * Gives the list of the indexes that this process writes when an item of the collection changes; an index that is added to it
 * is written from then on. All applications of a process share the list: while one takes over from another, each also writes
 * the indexes that only the other declares.
 */
export const writtenIndexes = (db: Database, collection: number): CollectionIndex[] => {
  const { written } = writingOf(db);
  const indexes = written.get(collection) ?? [];
  written.set(collection, indexes);
  return indexes;
};

/** Makes the same database; `changesEnded` waits for its transactions. */
export const trackedDatabase = (db: Database): Database => {
  const { running } = writingOf(db);
  return {
    ...db,
    transaction(work, order) {
      const change = db.transaction(work, order);
      running.add(change);
      const end = (): void => {
        running.delete(change);
      };
      change.then(end, end);
      return change;
    },
  };
};

/** Waits for all transactions that are under way: they may not know an index that was added to a list since they began. */
export const changesEnded = async (db: Database): Promise<void> => {
  await Promise.allSettled(writingOf(db).running);
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
      for (const index of written) {
        await kinds[index.kind].update(trx, index, id, before, after);
      }
    },
  };
};
