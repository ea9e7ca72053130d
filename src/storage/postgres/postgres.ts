/** The driver of PostgreSQL, and its turns at changing the tables: one process at a time. */

import type { Knex } from 'knex';
import { type DatabaseDriver, retry } from '../connections/database-driver';
import type { Watch } from '../connections/load';
import { errorFacts } from '../sql/dialect';
import { knexOver, limits, poolOver, settingsStatement } from './connect';
import { lendConnections, ownReads } from './connection';
import { readPostgresUrl } from './connection-url';
import { runOn } from './own-statements';
import { readsOver } from './reads';

const createLock = async (db: Knex): Promise<void> => {
  // Two processes that create the same table at once: one fails because a name or an entry of the catalogue exists, or because
  // it cannot be serialized.
  const inCreation = ['23505', '42P07', '42710', '40001'];
  await retry(
    async () => {
      await db.raw('create table if not exists migration_turn (id integer primary key)');
      await db.raw('insert into migration_turn (id) values (1) on conflict do nothing');
    },
    (error, attempts) => {
      if (!inCreation.includes(errorFacts(error).code) || attempts === 20) throw error;
      return 10 * attempts;
    },
  );
};

/** Runs the work in a transaction that no other process runs at the same time, without time limits: large tables may take long. */
const alone = async (
  url: string,
  work: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> => {
  const db = knexOver(url, 1, { lock_timeout: limits.lock_timeout });
  try {
    const { rows } = await db.raw(`select current_setting('lock_timeout', true) as value`);
    if (!readPostgresUrl(url).isPooled && rows[0]?.value === '0') {
      // The limits of statements would be dropped with them.
      const advice = 'so add pgbouncer=true to the URL';
      throw new Error(`a pooler drops the settings of connections, ${advice}`);
    }
    await createLock(db);
    // A process that has waited for its turn must see what those before have changed.
    const settings = { isolationLevel: 'read committed' } as const;
    const attempt = async (trx: Knex.Transaction): Promise<void> => {
      await trx.raw('set local lock_timeout = 0');
      await trx.raw('set local statement_timeout = 0');
      // Behind a pooler it is not the connection's.
      await trx.raw(settingsStatement({}, true));
      // The lock of a row: unlike advisory locks, all compatible databases have it, and unlike Knex's own lock it ends with its process.
      await trx.raw('select id from migration_turn where id = 1 for update');
      // Milliseconds for a lock of a table. What comes to it waits behind that: shorter than its own limit, and before deadlocks are
      // looked for.
      await trx.raw('set local lock_timeout = 500');
      await work(trx);
    };
    await retry(
      () => db.transaction(attempt, settings),
      (error, attempts) => {
        const isTableLocked = errorFacts(error).code === '55P03';
        if (!isTableLocked || attempts === 20) throw error;
        return Math.random() * 200 * attempts;
      },
    );
  } finally {
    await db.destroy();
  }
};

/** Makes a Knex that reads, without time limits: counting large tables may take long. */
export const readingPostgres = (url: string): Knex =>
  knexOver(url, 1, { lock_timeout: limits.lock_timeout });

/**
 * Opens a pool of connections.
 *
 * @param url - `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, as libpq takes it
 * @param connections - how many at most
 */
export const openPostgres = async (
  url: string,
  connections: number,
  watch?: Watch,
): Promise<DatabaseDriver> => {
  // Two are enough for the rare work of Knex.
  const db = knexOver(url, 2, limits);
  const pool = poolOver(url, connections);
  watch?.('postgres', () => ({
    waiting: pool.waitingCount,
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    most: connections,
  }));
  return {
    knex: db,
    query: readsOver(pool, watch),
    queryOwn: ownReads(pool),
    runOn,
    withConnection: lendConnections(pool),
    withMigrationLock: (work) => alone(url, work),
    async close() {
      await Promise.all([db.destroy(), pool.end()]);
    },
  };
};
