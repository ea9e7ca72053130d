/** A SQLite file: statements run in memory within microseconds, and only syncing waits for the disk. */

import { existsSync, type Stats, statSync } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { type Knex, knex } from 'knex';
import { errorMessage } from '../../base/error-message';
import { lazy } from '../../base/memoize';
import { attempt, recoverFromCode } from '../../base/recover';
import {
  type DatabaseDriver,
  knexSettings,
  type WithConnection,
} from '../connections/database-driver';
import { isConnectionError } from '../connections/database-errors';
import { sqliteReader } from './read-cache';
import {
  lockTimeout,
  pageCache,
  retryWhileBusy,
  type SyncConnection,
  setUp,
  syncConnection,
  walSync,
  writeBackAfter,
  writerSettings,
} from './sqlite-connection';

/**
 * Version 13 needs Node.js 22; version 12 may end Node.js 24.19 and newer when its statements are collected
 * (github.com/nodejs/node/issues/65446). Users of the package have one of them, by its own name.
 */
const older: string = 'better-sqlite3-12';
// The name is no literal in the call: a bundler would take the package for one that is needed.
const isOlder =
  Number.parseInt(process.versions.node, 10) < 22 &&
  attempt(() => require.resolve(older)) !== undefined;
const name = isOlder ? older : 'better-sqlite3';

/**
 * Loads the package, which programs on another database can do without.
 * @throws Error where npm has left it out, since it could not be compiled
 */
export const sqliteDriver: () => typeof import('better-sqlite3') = lazy(() => {
  try {
    return require(name) as typeof import('better-sqlite3');
  } catch (cause) {
    const [reason] = errorMessage(cause).split('\n', 1);
    const hint = 'npm installs it, where needed by Python and a C++ compiler';
    throw new Error(`the package ${name} cannot be loaded (${reason}): ${hint}`, { cause });
  }
});

// Knex's types do not tell of its dialects.
const Client = require('knex/lib/dialects/better-sqlite3') as typeof Knex.Client;

/** Knex's client; by itself it would take whatever version has the package's own name. */
export class SqliteClient extends Client {
  protected _driver(): unknown {
    return sqliteDriver();
  }
}

/**
 * Makes the check that throws where the file at the path is not the one that was there at first.
 *
 * Another file is not opened in its stead, since the log of the first may still lie beside it, and SQLite would apply it to the
 * wrong one (sqlite.org/howtocorrupt.html section 1.4).
 */
const fileCheck = (path: string): (() => void) => {
  // Milliseconds: a check takes as long as a short statement, and what is written right after the file was taken away is as lost as
  // what was written right before.
  const interval = 10;
  let opened: Stats | undefined;
  let next = 0;
  return () => {
    const now = performance.now();
    if (now < next) return;
    const file = statSync(path, { throwIfNoEntry: false });
    opened ??= file;
    if (file === undefined || file.ino !== opened?.ino || file.dev !== opened.dev) {
      const message = `The file ${path} was moved, deleted or replaced while it was open`;
      throw Object.assign(new Error(message), { code: 'FILE_MOVED' });
    }
    next = now + interval;
  };
};

const readerSettings = ['query_only = ON', pageCache];

/**
 * Makes every transaction of Knex's take the write lock when it begins. One that reads first and writes later is otherwise
 * refused at once (SQLITE_BUSY_SNAPSHOT), without the waiting time, where another process wrote in between.
 */
const beginWithWriteLock = (db: Knex): void => {
  type Trx = Record<'begin' | 'query', (connection: unknown, sql?: string) => Promise<unknown>>;
  const client: { transaction(...facts: unknown[]): Trx } = db.client;
  const start = client.transaction.bind(client);
  client.transaction = (...facts) => {
    const transaction = start(...facts);
    transaction.begin = (connection) => transaction.query(connection, 'BEGIN IMMEDIATE;');
    return transaction;
  };
};

/**
 * Makes a Knex with a single connection, which is opened when it is first needed: it composes queries, migrates, and does rare work.
 *
 * @param idleMilliseconds - the connection is closed when it was not used for so long
 */
const sqliteKnex = (path: string, idleMilliseconds: number, onlyReads = false): Knex => {
  const settings = onlyReads ? readerSettings : writerSettings('FULL');
  // Where it is missing, Knex would advise to install another version.
  sqliteDriver();
  const db = knex({
    ...knexSettings,
    client: SqliteClient,
    connection: { filename: path },
    useNullAsDefault: true,
    pool: {
      min: 0,
      max: 1,
      idleTimeoutMillis: idleMilliseconds,
      afterCreate: (raw: Database, done: (error: Error | null) => void) => {
        setUp(raw, settings);
        done(null);
      },
    },
  });
  if (!onlyReads) beginWithWriteLock(db);
  // Knex reads integers as doubles, so that int64 travels as decimal text.
  db.on('query', ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) => {
    if (!bindings.some((binding) => typeof binding === 'bigint')) return;
    throw new TypeError(`A bigint cannot be bound, only its decimal text: ${sql}`);
  });
  return db;
};

