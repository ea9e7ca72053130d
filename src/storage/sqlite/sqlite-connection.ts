/** Connections to SQLite and their settings: statements run synchronously, while syncing the disk is waited for off the event loop. */

import { type FileHandle, open } from 'node:fs/promises';
import type { Database, Statement } from 'better-sqlite3';
import { lazy } from '../../base/memoize';
import {
  type AnyStatement,
  type Connection,
  type OwnResult,
  retry,
} from '../connections/database-driver';
import { commitOutcomeUnknown } from '../connections/database-errors';
import { errorFacts } from '../sql/dialect';
import type { Values } from '../sql/statement';
import { ownStatements } from './own-statements';

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

/** Names of tables; undefined where it may be any. */
export type ChangedTables = ReadonlySet<string> | undefined;

/** Tracks the changes of a connection, and those of others as it sees them. */
const changedTables = (raw: Database) => {
  // Changes with every commit of any other connection, and with none of this one (sqlite.org/pragma.html#pragma_data_version).
  const versionOfOthers = raw.prepare('PRAGMA data_version').pluck();
  let known: unknown;
  let open: Set<string> | undefined = new Set();
  let committed: Set<string> | undefined = new Set();

  return {
    begin(): void {
      open = new Set();
    },
    add(tables: readonly string[] | undefined): void {
      if (tables === undefined) open = undefined;
      for (const table of tables ?? []) open?.add(table);
    },
    /** Notes that the transaction is committed now, without a read in between. */
    commit(): void {
      if (open === undefined) committed = undefined;
      for (const table of open ?? []) committed?.add(table);
    },
    /** Takes the tables that have changed since the last call. */
    take(): ChangedTables {
      const version = versionOfOthers.get();
      const changed = version === known ? committed : undefined;
      known = version;
      if (committed?.size !== 0) committed = new Set();
      return changed;
    },
  };
};

/** Makes the function that prepares each statement once. */
export const statementsOf = (raw: Database): ((sql: string) => Statement) => {
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
  /** As `allOutside`, for a statement of an author's own. */
  readOwn(sql: string, values: readonly unknown[]): OwnResult | undefined;
  /** Runs a statement outside of any transaction; undefined while there is one, or where the statement does not only read. */
  allOutside(statement: AnyStatement, parameters: Values): unknown[] | undefined;
  close(): void;
}

/** Wraps a connection; `sync` resolves when all that was committed will survive the loss of power. */
export const syncConnection = (raw: Database, sync: () => Promise<void>): SyncConnection => {
  const prepared = statementsOf(raw);
  const changes = changedTables(raw);
  const own = lazy(() => ownStatements(raw));

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
    // Nothing that is read from an author's tables is cached, nor are the server's changed.
    runOwn: async (sql, values) => own().run(sql, values),
    readOwn: (sql, values) =>
      raw.inTransaction || !own().onlyReads(sql) ? undefined : own().run(sql, values),
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
