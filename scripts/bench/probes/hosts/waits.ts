/** What the connections to a database wait for, seen again and again while it is used. */

import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';

/** One connection that runs a statement. */
interface Active {
  /** As pg_stat_activity calls it: `Lock`, `Timeout` and so on; null where it waits for nothing. */
  readonly kind: string | null;
  readonly event: string | null;
  /** The table of the row that it waits for. */
  readonly relation: string | null;
  readonly query: string;
}

// Who waits for a row holds, or waits for, a lock of the kind `tuple`, which names the table.
const activity = `
  SELECT a.wait_event_type AS kind, a.wait_event AS event, a.query, (
    SELECT l.relation::regclass::text FROM pg_locks l
    WHERE l.pid = a.pid AND l.locktype = 'tuple' LIMIT 1
  ) AS relation
  FROM pg_stat_activity a
  WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.state = 'active'`;

/** What was seen. */
export interface Waits {
  readonly samples: number;
  /** Connections at a time, on average: those that wait for a lock, and those whose commit is delayed. */
  readonly locked: number;
  readonly committing: number;
  /** What was waited for, most often first: `table (event)` with the number of times. */
  readonly reasons: readonly (readonly [string, number])[];
}

/** The table that a statement names first. */
const tableIn = (query: string): string =>
  /\b(?:into|update|from)\s+"?(\w+)/i.exec(query)?.[1] ?? query.slice(0, 40);

const milliseconds = 10;

/** Looks every few milliseconds until it is told to stop. */
export const watchWaits = (client: Client): { stop(): Promise<Waits> } => {
  const seen: Active[] = [];
  let samples = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      seen.push(...(await client.query<Active>(activity)).rows);
      samples += 1;
      await setTimeout(milliseconds);
    }
  };
  const watching = watch();
  return {
    async stop() {
      isOver = true;
      await watching;
      const locked = seen.filter(({ kind }) => kind === 'Lock');
      const counts = new Map<string, number>();
      for (const { relation, query, event } of locked) {
        const reason = `${relation ?? tableIn(query)} (${event})`;
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
      return {
        samples,
        locked: locked.length / samples,
        committing: seen.filter(({ event }) => event === 'PgSleep').length / samples,
        reasons: [...counts].sort(([, one], [, other]) => other - one),
      };
    },
  };
};
