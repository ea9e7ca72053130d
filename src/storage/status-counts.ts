/** How many resources have each status, counted as they change, so that nobody ever has to count them all. */

import { randomInt } from 'node:crypto';
import type { Database, Runner } from './database';
import { slot } from './statement';

/** Counts of one service's resources of one table. */
export interface StatusCounts {
  /** Says that a resource's status changed; undefined where it had or has none. */
  move(trx: Runner, before: string | undefined, after: string | undefined): Promise<void>;
  /** Only statuses that some resource has. */
  read(): Promise<ReadonlyMap<string, number>>;
}

/** Each process counts in a row of its own, most likely, so that processes do not wait for one another. */
const shards = 64;

/** Makes the counts. */
export const statusCounts = (db: Database, service: string): StatusCounts => {
  const { knex, prepare } = db;
  const shard = randomInt(shards);
  const add = prepare<{ status: string; by: number }, never>(
    knex('status_counts')
      .insert({ service, status: slot('status'), shard, count: slot('by') })
      .onConflict(['service', 'status', 'shard'])
      .merge({ count: knex.raw('?? + ??', ['status_counts.count', 'excluded.count']) }),
  );
  const sum = prepare<Record<string, never>, { status: string; count: number | string }>(
    knex('status_counts')
      .where({ service })
      .groupBy('status')
      .select('status')
      .sum({ count: 'count' }),
  );
  return {
    async move(trx, before, after) {
      if (before === after) return;
      if (before !== undefined) await trx.all(add, { status: before, by: -1 });
      if (after !== undefined) await trx.all(add, { status: after, by: 1 });
    },

    async read() {
      const rows = await db.all(sum, {});
      return new Map(
        rows.flatMap(({ status, count }) => (Number(count) > 0 ? [[status, Number(count)]] : [])),
      );
    },
  };
};
