/** Fills indexes that were declared anew, and empties those that are declared no longer, piece by piece beside the requests. */

import { setImmediate } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../connections/database-errors';
import { type RetryDelay, retry } from '../../connections/retry';
import type { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { param } from '../../sql/statement';
import { type DocumentRow, idAsText, itemPages, type TextCodec } from '../lists/item-pages';
import { firstId, type IdRow, lastId } from '../lists/pages';
import { type CollectionIndex, fillStates, type IndexRow } from './collection-index';
import { lookupIndex } from './lookup-index';
import { valueCounts } from './value-counts';

/** Items or entries in one transaction: some ten milliseconds of work. */
export const pieceSize = 200;

/** Does one piece of work; resolves to whether there is more to do. */
export type Piece = () => Promise<boolean>;

/** Makes the pieces that fill an index. */
export const fillIndex = <Item extends object>(
  db: Database,
  collection: number,
  index: CollectionIndex,
  codec: TextCodec<Item>,
): Piece => {
  const { knex, prepare, transaction } = db;
  const states = fillStates(db);
  const lookups = lookupIndex(db, collection, itemPages(db, collection, codec));
  const kinds = { lookup: lookups, count: valueCounts(db) };
  const findNext = prepare<{ from: string }, DocumentRow & IdRow>(
    knex('items')
      .where({ collection })
      .where('id', '>=', param('from'))
      .orderBy('items.id')
      .limit(pieceSize)
      .select(idAsText(knex), 'document', 'format'),
  );
  const setState = prepare<{ key: number; to: string | null; complete: number }, never>(
    knex('collection_indexes')
      .where({ key: param('key') })
      .update({ filled_to: param('to'), is_complete: param('complete') }),
  );
  const { key, kind } = index;
  // An item that the index does not hold yet is as one without any values: it has not just been inserted.
  const nothing = {} as Item;

  /** The items behind the last one that the index holds; behind the greatest int64 there is none. */
  const nextItems = async (trx: Transaction, filledTo: string | null) => {
    if (filledTo === lastId) return [];
    const from = filledTo === null ? firstId : (BigInt(filledTo) + 1n).toString();
    return trx.all(findNext, { from });
  };

  const fill = async (trx: Transaction, filledTo: string | null): Promise<boolean> => {
    const rows = await nextItems(trx, filledTo);
    for (const { id, document } of rows) {
      await kinds[kind].update(trx, index, BigInt(id), nothing, codec.read(document));
    }
    const isComplete = rows.length < pieceSize;
    const to = rows.at(-1)?.id ?? filledTo;
    await trx.run(setState, { key, to, complete: Number(isComplete) });
    return !isComplete;
  };

  return () =>
    transaction(async (trx) => {
      const state = await states.lock(trx, key);
      return state?.is_complete === 0 && fill(trx, state.filled_to);
    });
};

/** Makes the pieces that empty an index, and delete it at last. */
export const dropIndex = (
  { knex, prepare, transaction }: Database,
  { key }: Pick<IndexRow, 'key'>,
): Piece => {
  const some = knex('item_index').where({ index_key: key }).limit(pieceSize).select('value', 'id');
  const removeSome = prepare<Record<string, never>, never>(
    knex.raw('delete from item_index where index_key = ? and (value, id) in (?)', [key, some]),
  );
  const removeCounts = prepare<Record<string, never>, never>(
    knex('value_counts').where({ index_key: key }).delete(),
  );
  const remove = prepare<Record<string, never>, never>(
    knex('collection_indexes').where({ key }).delete(),
  );
  return () =>
    transaction(async (trx) => {
      await trx.run(removeCounts, {});
      if ((await trx.run(removeSome, {})) > 0) return true;
      await trx.run(remove, {});
      return false;
    });
};

/** Does each piece of work once; gives those with more to do. */
export const unfinished = async (pieces: readonly Piece[]): Promise<readonly Piece[]> => {
  const left: Piece[] = [];
  for (const piece of pieces) if (await piece()) left.push(piece);
  return left;
};

/** How often a piece is tried that the database has no time for: about a minute. */
const mostAttempts = 30;

/** What users ask for goes first: a piece that was refused is done when that may be over. */
const whenPossible =
  (signal: AbortSignal): RetryDelay =>
  (error, attempts) => {
    const seconds = error instanceof DatabaseUnavailable ? error.retryAfterSeconds : undefined;
    if (seconds === undefined || signal.aborted || attempts === mostAttempts) throw error;
    return seconds * 1000;
  };

/**
 * Does the pieces one after the other, until all is done or the signal says to stop.
 *
 * @throws whatever a piece throws: what is left is done at the next start
 */
export const runMaintenance = async (
  pieces: readonly Piece[],
  signal: AbortSignal,
): Promise<void> => {
  for (const piece of pieces) {
    const tryPiece = () => retry(piece, whenPossible(signal));
    while (!signal.aborted && (await tryPiece())) await setImmediate();
  }
};
