/** A SQLite database in memory: it has one connection, and ends with it. */

import type { DatabaseDriver, WithConnection } from '../connections/database-driver';
import { sqliteKnex } from './sqlite-knex';
import { type SyncConnection, syncConnection } from './sqlite-sync-connection';

/** Opens an empty one. */
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
    query: ({ sql, bind }, parameters) =>
      withConnection((opened) => opened.all(sql, bind(parameters))),
    withConnection,
    withMigrationLock: (work) => db.transaction(work),
    close: () => db.destroy(),
  };
};
