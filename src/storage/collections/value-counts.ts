/** How many items have each value in a field, counted as they change, so that nobody ever has to count them all. */

import { randomInt } from 'node:crypto';
import type { Database } from '../database/database';
import type { Runner, Transaction } from '../database/transaction';
import { isPostgres } from '../sql/dialect';
import { param } from '../sql/statement';
import { type CollectionIndex, fieldValues } from './field-values';

/** Each process, or each connection, counts in a row of its own, most likely, so that they do not wait for one another. */
const shards = 64;

interface Change {
  readonly index: number;
  readonly value: string;
  by: number;
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1;

/** The counts of all collections, in the table `value_counts`. */
export const valueCounts = ({ knex, prepare }: Database) => {
  const shard = isPostgres(knex) ? knex.raw('pg_backend_pid() % ?', [shards]) : randomInt(shards);
  const add = prepare<{ index: number; value: string; by: number }, never>(
    knex('value_counts')
      .insert({ index_key: param('index'), value: param('value'), shard, count: param('by') })
      .onConflict(['index_key', 'value', 'shard'])
      .merge({ count: knex.raw('?? + ??', ['value_counts.count', 'excluded.count']) }),
  );
  const sum = prepare<{ index: number }, { value: string; count: number | string }>(
    knex('value_counts')
      .where({ index_key: param('index') })
      .groupBy('value')
      .select('value')
      .sum({ count: 'count' }),
  );

  /** What has changed in a transaction; written in one order, so that processes do not wait for each other. */
  const changesIn = (trx: Transaction): Map<string, Change> =>
    trx.memory(add, (beforeCommit) => {
      const changes = new Map<string, Change>();
      beforeCommit.push(async () => {
        for (const [, { index, value, by }] of [...changes].sort(byKey)) {
          if (by !== 0) await trx.send(add, { index, value, by });
        }
      });
      return changes;
    });

  return {
    /** Says that an item has changed; undefined where it is new or deleted. */
    update(
      trx: Transaction,
      { key, path }: CollectionIndex,
      _id: bigint,
      before: object | undefined,
      after: object | undefined,
    ): void {
      const [old] = fieldValues(before, path);
      const [value] = fieldValues(after, path);
      if (old === value) return;
      const changes = changesIn(trx);
      const count = (counted: string | undefined, by: number): void => {
        if (counted === undefined) return;
        const name = `${key} ${counted}`;
        const change = changes.get(name) ?? { index: key, value: counted, by: 0 };
        changes.set(name, change);
        change.by += by;
      };
      count(old, -1);
      count(value, 1);
    },

    /** Only values that some item has. */
    async read(all: Runner['all'], index: CollectionIndex): Promise<Record<string, number>> {
      const rows = await all(sum, { index: index.key });
      return Object.fromEntries(
        rows.flatMap(({ value, count }) => (Number(count) > 0 ? [[value, Number(count)]] : [])),
      );
    },
  };
};
