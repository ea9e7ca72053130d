/** The values by which items are found. */

import type { Database } from '../database/database';
import type { Runner, Transaction } from '../database/transaction';
import { listStatement } from '../sql/list-statement';
import { searchKey } from '../sql/search-key';
import { orderAndLimit, param } from '../sql/statement';
import { type CollectionIndex, fieldValues } from './field-values';
import {
  type IdRow,
  type ItemPages,
  type ItemPagesOf,
  idAsText,
  mergedIds,
  type Page,
} from './item-pages';

type From = Readonly<{ index: number; value: string; from: string; limit: number }>;

const without = (values: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...values].filter((value) => !others.has(value));

/** The index entries of one collection, in the table `item_index`. */
export const lookupIndex = <Item extends object>(
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
  const findIds = prepare<From, IdRow>(entries().select(idAsText(knex)), tables);
  const ofValue = pages.ofIndex(entries);

  async function* pagesOf(
    all: Runner['all'],
    index: CollectionIndex,
    values: readonly string[],
  ): AsyncGenerator<Page<Item>> {
    const [value, ...more] = values;
    const { key } = index;
    if (value !== undefined && more.length === 0) {
      yield* ofValue(all, { index: key, value });
      return;
    }
    const lists = values.map(
      (one) => (from: string, limit: number) =>
        all(findIds, { index: key, value: one, from, limit }),
    );
    yield* pages.ofIds(all, mergedIds(lists));
  }

  return {
    /**
     * Stores the item's values in place of those it had.
     * @param before - undefined where it is new
     * @param after - undefined where it is deleted
     */
    async update(
      trx: Transaction,
      { key, path }: CollectionIndex,
      itemId: bigint,
      before: Item | undefined,
      after: Item | undefined,
    ): Promise<void> {
      const values = { index: key, id: itemId.toString() };
      const [old, current] = [fieldValues(before, path), fieldValues(after, path)];
      const changes = [
        ...remove(without(old, current), values),
        ...insert(without(current, old), values),
      ];
      for (const [statement, parameters] of changes) await trx.send(statement, parameters);
    },

    /** Items that have any of the values, each once, in the order of ids. */
    find: (
      all: Runner['all'],
      index: CollectionIndex,
      values: readonly unknown[],
    ): ItemPages<Item> =>
      pagesOf(all, index, [...new Set(values.map((value) => searchKey(String(value))))]),
  };
};
