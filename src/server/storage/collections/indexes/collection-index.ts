/** An index of a collection, and whether it holds all items yet: one that was declared anew is filled while the service runs. */

import { DatabaseUnavailable } from '../../connections/database-errors';
import type { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { param } from '../../sql/statement';

/** `lookup`: items are found by the values of a field; `count`: its values are counted. */
export type IndexKind = 'lookup' | 'count';

/** A row of the table `collection_indexes`. */
export interface IndexRow {
  readonly key: number;
  readonly kind: IndexKind;
  readonly path: string;
}

export interface CollectionIndex extends IndexRow {
  /** Whether it holds the item under the id by now; one that is being filled holds those up to some id. */
  holds(trx: Transaction, id: bigint): Promise<boolean>;
  /** Whether it holds all items. Once it does, the database is not asked again. */
  isComplete(): Promise<boolean>;
  /** @throws DatabaseUnavailable while it is being filled */
  requireComplete(): Promise<void>;
}

/** How far an index is filled: up to the item of this id, in decimal digits. */
export interface FillState {
  readonly filled_to: string | null;
  readonly is_complete: number;
}

/** Reads how far an index is filled; `lock` keeps others from filling on. */
export const fillStates = ({ knex, prepare }: Pick<Database, 'knex' | 'prepare'>) => {
  const state = () =>
    knex('collection_indexes')
      .where({ key: param('key') })
      .select(knex.raw('cast(?? as text) as ??', ['filled_to', 'filled_to']), 'is_complete');
  return {
    read: prepare<{ key: number }, FillState>(state()),
    lock: prepare<{ key: number }, FillState>(state().forUpdate()),
  };
};

/** Makes what watches an index. Once it is complete, nothing more is asked. */
export const collectionIndex = (db: Database, row: IndexRow): CollectionIndex => {
  const { knex, prepare } = db;
  const { read } = fillStates(db);
  const { key, kind, path } = row;
  // Locks the row by changing it: at REPEATABLE READ, who waited for a lock alone would fill on from what it saw before.
  const touch = prepare<{ key: number }, never>(
    knex('collection_indexes')
      .where({ key: param('key') })
      .update({ is_complete: knex.ref('is_complete') }),
  );
  let isKnownComplete = false;

  /** Outside of any transaction: what one has done and not committed may be undone. */
  const isComplete = async (): Promise<boolean> => {
    if (!isKnownComplete) {
      const [state] = await db.all(read, { key });
      isKnownComplete = state?.is_complete === 1;
    }
    return isKnownComplete;
  };

  const holdsById = async (trx: Transaction, id: bigint): Promise<boolean> => {
    if (await isComplete()) return true;
    await trx.run(touch, { key });
    const [state] = await trx.all(read, { key });
    if (state === undefined || state.is_complete === 1) return state !== undefined;
    return state.filled_to !== null && id <= BigInt(state.filled_to);
  };

  return {
    key,
    kind,
    path,
    isComplete,
    holds: async (trx, id) => isKnownComplete || holdsById(trx, id),
    async requireComplete() {
      if (await isComplete()) return;
      const cause = new Error(`The index of ${path} is being filled`);
      throw new DatabaseUnavailable(
        'The search is being prepared; try again in a moment',
        cause,
        2,
      );
    },
  };
};
