/** Fills indexes that are new, and deletes those that are declared no longer, while no item changes. */

import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { retry } from '../connections/database-driver';
import { DatabaseUnavailable } from '../connections/database-errors';
import type { Database, Transaction } from '../database/database';
import { errorFacts, isPostgres } from '../sql/dialect';
import { orderAndLimit, param, type Query, type Values } from '../sql/statement';
import { type CollectionIndex, countsAdded, fieldValues, isSorted } from './collection-indexes';
import { type IdRow, idAsText, pagesOf, rowPage } from './item-pages';
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

/** A change of the indexes of a collection. */
interface IndexChange {
  /** The key of the collection. */
  readonly key: number;
  readonly codec: TextCodec<object>;
  /** The indexes to fill. */
  readonly added: readonly CollectionIndex[];
  /** Fills even those that another process has filled meanwhile. */
  readonly fillsAgain: boolean;
  /** The indexes to delete. */
  readonly dropped: readonly Pick<CollectionIndex, 'key'>[];
  readonly progress?: FillProgress | undefined;
}

/** A change of indexes in a transaction. */
class IndexFill {
  readonly #db: Database;
  readonly #trx: Transaction;

  constructor(db: Database, trx: Transaction) {
    this.#db = db;
    this.#trx = trx;
  }

  async change({ key, codec, added, fillsAgain, dropped, progress }: IndexChange): Promise<void> {
    // The first statement, so that what follows sees all that was committed before. Reads go on.
    const { knex } = this.#db;
    if (isPostgres(knex)) await this.#run(knex.raw('lock table items in exclusive mode'));
    // No other process fills any now.
    const filled: CollectionIndex[] = [];
    for (const index of added) {
      if (fillsAgain || (await this.#isIncomplete(index.key))) filled.push(index);
    }
    for (const index of [...dropped, ...filled]) await this.#empty(index.key);
    for (const index of dropped) await this.#run(this.#row(index.key).delete());
    if (filled.length > 0) await this.#fill(key, codec, filled, progress);
    for (const index of filled) await this.#run(this.#row(index.key).update({ is_complete: 1 }));
  }

  #run(query: Query): Promise<number> {
    return this.#trx.run(this.#db.prepare<Values, never>(query), {});
  }

  #row(key: number): Knex.QueryBuilder {
    return this.#db.knex('collection_indexes').where({ key });
  }

  async #isIncomplete(key: number): Promise<boolean> {
    const row = this.#db.prepare(this.#row(key).where({ is_complete: 0 }).select('key'));
    return (await this.#trx.all(row, {})).length === 1;
  }

  /** Deletes the entries of an index. */
  async #empty(key: number): Promise<void> {
    const { knex } = this.#db;
    // Entries that one statement deletes: databases bound the number of its values.
    const entriesAtOnce = 256;
    await this.#run(knex('value_counts').where({ index_key: key }).delete());
    for (const [table, columns] of [
      ['item_index', ['value', 'id']],
      ['item_sort_keys', ['id']],
    ] as const) {
      const some = knex(table).where({ index_key: key }).limit(entriesAtOnce).select(columns);
      const sql = `delete from ${table} where index_key = ? and (${columns.join(', ')}) in ?`;
      while ((await this.#run(knex.raw(sql, [key, some]))) > 0) await setImmediate();
    }
  }

  async #fill(
    collection: number,
    codec: TextCodec<object>,
    indexes: readonly CollectionIndex[],
    progress: FillProgress = () => {},
  ): Promise<void> {
    const { knex, prepare } = this.#db;
    const find = prepare<{ from: string; limit: number }, ItemRow>(
      knex('items')
        .where({ collection })
        .where('id', '>=', param('from'))
        .orderByRaw(...orderAndLimit('items.id'))
        .select(idAsText(knex), knex.raw('cast(?? as text) as ??', ['key', 'key']), 'document'),
    );
    const pages = pagesOf(async (from, limit) =>
      rowPage(await this.#trx.all(find, { from, limit })),
    );
    let told = Date.now();
    let items = 0;
    for await (const { rows } of pages) {
      const read = rows.map((row): ReadItem => [row, codec.read(row.document)]);
      for (const index of indexes) await this.#insert(index, rowsOf(index, read));
      items += rows.length;
      if (Date.now() - told > 1000) {
        progress(items);
        told = Date.now();
      }
      // Requests go on between two pages.
      await setImmediate();
    }
  }

  // Many rows with each statement: on PostgreSQL one for each item takes ten times as long.
  async #insert(index: CollectionIndex, rows: object[]): Promise<void> {
    const { knex, prepare } = this.#db;
    const rowsAtOnce = 64;
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const some = rows.slice(at, at + rowsAtOnce);
      const table = isSorted(index) ? 'item_sort_keys' : 'item_index';
      const insert =
        index.kind === 'count'
          ? countsAdded(knex, some)
          : knex(table).insert(some).onConflict().ignore();
      await this.#trx.send(prepare<Values, never>(insert), {});
    }
  }
}

/**
 * Fills and deletes indexes in one transaction, in which no item changes: changes of all collections wait for it. Page by page,
 * with other work in between. What was stopped begins again from the start.
 *
 * @throws DatabaseUnavailable where the database fails, or another process locks the items for minutes
 */
export const changeIndexes = async (db: Database, change: IndexChange): Promise<void> => {
  if (change.added.length === 0 && change.dropped.length === 0) return;
  await waitForLock(() => db.transaction((trx) => new IndexFill(db, trx).change(change)));
};
