/** A connection to SQLite that answers at once, from memory, and leaves waiting for the disk to the event loop. */

import { setTimeout } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import type { Connection } from './engine';

/** A connection and its end. */
export interface SyncConnection extends Connection {
  close(): void;
}

/** How long a change waits for those of other processes, and how often it looks. */
const busyMilliseconds = 5000;
const mostBetweenLooks = 20;

const run = (prepared: Statement, values: readonly unknown[]): unknown[] => {
  if (prepared.reader) return prepared.all(values);
  prepared.run(values);
  return [];
};

/** Takes the write lock. The driver's own waiting would stop the whole process. */
const beginImmediately = async (begin: Statement): Promise<void> => {
  const deadline = performance.now() + busyMilliseconds;
  for (let look = 1; ; look += 1) {
    try {
      begin.run();
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
      if (!isBusy || performance.now() > deadline) throw error;
      await setTimeout(Math.random() * Math.min(mostBetweenLooks, look));
    }
  }
};

/**
 * Wraps a connection.
 *
 * @param sync - resolves when all that was committed will survive the loss of power
 */
export const syncConnection = (raw: Database, sync: () => Promise<void>): SyncConnection => {
  const statements = new Map<string, Statement>();

  const prepared = (sql: string): Statement => {
    const known = statements.get(sql) ?? raw.prepare(sql);
    statements.set(sql, known);
    return known;
  };

  return {
    async all(sql, values) {
      return run(prepared(sql), values);
    },
    begin: () => beginImmediately(prepared('BEGIN IMMEDIATE')),
    async commit() {
      prepared('COMMIT').run();
      await sync();
    },
    async rollback() {
      // Some failures have rolled back already.
      if (raw.inTransaction) prepared('ROLLBACK').run();
    },
    close: () => {
      raw.close();
    },
  };
};
