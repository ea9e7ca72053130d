/** The indexes of a collection: the values by which items are found and counted, and how they follow the items. */

import type { Knex } from 'knex';
import { memoize } from '../../base/memoize';
import { isPlainObject } from '../../base/plain-object';
import type { SerializedItems } from '../../engine';
import type { Database, Runner, Transaction } from '../database/database';
import { isPostgres, searchKey } from '../sql/dialect';
import { listStatement, orderAndLimit, param, paramsOf, type Values } from '../sql/statement';
import { type IdRow, type ItemPagesOf, idAsText, mergedIds, rowPage } from './item-pages';
import { itemKey, type SortKind } from './sort-keys';

interface IndexOfKind<Kind> {
  readonly key: number;
  readonly kind: Kind;
  readonly path: string;
}

/** An index whose keys sort items. */
export type SortedIndex = IndexOfKind<SortKind>;

/**
 * An index of a collection: a row of the table `collection_indexes`. By a `lookup` items are found by the values of a field; a `count`
 * counts its values.
 */
export type CollectionIndex = IndexOfKind<'lookup' | 'count'> | SortedIndex;

/** Tells whether an index sorts items. */
export const isSorted = (index: CollectionIndex): index is SortedIndex =>
  index.kind !== 'lookup' && index.kind !== 'count';

/** Adds the values at a path, from its step `at` on. */
const addValues = (
  values: Set<string>,
  value: unknown,
  path: readonly string[],
  at: number,
): void => {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) addValues(values, element, path, at);
    return;
  }
  const name = path[at];
  if (name === undefined) values.add(searchKey(String(value)));
  else if (isPlainObject(value)) addValues(values, value[name], path, at + 1);
};

const stepsOf = memoize((path: string): readonly string[] => path.split('.'), { max: 1000 });

/**
 * Finds the values at a path (`status`, `tags.name`) as indexes store them, each once. An absent field and null have none.
 *
 * @param item - undefined where there is no item
 */
export const fieldValues = (item: unknown, path: string): ReadonlySet<string> => {
  if (item === undefined) return new Set();
  const values = new Set<string>();
  addValues(values, item, stepsOf(path), 0);
  return values;
};

const without = (values: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...values].filter((value) => !others.has(value));

/** Brings an index in line with a change of an item, which is undefined before where it is new, and after where it is deleted. */
type UpdateIndex<Index> = (
  trx: Transaction,
  index: Index,
  id: bigint,
  before: object | undefined,
  after: object | undefined,
) => Promise<void>;

/** The index entries of one collection, in the table `item_index`. */
const lookupIndex = <Item extends object>(
  { knex, prepare }: Database,
  collection: number,
  pages: ItemPagesOf<Item>,
) => {
  const tables = ['item_index'];
  const item = knex('items')
    .where({ collection, id: param('id') })
    .select('key');
  const remove = listStatement<never>((values) =>
    prepare(
      knex('item_index')
        .where({ index_key: param('index'), id: param('id') })
        .whereIn('value', values)
        .delete(),
      tables,
    ),
  );
  const insert = listStatement<never>((values) => {
    const entry = { index_key: param('index'), id: param('id'), item };
    const rows = values.map((value) => ({ ...entry, value }));
    return prepare(knex('item_index').insert(rows).onConflict().ignore(), tables);
  });
  const entries = () =>
    knex('item_index')
      .where({ index_key: param('index'), value: param('value') })
      .where('item_index.id', '>=', param('from'))
      .orderByRaw(...orderAndLimit('item_index.id'));
  const findIds = prepare<Values, IdRow>(entries().select(idAsText(knex)), tables);
  const ofValue = pages.ofIndex(entries);

  const update: UpdateIndex<CollectionIndex> = async (trx, { key, path }, id, before, after) => {
    const values = { index: key, id: id.toString() };
    const [old, current] = [fieldValues(before, path), fieldValues(after, path)];
    const changes = [
      ...remove(without(old, current), values),
      ...insert(without(current, old), values),
    ];
    for (const [statement, parameters] of changes) await trx.send(statement, parameters);
  };

  return {
    update,

    /** Items that have any of the values, each once, in the order of ids. */
    find(
      all: Runner['all'],
      { key: index }: CollectionIndex,
      given: readonly unknown[],
    ): AsyncIterable<SerializedItems<Item>> {
      const values = [...new Set(given.map((value) => searchKey(String(value))))];
      const [value, ...more] = values;
      if (value !== undefined && more.length === 0) return ofValue(all, { index, value });
      const lists = values.map(
        (one) => async (from: string, limit: number) =>
          rowPage(await all(findIds, { index, value: one, from, limit })),
      );
      return pages.ofIds(all, mergedIds(lists));
    },
  };
};

