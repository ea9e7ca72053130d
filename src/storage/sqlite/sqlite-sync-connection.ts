/** Connections to SQLite whose statements run synchronously, while syncing the disk is waited for off the event loop. */

import type { Database } from 'better-sqlite3';
import { type Connection, LastFailed } from '../connections/database-driver';
import { commitOutcomeUnknown } from '../connections/database-errors';
import type { Statement, Values } from '../sql/statement';
import { readCache } from './read-cache';
import { type InvalidatedTables, relatedTables, sqliteChanges } from './sqlite-changes';
import { lockTimeout, retryWhileBusy } from './sqlite-knex';
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
  const noted = (sql: string) => {
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
    async commit(last) {
      await last().catch((error: unknown) => {
        throw new LastFailed(error);
      });
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

/** The connection that writes, as far as readers use it. */
export type WritingConnection = Pick<SyncConnection, 'takeChanges' | 'allOutside'>;

/**
 * Reads through a cache that holds what cannot have changed. It reads by the connection that writes, which has the pages in memory that it has changed, and by its own while
 * that is in a transaction: what is not committed is not read. Its own reads every page anew after each commit.
 *
 * @param raw - its own connection
 */
export const sqliteReader = (raw: Database, writing: WritingConnection) => {
  const prepared = statementsOf(raw);
  const tablesOf = relatedTables(raw);
  const cache = readCache();

  // Several reads without waiting in between see everything as it was at the first: the check takes as long as reading a row.
  let isChecked = false;
  const checkChanges = (): void => {
    cache.invalidate(writing.takeChanges());
    isChecked = true;
    queueMicrotask(() => {
      isChecked = false;
    });
  };

  return {
    all(statement: Statement<Values, unknown>, parameters: Values): unknown[] {
      if (!isChecked) checkChanges();
      const key = statement.key(parameters);
      const cached = cache.get(statement, key);
      if (cached !== undefined) return cached;
      const values = statement.bind(parameters);
      const { sql } = statement;
      const rows = writing.allOutside(sql, values) ?? prepared(sql).all(values);
      cache.set(statement, key, rows, tablesOf(sql));
      return rows;
    },
    close: () => {
      raw.close();
    },
  };
};
