/** Fills indexes that are new, and deletes those that are declared no longer, while no item changes. */

import { setImmediate } from 'node:timers/promises';
import { retry } from '../connections/database-driver';
import { DatabaseUnavailable } from '../connections/database-errors';
import type { Database, Transaction } from '../database/database';
import { errorFacts, isPostgres } from '../sql/dialect';
import { orderAndLimit, param, type Values } from '../sql/statement';
import { type CollectionIndex, fieldValues, isSorted } from './collection-indexes';
import { type IdRow, idAsText, pagesOf } from './item-pages';
import type { TextCodec } from './item-schema';
import { itemKey } from './sort-keys';

/** Receives about once a second the number of items that were put into the new indexes so far. */
export type FillProgress = (items: number) => void;

interface ItemRow extends IdRow {
  readonly key: string;
  readonly document: string;
}

type ReadItem = readonly [ItemRow, object];

/** Does the work again while the items are locked, as they are for long where indexes are filled. */
export const waitForLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retry(work, (error, _attempts, elapsed) => {
    // SQLite's code, PostgreSQL's `lock_not_available`, and that of the queue of changes behind another collection's fill.
    const lockedCodes = /^(?:SQLITE_BUSY|55P03|WAITED_TOO_LONG)/;
    const isLocked =
      error instanceof DatabaseUnavailable && lockedCodes.test(errorFacts(error.cause).code);
    const longestWait = 600_000;
    if (!isLocked || elapsed > longestWait) throw error;
    return 100;
  });

/** Makes the rows of some items in an index: entries, keys, or counts of values. */
const rowsOf = (index: CollectionIndex, items: readonly ReadItem[]): object[] => {
  const { key, path } = index;
  if (isSorted(index)) {
    const { kind } = index;
    return items.map(([{ id }, item]) => ({ index_key: key, id, key: itemKey(item, path, kind) }));
  }
  if (index.kind === 'lookup') {
    return items.flatMap(([{ id, key: itemKey }, item]) =>
      [...fieldValues(item, path)].map((value) => ({ index_key: key, value, id, item: itemKey })),
    );
  }
  const counts = new Map<string, number>();
  for (const [, item] of items) {
    const [value] = fieldValues(item, path);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ index_key: key, value, shard: 0, count }));
};

/**
 * Fills and deletes indexes in one transaction, in which no item changes: changes of all collections wait for it. Page by page,
 * with other work in between. What was stopped begins again from the start.
 *
 * @param added - the indexes to fill; where `fillsAgain`, even those that another process has filled meanwhile
 * @param dropped - the indexes to delete
 * @throws DatabaseUnavailable where the database fails, or another process locks the items for minutes
 */
export const changeIndexes = async (
  db: Database,
  { key: collection, codec }: { readonly key: number; readonly codec: TextCodec<object> },
  added: readonly CollectionIndex[],
  fillsAgain: boolean,
  dropped: readonly Pick<CollectionIndex, 'key'>[],
  progress: FillProgress = () => {},
): Promise<void> => {
  const rowsAtOnce = 64;
  // Entries that one statement deletes, and rows that one inserts: databases bound the number of its values.
  const entriesAtOnce = 256;
  if (added.length === 0 && dropped.length === 0) return;
  const { knex, prepare, transaction } = db;
  const find = prepare<{ from: string; limit: number }, ItemRow>(
    knex('items')
      .where({ collection })
      .where('id', '>=', param('from'))
      .orderByRaw(...orderAndLimit('items.id'))
      .select(idAsText(knex), knex.raw('cast(?? as text) as ??', ['key', 'key']), 'document'),
  );
  const removeSome = (table: string, ...columns: string[]) => {
    const rows = knex(table)
      .where({ index_key: param('key') })
      .limit(entriesAtOnce)
      .select(columns);
    return prepare<{ key: number }, never>(
      knex.raw(`delete from ${table} where index_key = ? and (${columns.join(', ')}) in ?`, [
        param('key'),
        rows,
      ]),
    );
  };
  const removals = [removeSome('item_index', 'value', 'id'), removeSome('item_sort_keys', 'id')];
  const removeCounts = prepare<{ key: number }, never>(
    knex('value_counts')
      .where({ index_key: param('key') })
      .delete(),
  );
  const row = () => knex('collection_indexes').where({ key: param('key') });
  const remove = prepare<{ key: number }, never>(row().delete());
  const complete = prepare<{ key: number }, never>(row().update({ is_complete: 1 }));
  const findIncomplete = prepare<{ key: number }, { key: number }>(
    row().where({ is_complete: 0 }).select('key'),
  );
  const inserts = {
    lookup: (rows: object[]) => knex('item_index').insert(rows).onConflict().ignore(),
    sort: (rows: object[]) => knex('item_sort_keys').insert(rows).onConflict().ignore(),
    count: (rows: object[]) =>
      knex('value_counts')
        .insert(rows)
        .onConflict(['index_key', 'value', 'shard'])
        .merge({ count: knex.raw('?? + ??', ['value_counts.count', 'excluded.count']) }),
  };

  /** The first statement, so that what follows sees all that was committed before. Reads go on. */
  const keepItems = async (trx: Transaction): Promise<void> => {
    if (isPostgres(knex)) {
      await trx.run(prepare<Values, never>(knex.raw('lock table items in exclusive mode')), {});
    }
  };

  const empty = async (trx: Transaction, key: number): Promise<void> => {
    await trx.run(removeCounts, { key });
    for (const removal of removals) {
      while ((await trx.run(removal, { key })) > 0) await setImmediate();
    }
  };

  // Many rows with each statement: on PostgreSQL one for each item takes ten times as long.
  const insertRows = async (
    trx: Transaction,
    index: CollectionIndex,
    rows: object[],
  ): Promise<void> => {
    const kind = isSorted(index) ? 'sort' : index.kind;
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const insert = inserts[kind](rows.slice(at, at + rowsAtOnce));
      await trx.send(prepare<Values, never>(insert), {});
    }
  };

  const fill = async (trx: Transaction, indexes: readonly CollectionIndex[]): Promise<void> => {
    const pages = pagesOf(async (from, limit) => {
      const rows = await trx.all(find, { from, limit });
      return { rows, count: rows.length, last: rows.at(-1)?.id ?? null };
    });
    let told = Date.now();
    let items = 0;
    for await (const { rows } of pages) {
      const read = rows.map((row): ReadItem => [row, codec.read(row.document)]);
      for (const index of indexes) await insertRows(trx, index, rowsOf(index, read));
      items += rows.length;
      if (Date.now() - told > 1000) {
        progress(items);
        told = Date.now();
      }
      // Requests go on between two pages.
      await setImmediate();
    }
  };

  /** The indexes to fill, now that no other process fills any. */
  const unfilled = async (trx: Transaction): Promise<readonly CollectionIndex[]> => {
    if (fillsAgain) return added;
    const incomplete = await Promise.all(added.map(({ key }) => trx.all(findIncomplete, { key })));
    return added.filter((_, at) => incomplete[at]?.length === 1);
  };

  const change = async (trx: Transaction): Promise<void> => {
    await keepItems(trx);
    const indexes = await unfilled(trx);
    for (const { key } of [...dropped, ...indexes]) await empty(trx, key);
    for (const { key } of dropped) await trx.run(remove, { key });
    if (indexes.length > 0) await fill(trx, indexes);
    for (const { key } of indexes) await trx.run(complete, { key });
  };

  await waitForLock(() => transaction(change));
};
