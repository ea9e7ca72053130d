/**
 * Brings what is stored into the format of today's document, piece by piece beside the requests. What does not fit stays as it is,
 * and is marked by its format, so that it is checked once, and counted by an index.
 */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';
import type { CollectionIndex } from './indexes/collection-index';
import { type Piece, pieceSize } from './indexes/maintain-indexes';
import { collectionIndexes } from './indexes/update-indexes';
import { type DocumentRow, idAsText, itemPages, type TextCodec } from './lists/item-pages';
import { firstId, type IdRow, lastId } from './lists/pages';

/** The fault of one item: its id is for the log alone. */
export const misfitError = (service: string, name: string, id: bigint | string): Error =>
  new Error(
    `${service}/${name}/${id}: what is stored does not fit the document; npm run admin -- data check --service ${service} says why`,
  );

/** What was read, which is undefined where it does not fit. */
export const requireFitting = <Item>(
  item: Item | undefined,
  ...place: Parameters<typeof misfitError>
): Item => {
  if (item === undefined) throw misfitError(...place);
  return item;
};

/** A collection whose items are to be brought into the format of its codec. */
export interface FittedCollection<Item> {
  readonly service: string;
  readonly name: string;
  /** Its row in the table `collections`. */
  readonly key: number;
  readonly indexes: readonly CollectionIndex[];
  readonly codec: TextCodec<Item>;
}

/** How far the items were brought into a format: up to the item of this id, in decimal digits. */
interface FitState {
  readonly fitted_format: string | null;
  readonly fitted_to: string | null;
  readonly is_fitted: number;
}

/** An item as it is stored. */
export type ItemRow = DocumentRow & IdRow;

type ItemValues = Readonly<Record<'id' | 'document' | 'format', string>>;

/** Reads and writes items page by page, and their indexes with them. */
export const storedItems = <Item extends object>(
  db: Database,
  { key, indexes, codec }: Omit<FittedCollection<Item>, 'service' | 'name'>,
) => {
  const { knex, prepare } = db;
  const { updateIndexes } = collectionIndexes(db, key, indexes, itemPages(db, key, codec));
  const page = () =>
    knex('items')
      .where({ collection: key })
      .where('id', '>=', param('from'))
      .orderBy('items.id')
      .limit(pieceSize)
      .select(idAsText(knex), 'document', 'format');
  const find = prepare<{ from: string }, ItemRow>(page());
  const lock = prepare<{ from: string }, ItemRow>(page().forUpdate());
  const update = prepare<ItemValues, never>(
    knex('items')
      .where({ collection: key, id: param('id') })
      .update({ document: param('document'), format: param('format') }),
  );
  /** Where to go on behind an item; behind the greatest int64 there is none. */
  const behind = (id: string | null): string =>
    id === null ? firstId : (BigInt(id) + 1n).toString();
  return {
    /** All items behind one, read page by page. */
    async *after(start: string | null): AsyncGenerator<ItemRow> {
      for (let last = start; last !== lastId; ) {
        const rows = await db.all(find, { from: behind(last) });
        yield* rows;
        if (rows.length < pieceSize) return;
        last = rows.at(-1)?.id ?? lastId;
      }
    },
    /** Some items behind one, which nobody else changes meanwhile; none at the end. */
    lock: async (trx: Transaction, after: string | null): Promise<readonly ItemRow[]> =>
      after === lastId ? [] : trx.all(lock, { from: behind(after) }),
    async replace(trx: Transaction, old: ItemRow, document: string, format: string) {
      if (old.document === document && old.format === format) return;
      await trx.run(update, { id: old.id, document, format });
      if (old.document === document) return;
      const [before, after] = [codec.read(old.document), codec.read(document)];
      await updateIndexes(trx, BigInt(old.id), before, after);
    },
  };
};

/** Makes the pieces that bring the items of a collection into the format of its codec. */
export const fitItems = <Item extends object>(
  db: Database,
  collection: FittedCollection<Item>,
): Piece => {
  const { knex, prepare, all, transaction } = db;
  const { service, name, key, codec } = collection;
  const { format } = codec;
  const items = storedItems(db, collection);
  const row = () => knex('collections').where({ key });
  const find = prepare<Record<string, never>, FitState>(
    row().select(
      'fitted_format',
      'is_fitted',
      knex.raw('cast(?? as text) as ??', ['fitted_to', 'fitted_to']),
    ),
  );
  const setState = prepare<{ format: string; to: string | null; fitted: number }, never>(
    row().update({
      fitted_format: param('format'),
      fitted_to: param('to'),
      is_fitted: param('fitted'),
    }),
  );
  // Changes the row to lock it: at REPEATABLE READ, who waited for a lock alone would go on from what it saw before.
  const touch = prepare<Record<string, never>, never>(
    row().update({ is_fitted: knex.ref('is_fitted') }),
  );
  const isFitted = (state: FitState | undefined): boolean =>
    state?.fitted_format === format && state.is_fitted === 1;
  /** Once begun, another format means that a server of another document has taken over. */
  let hasBegun = false;

  const fitPage = async (trx: Transaction, after: string | null): Promise<boolean> => {
    const rows = await items.lock(trx, after);
    for (const old of rows) {
      if (old.format === format || old.format === codec.misfit) continue;
      const brought = codec.bring(old.document);
      await items.replace(trx, old, brought.document, brought.format);
    }
    const isLast = rows.length < pieceSize;
    await trx.run(setState, { format, to: rows.at(-1)?.id ?? after, fitted: Number(isLast) });
    return !isLast;
  };

  const fit = async (trx: Transaction): Promise<boolean> => {
    await trx.run(touch, {});
    const [state] = await trx.all(find, {});
    if (state === undefined || isFitted(state)) return false;
    if (state.fitted_format === format) return fitPage(trx, state.fitted_to);
    return hasBegun ? false : fitPage(trx, null);
  };

  return async () => {
    const [state] = await all(find, {});
    if (isFitted(state)) return false;
    // Behind all counters, before all rows of the collection.
    const hasMore = await transaction(fit, `1 ${service}/${name}/`);
    hasBegun = true;
    return hasMore;
  };
};

/** Counts the items that are marked, by the index of the marks: it takes as long as there are marks. */
export const misfitCounter = <Item>(
  { knex, prepare, all }: Database,
  { key, codec }: Pick<FittedCollection<Item>, 'key' | 'codec'>,
): (() => Promise<number>) => {
  const count = prepare<Record<string, never>, { count: number | string }>(
    knex('items')
      .where({ collection: key, format: codec.misfit })
      .whereRaw("substr(format, 1, 1) = '!'")
      .count({ count: '*' }),
  );
  return async () => Number((await all(count, {}))[0]?.count ?? 0);
};
