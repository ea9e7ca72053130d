/** How many resources have each status, counted as they change, so that nobody ever has to count them all. */

import { randomInt } from 'node:crypto';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';

/** Counts of one service's resources of one table. */
export interface StatusCounts {
  /** Says that a resource's status changed; undefined where it had or has none. */
  move(trx: Transaction, before: string | undefined, after: string | undefined): void;
  /** Only statuses that some resource has. */
  read(): Promise<ReadonlyMap<string, number>>;
}

/** Each process counts in a row of its own, most likely, so that processes do not wait for one another. */
const shards = 64;

const byStatus = ([one]: [string, number], [other]: [string, number]): number =>
  one < other ? -1 : 1;

/** Makes the counts. */
export const statusCounts = (db: Database, service: string): StatusCounts => {
  const { knex, prepare } = db;
  const shard = randomInt(shards);
  const add = prepare<{ status: string; by: number }, never>(
    knex('status_counts')
      .insert({ service, status: param('status'), shard, count: param('by') })
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
  /** What has changed in a transaction, by status; written in one order, so that processes do not wait for each other. */
  const changesIn = (trx: Transaction): Map<string, number> =>
    trx.memory(add, (beforeCommit) => {
      const changes = new Map<string, number>();
      beforeCommit.push(async () => {
        for (const [status, by] of [...changes].sort(byStatus)) {
          if (by !== 0) await trx.run(add, { status, by });
        }
      });
      return changes;
    });

  const count = (changes: Map<string, number>, status: string | undefined, by: number): void => {
    if (status !== undefined) changes.set(status, (changes.get(status) ?? 0) + by);
  };

  return {
    move(trx, before, after) {
      if (before === after) return;
      const changes = changesIn(trx);
      count(changes, before, -1);
      count(changes, after, 1);
    },

    async read() {
      const rows = await db.all(sum, {});
      return new Map(
        rows.flatMap(({ status, count }) => (Number(count) > 0 ? [[status, Number(count)]] : [])),
      );
    },
  };
};
