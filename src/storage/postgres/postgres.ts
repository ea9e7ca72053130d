/** All that is PostgreSQL's alone. */

import type { DatabaseDriver } from '../connections/database-driver';
import { knexOver, limits, poolOver } from './connect';
import { lendConnections } from './connection';
import { alone } from './migration-turn';
import { readsOver } from './reads';

/** Knex runs rare work alone. */
const knexConnections = 2;

/**
 * Opens a pool of connections.
 *
 * @param url - `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, as libpq takes it
 * @param connections - how many at most
 */
export const openPostgres = async (url: string, connections: number): Promise<DatabaseDriver> => {
  const db = knexOver(url, knexConnections, limits);
  const pool = poolOver(url, connections);
  return {
    knex: db,
    query: readsOver(pool),
    withConnection: lendConnections(pool),
    withMigrationLock: (work) => alone(url, work),
    async close() {
      await Promise.all([db.destroy(), pool.end()]);
    },
  };
};
