/** Counts events in windows of time, across all processes. */

import { type Database, lockName } from '../database/database';
import { param } from '../sql/statement';
import { expiredRows } from './tokens';

/** The count of one name. */
export interface EventCount {
  readonly name: string;
  readonly count: number;
  /** The end of the window, when counting starts again from zero; milliseconds since 1970. */
  readonly expiresAt: number;
}

const columns = ['name', 'count', 'expires_at as expiresAt'];

/** The greatest difference in milliseconds between the clocks of processes and hosts, including the delay of a statement. */
const clockSkew = 60_000;

/**
 * Counters in the table `event_counts`. Each has a fixed window, which starts at the first event. A window that ends much later than
 * one window from now was begun by a wrong clock, and counts as ended. One statement counts, so that no event of another process is
 * lost.
 */
export const knexEventCounts = (db: Database) => {
  const { knex, prepare, all, transaction } = db;
  const ifOpen = (value: string, other: string) =>
    knex.raw(
      `case when event_counts.expires_at > ? and event_counts.expires_at <= ? then ${value} else ${other} end`,
      [param('now'), param('latest')],
    );
  /** `latest` is the latest end of a window that a correct clock can have begun. */
  type Window = Readonly<{ name: string; now: number; latest: number }>;
  const add = prepare<Window & Readonly<{ by: number; expiresAt: number }>, EventCount>(
    knex('event_counts')
      .insert({ name: param('name'), count: param('by'), expires_at: param('expiresAt') })
      .onConflict('name')
      .merge({
        count: ifOpen('event_counts.count + excluded.count', 'excluded.count'),
        expires_at: ifOpen('event_counts.expires_at', 'excluded.expires_at'),
      })
      .returning(columns),
    ['event_counts'],
  );
  const subtract = prepare<{ name: string; expiresAt: number; by: number }, never>(
    knex('event_counts')
      .where({ name: param('name'), expires_at: param('expiresAt') })
      .update({ count: knex.raw('?? - ?', ['count', param('by')]) }),
    ['event_counts'],
  );
  const read = prepare<Window, EventCount>(
    knex('event_counts')
      .where('name', param('name'))
      .where('expires_at', '>', param('now'))
      .where('expires_at', '<=', param('latest'))
      .select(columns),
  );

  return {
    /** Counts events, one by default, under each of the names, which differ; resolves to the counts thereafter. */
    add: (
      names: readonly string[],
      now: number,
      windowMilliseconds: number,
      by = 1,
    ): Promise<EventCount[]> => {
      // In one order, so that two processes that count the same never wait for each other.
      const sorted = [...names].sort();
      return transaction(async (trx) => {
        const rows: EventCount[] = [];
        const expiresAt = now + windowMilliseconds;
        const latest = expiresAt + clockSkew;
        for (const name of sorted) {
          rows.push(...(await trx.all(add, { name, by, now, expiresAt, latest })));
        }
        return rows;
      }, lockName.eventCounts(sorted));
    },

    /** Subtracts events that were counted in the window that ends then, if it has not ended. */
    async subtract(name: string, expiresAt: number, by: number): Promise<void> {
      await transaction((trx) => trx.send(subtract, { name, expiresAt, by }));
    },

    /** Reads the counts whose window has not ended. */
    async read(
      names: readonly string[],
      now: number,
      windowMilliseconds: number,
    ): Promise<EventCount[]> {
      const latest = now + windowMilliseconds + clockSkew;
      // Reads that are sent at the same time share a round trip.
      const rows = await Promise.all(names.map((name) => all(read, { name, now, latest })));
      return rows.flat();
    },

    deleteExpired: expiredRows(db, 'event_counts', 'expires_at'),
  };
};

export type EventCountStorage = ReturnType<typeof knexEventCounts>;
