/** A connection to SQLite whose statements run synchronously, while syncing the disk is waited for off the event loop. */

import type { Database, Statement } from 'better-sqlite3';
import type { Connection } from '../connections/database-driver';
import { commitOutcomeUnknown } from '../connections/database-errors';
import { lockTimeout, retryWhileBusy } from './retry-while-busy';
import { type InvalidatedTables, sqliteChanges } from './sqlite-changes';
import { statementsOf } from './sqlite-statements';

/** A connection and its end. */
export interface SyncConnection extends Connection {
  /** What has changed since the last call, by this connection or another. */
  takeChanges(): InvalidatedTables;
  /** Runs a statement outside of any transaction; undefined while there is one, or where the statement does not only read. */
  allOutside(sql: string, values: readonly unknown[]): unknown[] | undefined;
  close(): void;
}

/**
 * Wraps a connection.
 *
 * @param sync - resolves when all that was committed will survive the loss of power
 */
export const syncConnection = (raw: Database, sync: () => Promise<void>): SyncConnection => {
  const prepared = statementsOf(raw);
  const changes = sqliteChanges(raw);

  /** Prepared, and its changes are noted. */
  const noted = (sql: string): Statement => {
    const statement = prepared(sql);
    if (!statement.readonly) changes.note(sql);
    return statement;
  };

  return {
    takeChanges: changes.take,
    allOutside(sql, values) {
      if (raw.inTransaction) return undefined;
      const statement = prepared(sql);
      return statement.readonly ? statement.all(values) : undefined;
    },
    all: async (sql, values) => noted(sql).all(values),
    run: async (sql, values) => noted(sql).run(values).changes,
    async begin() {
      // The driver's own waiting would stop the whole process.
      await retryWhileBusy(async () => prepared('BEGIN IMMEDIATE').run(), lockTimeout.usual);
      changes.begin();
    },
    async commit() {
      changes.commit();
      prepared('COMMIT').run();
      await sync().catch((error: unknown) => {
        // Others see the change already, while it is unknown whether it will last.
        throw commitOutcomeUnknown(error);
      });
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
