/** Counts of the items that have each value in a field, kept as items change, so that they are never all read for it. */

import type { Database } from '../database/database';
import type { Runner, Transaction } from '../database/transaction';
import { isPostgres } from '../sql/dialect';
import { param } from '../sql/statement';
import { type CollectionIndex, fieldValues } from './field-values';

/** Transactions at the same time count in rows of their own, so that they do not wait for one another. */
const shards = 64;

/** The counts of all collections, in the table `value_counts`. */
export const valueCounts = ({ knex, prepare }: Database) => {
  // SQLite has one transaction at a time.
  const shard = isPostgres(knex) ? knex.raw('txid_current() % ?', [shards]) : 0;
  const tables = ['value_counts'];
  const add = prepare<{ index: number; value: string; by: number }, never>(
    knex('value_counts')
      .insert({ index_key: param('index'), value: param('value'), shard, count: param('by') })
      .onConflict(['index_key', 'value', 'shard'])
      .merge({ count: knex.raw('?? + ??', ['value_counts.count', 'excluded.count']) }),
    tables,
  );
  const sum = prepare<{ index: number }, { value: string; count: number | string }>(
    knex('value_counts')
      .where({ index_key: param('index') })
      .groupBy('value')
      .select('value')
      .sum({ count: 'count' }),
    tables,
  );

  return {
    /** Counts the change of an item; undefined where it is new or deleted. */
    async update(
      trx: Transaction,
      { key, path }: CollectionIndex,
      _id: bigint,
      before: object | undefined,
      after: object | undefined,
    ): Promise<void> {
      const [old] = fieldValues(before, path);
      const [value] = fieldValues(after, path);
      if (old === value) return;
      if (old !== undefined) await trx.send(add, { index: key, value: old, by: -1 });
      if (value !== undefined) await trx.send(add, { index: key, value, by: 1 });
    },

    /** Reads the counts of the values that any item has. */
    async read(all: Runner['all'], index: CollectionIndex): Promise<Record<string, number>> {
      const rows = await all(sum, { index: index.key });
      return Object.fromEntries(
        rows.flatMap(({ value, count }) => (Number(count) > 0 ? [[value, Number(count)]] : [])),
      );
    },
  };
};