/** Makes a Knex that reads the file as it is. One that is missing is not created: it reads as an empty database. */
export const readingSqlite = (path: string): Knex =>
  sqliteKnex(existsSync(path) ? path : ':memory:', knexIdleMilliseconds, true);

export const openSqliteInMemory = async (): Promise<DatabaseDriver> => {
  const db = sqliteKnex(':memory:', 2 ** 31 - 1);
  let connection: SyncConnection | undefined;
  const withConnection: WithConnection = async (work) => {
    const raw = await db.client.acquireConnection();
    try {
      connection ??= syncConnection(raw, async () => undefined);
      return await work(connection);
    } finally {
      await db.client.releaseConnection(raw);
    }
  };
  return {
    knex: db,
    query: (statement, values) => withConnection(({ all }) => all(statement, values)),
    withConnection,
    withMigrationLock: (work) => db.transaction(work),
    close: () => db.destroy(),
  };
};

/** Shares what `open` gives, and opens another where it broke; none any more after `end`. */
const sharedConnection = <Opened extends { close(): void }>(open: () => Opened) => {
  let current: Opened | undefined;
  let hasEnded = false;
  const close = (): void => {
    const closing = current;
    current = undefined;
    closing?.close();
  };
  const take = (): Opened => {
    if (hasEnded) throw new Error('The database was closed');
    current ??= open();
    return current;
  };
  const failed = (used: Opened, error: unknown): unknown => {
    if (isConnectionError(error) && used === current) close();
    return error;
  };
  return {
    end(): void {
      hasEnded = true;
      close();
    },
    /** For synchronous work. */
    use<Result>(work: (opened: Opened) => Result): Result {
      const used = take();
      try {
        return work(used);
      } catch (error) {
        throw failed(used, error);
      }
    },
    async useAsync<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
      const used = take();
      try {
        return await work(used);
      } catch (error) {
        throw failed(used, error);
      }
    },
  };
};

/** After so long without work Knex closes its connection. */
const knexIdleMilliseconds = 30_000;

/** Opens the file, and creates it and its folder where they are missing. Throws what the file system or the driver says. */
export const openSqliteSync = async (name: string): Promise<DatabaseDriver> => {
  // What is missing of the file and its folder is their owner's alone: it holds personal data and hashes of passwords. SQLite gives
  // its other files the same mode, and so do backups.
  await mkdir(dirname(name), { recursive: true, mode: 0o700 });
  const created = await open(name, 'wx', 0o600).catch(recoverFromCode('EEXIST', undefined));
  await created?.close();
  // SQLite keeps its log beside the file that a symbolic link leads to.
  const path = await realpath(name);
  let raw: Database | undefined;
  const Driver = sqliteDriver();
  const repair = (): void => {
    const busy = raw?.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) ?? 0;
    if (busy !== 0) throw new Driver.SqliteError('The log cannot be written back', 'SQLITE_BUSY');
  };
  const log = walSync(path, repair);
  const writer = sharedConnection(() => {
    log.reopen();
    // The migrations made the file. Where it is missing now, an empty one must not take its place.
    const opened = new Driver(path, { fileMustExist: true });
    raw = setUp(opened, [...writerSettings('NORMAL'), 'busy_timeout = 0', writeBackAfter]);
    return syncConnection(raw, log.sync);
  });
  const reader = sharedConnection(() => {
    const opened = new Driver(path, { fileMustExist: true, timeout: 100 });
    return sqliteReader(setUp(opened, readerSettings), writer.use);
  });
  const checkFile = fileCheck(path);
  const db = sqliteKnex(path, knexIdleMilliseconds);
  return {
    knex: db,
    async query(statement, parameters) {
      checkFile();
      return reader.use((connection) => connection.all(statement, parameters));
    },
    async withConnection(work) {
      checkFile();
      return writer.useAsync(work);
    },
    // The write lock is the whole file's.
    withMigrationLock: (work) => retryWhileBusy(() => db.transaction(work), lockTimeout.migration),
    async close() {
      await db.destroy();
      reader.end();
      writer.end();
      await log.close();
    },
  };
};