/** Composes the statement that adds rows of counts, a new one or to the count that is there. */
export const countsAdded = (knex: Knex, rows: object): Knex.QueryBuilder =>
  knex('value_counts')
    .insert(rows)
    .onConflict(['index_key', 'value', 'shard'])
    .merge({ count: knex.raw('?? + ??', ['value_counts.count', 'excluded.count']) });

/** The counts of all collections, in the table `value_counts`. */
export const valueCounts = ({ knex, prepare }: Database) => {
  // Transactions at the same time count in rows of their own, so that they do not wait for one another; SQLite has one at a time.
  const shards = 64;
  const shard = isPostgres(knex) ? knex.raw('txid_current() % ?', [shards]) : 0;
  const tables = ['value_counts'];
  const add = prepare<{ index: number; value: string; by: number }, never>(
    countsAdded(knex, {
      index_key: param('index'),
      value: param('value'),
      shard,
      count: param('by'),
    }),
    tables,
  );
  const sum = prepare<{ index: number }, { value: string; count: number }>(
    knex('value_counts')
      .where('index_key', param('index'))
      .groupBy('value')
      .select('value')
      .sum({ count: 'count' }),
    tables,
  );

  const update: UpdateIndex<CollectionIndex> = async (trx, { key, path }, _id, before, after) => {
    const [old] = fieldValues(before, path);
    const [value] = fieldValues(after, path);
    if (old === value) return;
    if (old !== undefined) await trx.send(add, { index: key, value: old, by: -1 });
    if (value !== undefined) await trx.send(add, { index: key, value, by: 1 });
  };

  return {
    update,

    async read(all: Runner['all'], index: CollectionIndex): Promise<Record<string, number>> {
      const rows = await all(sum, { index: index.key });
      return Object.fromEntries(
        rows.flatMap(({ value, count }) => (count > 0 ? [[value, count]] : [])),
      );
    },
  };
};

/** The keys by which items are sorted, in the table `item_sort_keys`: one of each item, also of those without a value. */
const sortIndex = ({ knex, prepare }: Database): UpdateIndex<SortedIndex> => {
  const tables = ['item_sort_keys'];
  const set = prepare<{ index: number; id: string; key: string }, never>(
    knex('item_sort_keys')
      .insert({ index_key: param('index'), ...paramsOf(['id', 'key']) })
      .onConflict(['index_key', 'id'])
      .merge(['key']),
    tables,
  );
  const remove = prepare<{ index: number; id: string }, never>(
    knex('item_sort_keys')
      .where({ index_key: param('index'), id: param('id') })
      .delete(),
    tables,
  );
  return async (trx, { key: index, kind, path }, id, before, after) => {
    const entry = { index, id: id.toString() };
    if (after === undefined) return trx.send(remove, entry);
    const key = itemKey(after, path, kind);
    if (before !== undefined && itemKey(before, path, kind) === key) return undefined;
    return trx.send(set, { ...entry, key });
  };
};

/** Makes the kinds of indexes over a collection, and the function that updates those in the list. */
export const collectionIndexes = <Item extends object>(
  db: Database,
  collection: number,
  written: readonly CollectionIndex[],
  pages: ItemPagesOf<Item>,
) => {
  const kinds = { lookup: lookupIndex(db, collection, pages), count: valueCounts(db) };
  const updateSort = sortIndex(db);
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
        if (isSorted(index)) await updateSort(trx, index, id, before, after);
        else await kinds[index.kind].update(trx, index, id, before, after);
      }
    },
  };
};

/** Gives the changes that this process makes in one database, as far as indexes must know of them. */
const writingOf = memoize((_db: Database) => ({
  /** The indexes that are written when an item of a collection changes, by the key of the collection. */
  written: new Map<number, CollectionIndex[]>(),
  /** Transactions that are under way, or wait for their turn. */
  running: new Set<Promise<unknown>>(),
}));

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
      const end = (): void => void running.delete(change);
      change.then(end, end);
      return change;
    },
  };
};

/** Waits for all transactions that are under way: they may not know an index that was added to a list since they began. */
export const changesEnded = async (db: Database): Promise<void> => {
  await Promise.allSettled(writingOf(db).running);
};
