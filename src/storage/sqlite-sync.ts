/**
 * SQLite as the server uses it: statements run in memory within microseconds, and only syncing waits for the disk. The other
 * driver, in sqlite.ts, hands each statement to a thread; it must never have the same file open in the same process, because
 * two copies of SQLite undo each other's locks (sqlite.org/howtocorrupt.html section 2.2.1).
 */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import Driver from 'better-sqlite3';
import { type Knex, knex } from 'knex';
import type { Connection, Engine, Lend } from './engine';
import { knexSettings } from './knex-settings';
import { beginWithWriteLock, refuseBigints } from './sqlite';
import { type SyncConnection, syncConnection } from './sqlite-sync-connection';
import { isLost } from './trouble';
import { walSync } from './wal-sync';

const openWriter = (path: string): Driver.Database => {
  const raw = new Driver(path, { timeout: 0 });
  // What follows the first may have to wait for another process.
  raw.pragma('busy_timeout = 5000');
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = NORMAL');
  raw.pragma('foreign_keys = ON');
  raw.pragma('busy_timeout = 0');
  return raw;
};

const openReader = (path: string): Driver.Database => {
  const raw = new Driver(path, { timeout: 100 });
  raw.pragma('query_only = ON');
  return raw;
};

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
      afterCreate: (
        raw: Driver.Database,
        done: (error: Error | null, connection: Driver.Database) => void,
      ) => {
        for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
          raw.pragma(setting);
        }
        done(null, raw);
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

/** Lends one connection to all, and opens another where it broke. */
const lendOne = (open: () => SyncConnection): { lend: Lend; close(): void } => {
  let current: SyncConnection | undefined;
  const close = (): void => {
    const closing = current;
    current = undefined;
    closing?.close();
  };
  return {
    close,
    async lend<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
      current ??= open();
      const used = current;
      try {
        return await work(used);
      } catch (error) {
        if (isLost(error) && used === current) close();
        throw error;
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
export const openSqliteSync = async (path: string): Promise<Engine> => {
  await mkdir(dirname(path), { recursive: true });
  let raw: Driver.Database | undefined;
  const log = walSync(path, () => {
    if (raw !== undefined) writeBack(raw);
  });
  const writer = lendOne(() => {
    raw = openWriter(path);
    return syncConnection(raw, log.sync);
  });
  const reader = lendOne(() => syncConnection(openReader(path), async () => {}));
  const db = knexOver(path);
  return {
    knex: db,
    read: reader.lend,
    write: writer.lend,
    // The write lock is the whole file's.
    alone: (work) => db.transaction(work),
    async close() {
      await db.destroy();
      reader.close();
      writer.close();
      await log.close();
    },
  };
};
