/** All that is PostgreSQL's alone. */

import type { DatabaseDriver, StandbyReads } from '../connections/database-driver';
import { knexOver, limits, poolOver } from './connect';
import { lendConnections } from './connection';
import { alone } from './migration-turn';
import { readsOver } from './reads';
import { openStandby } from './standby';

/** While one waits for the disk, others go on. */
const mostTransactions = 3;

/** Knex runs rare work alone. */
const knexConnections = 2;

/**
 * Opens a pool of connections.
 *
 * @param url - `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, as libpq takes it
 * @param connections - how many at most, and as many to the standby
 * @param standby - where lists and counts are read; undefined: where everything is
 */
export const openPostgres = async (
  url: string,
  connections: number,
  standby?: StandbyReads,
): Promise<DatabaseDriver> => {
  const db = knexOver(url, knexConnections, limits);
  const pool = poolOver(url, connections);
  const query = readsOver(pool);
  const lists = standby && openStandby(query, standby, connections);
  return {
    knex: db,
    query,
    beginList: lists?.begin,
    withConnection: lendConnections(pool),
    // Reads need some, too.
    transactions: Math.max(1, Math.min(mostTransactions, Math.floor(connections / 2))),
    withMigrationLock: (work) => alone(url, work),
    async close() {
      await Promise.all([db.destroy(), pool.end(), lists?.close()]);
    },
  };
};
