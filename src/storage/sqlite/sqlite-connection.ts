/** Connections to SQLite whose statements run synchronously, while syncing the disk is waited for off the event loop. */

import type { Database, Statement } from 'better-sqlite3';
import type { AnyStatement, Connection } from '../connections/database-driver';
import { commitOutcomeUnknown } from '../connections/database-errors';
import type { Values } from '../sql/statement';
import { type ChangedTables, changedTables, readCache } from './read-cache';
import { lockTimeout, retryWhileBusy, statementsOf } from './sqlite-knex';

/** A connection and its end. */
export interface SyncConnection extends Connection {
  /** Takes the tables that have changed since the last call, by this connection or another. */
  takeChanges(): ChangedTables;
  /** Runs a statement outside of any transaction; undefined while there is one, or where the statement does not only read. */
  allOutside(statement: AnyStatement, parameters: Values): unknown[] | undefined;
  close(): void;
}

/**
 * Wraps a connection.
 *
 * @param sync - resolves when all that was committed will survive the loss of power
 */
export const syncConnection = (raw: Database, sync: () => Promise<void>): SyncConnection => {
  const prepared = statementsOf(raw);
  const changes = changedTables(raw);

  /** Gives the prepared statement, and notes what it changes. */
  const noted = ({ sql, tables }: AnyStatement): Statement => {
    const found = prepared(sql);
    if (!found.readonly) changes.add(tables);
    return found;
  };
  const run = async (statement: AnyStatement, parameters: Values): Promise<number> =>
    noted(statement).run(statement.bind(parameters)).changes;

  return {
    takeChanges: changes.take,
    allOutside(statement, parameters) {
      if (raw.inTransaction) return undefined;
      const found = prepared(statement.sql);
      return found.readonly ? found.all(statement.bind(parameters)) : undefined;
    },
    all: async (statement, parameters) => noted(statement).all(statement.bind(parameters)),
    run,
    async send(statement, parameters) {
      await run(statement, parameters);
    },
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

/** The connection that writes, as far as readers use it. */
export type WritingConnection = Pick<SyncConnection, 'takeChanges' | 'allOutside'>;

/**
 * Makes a reader with a cache of rows that cannot have changed. It reads over the connection that writes, which has the changed pages in
 * memory; and over its own, which reads all pages again after each commit, while the other one is in a transaction.
 *
 * @param raw - its own connection
 */
export const sqliteReader = (raw: Database, writing: WritingConnection) => {
  const prepared = statementsOf(raw);
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

  const read = (statement: AnyStatement, parameters: Values): unknown[] =>
    writing.allOutside(statement, parameters) ??
    prepared(statement.sql).all(statement.bind(parameters));

  return {
    all(statement: AnyStatement, parameters: Values): unknown[] {
      const { tables } = statement;
      if (tables === undefined) return read(statement, parameters);
      if (!isChecked) checkChanges();
      const key = statement.key(parameters);
      const cached = cache.get(statement, key);
      if (cached !== undefined) return cached;
      const rows = read(statement, parameters);
      cache.set(statement, key, rows, tables);
      return rows;
    },
    close: () => {
      raw.close();
    },
  };
};
