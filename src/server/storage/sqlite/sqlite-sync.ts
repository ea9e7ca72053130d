/**
 * SQLite as the server uses it: statements run in memory within microseconds, and only syncing waits for the disk. The other
 * driver, in sqlite.ts, hands each statement to a thread; it must never have the same file open in the same process, because
 * two copies of SQLite undo each other's locks (sqlite.org/howtocorrupt.html section 2.2.1).
 */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import Driver from 'better-sqlite3';
import { type Knex, knex } from 'knex';
import type { MaybePromise } from '../../../engine';
import type { DatabaseDriver } from '../connections/database-driver';
import { isConnectionError } from '../connections/database-errors';
import { knexSettings } from '../connections/knex-settings';
import { patience, retryWhileBusy } from './retry-while-busy';
import { beginWithWriteLock, refuseBigints } from './sqlite';
import { sameFile } from './sqlite-file';
import { sqliteReader, type WritingConnection } from './sqlite-reader';
import { syncConnection } from './sqlite-sync-connection';
import { walSync } from './wal-sync';

/** Whoever cannot be set up must not stay open. */
const setUp = (raw: Driver.Database, settings: readonly string[]): Driver.Database => {
  try {
    for (const setting of settings) raw.pragma(setting);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
};

/** Kibibytes of pages that a connection keeps: SQLite's own default, where the driver's is 16,000. The kernel keeps the file, too. */
const pageCache = 'cache_size = -2000';

/** What follows the first may have to wait for another process. */
const settings = (synchronous: 'NORMAL' | 'FULL'): string[] => [
  `busy_timeout = ${patience.usual}`,
  'journal_mode = WAL',
  `synchronous = ${synchronous}`,
  'foreign_keys = ON',
  pageCache,
];

// The migrations made the file. Where it is missing now, an empty one must not take its place.
const openWriter = (path: string): Driver.Database =>
  setUp(new Driver(path, { fileMustExist: true }), [...settings('NORMAL'), 'busy_timeout = 0']);

const openReader = (path: string): Driver.Database =>
  setUp(new Driver(path, { fileMustExist: true, timeout: 100 }), ['query_only = ON', pageCache]);

/** For composing, migrating and rare work; its connection closes when nobody uses it. */
const knexOver = (path: string): Knex => {
  const db = knex({
    ...knexSettings,
    client: 'better-sqlite3',
    connection: { filename: path },
    useNullAsDefault: true,
    pool: {
      min: 0,
      max: 1,
      afterCreate: (raw: Driver.Database, done: (error: Error | null) => void) => {
        setUp(raw, settings('FULL'));
        done(null);
      },
    },
  });
  beginWithWriteLock(db);
  db.on('query', refuseBigints);
  return db;
};

/** Writes the whole log into the database, and syncs that. */
const writeBack = (raw: Driver.Database): void => {
  const busy = raw.pragma('wal_checkpoint(TRUNCATE)', { simple: true });
  if (busy !== 0) throw new Driver.SqliteError('The log cannot be written back', 'SQLITE_BUSY');
};

/**
 * How long nobody looks whether the file is still there; milliseconds. A look takes as long as a short statement, and what is
 * written right after the file was taken away is as lost as what was written right before.
 */
const betweenLooks = 10;

const sometimes = (act: () => void, pause: number): (() => void) => {
  let next = 0;
  return () => {
    const now = performance.now();
    if (now < next) return;
    act();
    next = now + pause;
  };
};

/** Lends one connection to all, and opens another where it broke. */
const lendOne = <Opened extends { close(): void }>(open: () => Opened) => {
  let current: Opened | undefined;
  const close = (): void => {
    const closing = current;
    current = undefined;
    closing?.close();
  };
  const take = (): Opened => {
    current ??= open();
    return current;
  };
  const failed = (used: Opened, error: unknown): unknown => {
    if (isConnectionError(error) && used === current) close();
    return error;
  };
  return {
    close,
    /** For what is done at once. */
    use<Result>(work: (opened: Opened) => Result): Result {
      const used = take();
      try {
        return work(used);
      } catch (error) {
        throw failed(used, error);
      }
    },
    async lend<Result>(work: (opened: Opened) => MaybePromise<Result>): Promise<Result> {
      const used = take();
      try {
        return await work(used);
      } catch (error) {
        throw failed(used, error);
      }
    },
  };
};

/**
 * Opens the file, and creates it and its folder where they are missing.
 *
 * @param path - a file's path, relative to the working directory
 * @throws what the file system or the driver says
 */
export const openSqliteSync = async (path: string): Promise<DatabaseDriver> => {
  await mkdir(dirname(path), { recursive: true });
  let raw: Driver.Database | undefined;
  const repair = (): void => {
    if (raw !== undefined) writeBack(raw);
  };
  const log = walSync(path, repair);
  const writer = lendOne(() => {
    log.reopen();
    raw = openWriter(path);
    return syncConnection(raw, log.sync);
  });
  const writing: WritingConnection = {
    takeChanges: () => writer.use((connection) => connection.takeChanges()),
    allOutside: (sql, values) => writer.use((connection) => connection.allOutside(sql, values)),
  };
  const reader = lendOne(() => sqliteReader(openReader(path), writing));
  const look = sometimes(sameFile(path), betweenLooks);
  const db = knexOver(path);
  return {
    knex: db,
    query(statement, parameters) {
      look();
      return reader.use((connection) => connection.all(statement, parameters));
    },
    async withConnection(work) {
      look();
      return writer.lend(work);
    },
    // The write lock is the whole file's.
    withMigrationLock: (work) => retryWhileBusy(() => db.transaction(work), patience.alone),
    async close() {
      await db.destroy();
      reader.close();
      writer.close();
      await log.close();
    },
  };
};
