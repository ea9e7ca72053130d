/** Connections to SQLite and their settings: statements run synchronously, while syncing the disk is waited for off the event loop. */

import { type FileHandle, open } from 'node:fs/promises';
import type { Database, Statement } from 'better-sqlite3';
import { type AnyStatement, type Connection, retry } from '../connections/database-driver';
import { commitOutcomeUnknown } from '../connections/database-errors';
import { errorFacts } from '../sql/dialect';
import type { Values } from '../sql/statement';
import { type ChangedTables, changedTables, readCache } from './read-cache';

/** Milliseconds to wait for the lock of another process: migrations wait as long as those of others take. */
export const lockTimeout = { usual: 5000, migration: 600_000 } as const;

/** Kibibytes of pages that a connection keeps: SQLite's own default, where the driver's is 16,000. The kernel keeps the file, too. */
export const pageCache = 'cache_size = -2000';

/**
 * Pages of the log (16 MiB) after which SQLite writes them back, which takes two syncs of the disk while all requests wait. Pages
 * that have changed many times by then are written back once.
 */
export const writeBackAfter = 'wal_autocheckpoint = 4000';

/**
 * In this order: what follows the first may already have to wait for another process. In WAL mode `synchronous = FULL` syncs
 * the log at each commit, so that it survives the loss of power (sqlite.org/pragma.html#pragma_synchronous); NORMAL does not.
 */
export const writerSettings = (synchronous: 'NORMAL' | 'FULL'): string[] => [
  `busy_timeout = ${lockTimeout.usual}`,
  'journal_mode = WAL',
  `synchronous = ${synchronous}`,
  'foreign_keys = ON',
  pageCache,
];

/** Applies settings to a connection; closes it where that fails. */
export const setUp = (raw: Database, settings: readonly string[]): Database => {
  try {
    for (const setting of settings) raw.pragma(setting);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
};

/**
 * Does work that begins by taking the write lock, again where another process has the lock.
 *
 * @throws what the last attempt threw, when the time is over
 */
export const retryWhileBusy = <Result>(
  work: () => Promise<Result>,
  milliseconds: number,
): Promise<Result> =>
  retry(work, (error, attempts, elapsed) => {
    // SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT or SQLITE_BUSY_RECOVERY: another process writes, or recovers from a crash.
    const isBusy = errorFacts(error).code.startsWith('SQLITE_BUSY');
    if (!isBusy || elapsed > milliseconds) throw error;
    const longestDelay = 20;
    return Math.random() * Math.min(longestDelay, attempts);
  });

const statementsOf = (raw: Database): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql) ?? raw.prepare(sql);
    statements.set(sql, known);
    return known;
  };
};

/**
 * With `synchronous = FULL` SQLite syncs its log at each commit and blocks the thread meanwhile; with NORMAL it does all but
 * that (sqlite.org/pragma.html#pragma_synchronous, sqlite.org/wal.html section 3). Syncing the log here, before the commit is
 * acknowledged, keeps the same promise.
 *
 * @param path - the database's file; its log exists once something was written
 * @param repair - writes the whole log into the database and syncs that. Called where syncing the log failed: the kernel may
 *   have dropped what it could not write, and later commits would be lost with it
 */
export const walSync = (path: string, repair: () => void) => {
  let log: FileHandle | undefined;
  let isBroken = false;

  return {
    /** Resolves when everything that was written to the log before will survive the loss of power. */
    async sync(): Promise<void> {
      if (isBroken) repair();
      isBroken = true;
      log ??= await open(`${path}-wal`, 'r');
      await log.datasync();
      isBroken = false;
    },
    /** Forgets the log, which may be another file once the database is opened again. */
    reopen(): void {
      // Its outcome does not matter any more.
      log?.close().catch(() => undefined);
      log = undefined;
    },
    async close(): Promise<void> {
      await log?.close();
      log = undefined;
    },
  };
};

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
