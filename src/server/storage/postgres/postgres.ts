/** All that is PostgreSQL's alone: its connections, their settings and limits, and how changes of the tables take turns. */

import { createHash } from 'node:crypto';
import { type Knex, knex } from 'knex';
import { type ClientBase, DatabaseError, Pool, type QueryResult } from 'pg';
import {
  type Connection,
  type DatabaseDriver,
  knexSettings,
  type WithConnection,
} from '../connections/database-driver';
import { isConnectionError } from '../connections/database-errors';
import { retry } from '../connections/retry';
import { errorFacts } from '../sql/dialect';
import type { Value } from '../sql/statement';

const names = new Map<string, string>();

/** Names are cut off at 63 characters, so the SQL itself does not do. */
const nameOf = (sql: string): string => {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
};

/** Errors are logged: with the row that broke a rule they would reveal hashes and personal data. */
const throwWithoutValues = (error: unknown): never => {
  throw error instanceof DatabaseError
    ? Object.assign(error, { detail: undefined, where: undefined })
    : error;
};

const query = (raw: ClientBase, sql: string, values: readonly Value[]): Promise<QueryResult> =>
  raw.query({ name: nameOf(sql), text: sql, values: [...values] }).catch(throwWithoutValues);

const postgresConnection = (raw: ClientBase): Connection => ({
  all: async (sql, values) => (await query(raw, sql, values)).rows,
  run: async (sql, values) => (await query(raw, sql, values)).rowCount ?? 0,
  async begin() {
    await raw.query('begin');
  },
  async commit() {
    const { command } = await raw.query('commit');
    // A transaction in which a statement failed is rolled back, and that is no error (PostgreSQL, COMMIT).
    if (command !== 'COMMIT') throw new Error(`The transaction ended by ${command}`);
  },
  async rollback() {
    await raw.query('rollback');
  },
});

/** Milliseconds. No wait is endless: neither for a silent host, nor for a lock, nor for a process that stopped. */
const limits = {
  lock_timeout: 5000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** A host that went away is noticed even where statements have no time limit. */
const reachability = {
  connectionTimeoutMillis: 4000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** A commit is to survive the loss of power, also where the server's own setting says otherwise. Stricter ones stay. */
const durably = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit', true) = 'off'`;

// Two processes that create the same table at once: one fails because a name or an entry of the catalogue exists, or because it
// cannot be serialized.
const inCreation = new Set(['23505', '42P07', '42710', '40001']);

const createLock = async (db: Knex): Promise<void> =>
  retry(
    async () => {
      await db.raw('create table if not exists migration_turn (id integer primary key)');
      await db.raw('insert into migration_turn (id) values (1) on conflict do nothing');
    },
    (error, attempts) => {
      if (!inCreation.has(errorFacts(error).code) || attempts === 20) throw error;
      return 10 * attempts;
    },
  );

/**
 * A locked row decides whose turn it is: unlike advisory locks, all compatible databases have it, and unlike Knex's own lock
 * it ends with its process.
 */
const takeTurn = async (trx: Knex.Transaction): Promise<void> => {
  await trx.raw('set local lock_timeout = 0');
  await trx.raw('set local statement_timeout = 0');
  await trx.raw('select id from migration_turn where id = 1 for update');
};

type Created = (error: Error | null, client: ClientBase) => void;

const knexOver = (url: string, connections: number, timeouts: Partial<typeof limits>): Knex =>
  knex({
    ...knexSettings,
    client: 'pg',
    // Said here, Knex does not ask for it; compatible databases call themselves otherwise.
    version: '13.0',
    connection: { connectionString: url, ...reachability, ...timeouts },
    pool: {
      min: 0,
      max: connections,
      afterCreate: (client: ClientBase & { end(): Promise<void> }, done: Created) => {
        client.query(durably, (error) => {
          // Knex forgets a connection that cannot be set up; it must not stay open.
          if (error) void client.end();
          done(error, client);
        });
      },
    },
  });

const poolOver = (url: string, connections: number): Pool => {
  const pool = new Pool({
    ...{ connectionString: url, max: connections, idleTimeoutMillis: 30_000 },
    ...reachability,
    ...limits,
    async onConnect(client) {
      // Emitted where a connection breaks between two statements; the next one rejects with it.
      client.on('error', () => undefined);
      await client.query(durably);
    },
  });
  // An idle connection that breaks is closed, and another one is opened when it is needed.
  pool.on('error', () => undefined);
  return pool;
};

/** A connection that broke is closed instead of going back into the pool. */
const withPooledConnection =
  (pool: Pool): WithConnection =>
  async (work) => {
    const client = await pool.connect();
    let isBroken = false;
    try {
      return await work(postgresConnection(client));
    } catch (error) {
      isBroken = isConnectionError(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  };

/** Knex runs rare work alone. */
const knexConnections = 2;

/** Changes of large tables, and waiting for the turn, take as long as they take. */
const alone = async (
  url: string,
  work: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> => {
  const db = knexOver(url, 1, {});
  try {
    await createLock(db);
    // A process that has waited for its turn must see what those before have changed.
    const settings = { isolationLevel: 'read committed' } as const;
    await db.transaction(async (trx) => {
      await takeTurn(trx);
      await work(trx);
    }, settings);
  } finally {
    await db.destroy();
  }
};

/**
 * Opens a pool of connections.
 *
 * @param url - `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, as libpq takes it
 * @param connections - how many at most
 */
export const openPostgres = async (url: string, connections: number): Promise<DatabaseDriver> => {
  const db = knexOver(url, knexConnections, limits);
  const pool = poolOver(url, connections);
  const withConnection = withPooledConnection(pool);
  return {
    knex: db,
    query: ({ sql, bind }, parameters) =>
      withConnection((connection) => connection.all(sql, bind(parameters))),
    withConnection,
    withMigrationLock: (work) => alone(url, work),
    async close() {
      await Promise.all([db.destroy(), pool.end()]);
    },
  };
};
