/** Counts events in windows of time, across all processes. */

import type { Database } from './database';

/** What has been counted under one name. */
export interface EventCount {
  readonly name: string;
  readonly count: number;
  /** When the window ends and counting starts anew; milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Counters with a fixed window each: it starts at the first event and lasts as long as that event said. */
export interface EventCountStorage {
  /** Counts one event under each of the names, none of them twice, and resolves to the counts thereafter. */
  add(names: readonly string[], now: number, windowMilliseconds: number): Promise<EventCount[]>;
  /** The counts whose window has not ended. */
  read(names: readonly string[], now: number): Promise<EventCount[]>;
  /** Forgets the counters whose window has ended. */
  forgetExpired(now: number): Promise<void>;
}

// PostgreSQL's driver gives bigint columns as text.
interface EventCountRow {
  readonly name: string;
  readonly count: number | string;
  readonly expires_at: number | string;
}

const columns = ['name', 'count', 'expires_at'];

const toCount = (row: EventCountRow): EventCount => ({
  name: row.name,
  count: Number(row.count),
  expiresAt: Number(row.expires_at),
});

/** Keeps counters in the table `event_counts`; one statement counts, so that processes do not miss each other's events. */
export const knexEventCounts = (db: Database): EventCountStorage => ({
  async add(names, now, windowMilliseconds) {
    const rows: EventCountRow[] = await db('event_counts')
      .insert(names.map((name) => ({ name, count: 1, expires_at: now + windowMilliseconds })))
      .onConflict('name')
      .merge({
        count: db.raw(
          'CASE WHEN event_counts.expires_at > ? THEN event_counts.count + 1 ELSE 1 END',
          [now],
        ),
        expires_at: db.raw(
          'CASE WHEN event_counts.expires_at > ? THEN event_counts.expires_at ELSE excluded.expires_at END',
          [now],
        ),
      })
      .returning(columns);
    return rows.map(toCount);
  },

  async read(names, now) {
    const rows: EventCountRow[] = await db('event_counts')
      .whereIn('name', [...names])
      .where('expires_at', '>', now)
      .select(columns);
    return rows.map(toCount);
  },

  async forgetExpired(now) {
    await db('event_counts').where('expires_at', '<=', now).delete();
  },
});
