/** An index of a collection, and whether it holds all items yet: one that was declared anew is filled while the service runs. */

import type { MaybePromise } from '../../../engine';
import { DatabaseUnavailable } from '../connections/database-errors';
import type { Database } from '../database/database';
import type { Runner, Transaction } from '../database/transaction';
import { param } from '../sql/statement';

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
  holds(trx: Transaction, id: bigint): MaybePromise<boolean>;
  /** @throws DatabaseUnavailable while it is being filled */
  requireComplete(all: Runner['all']): Promise<void>;
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
  let isComplete = false;

  const update = (states: readonly FillState[]): FillState | undefined => {
    const [state] = states;
    isComplete ||= state?.is_complete === 1;
    return state;
  };

  const holdsById = async (trx: Transaction, id: bigint): Promise<boolean> => {
    await trx.run(touch, { key });
    const filledTo = update(await trx.all(read, { key }))?.filled_to ?? undefined;
    return isComplete || (filledTo !== undefined && id <= BigInt(filledTo));
  };

  return {
    key,
    kind,
    path,
    holds: (trx, id) => isComplete || holdsById(trx, id),
    async requireComplete(all) {
      if (!isComplete) update(await all(read, { key }));
      if (isComplete) return;
      const cause = new Error(`The index of ${path} is being filled`);
      throw new DatabaseUnavailable(
        'The search is being prepared; try again in a moment',
        cause,
        2,
      );
    },
  };
};
