/** Lends connections of a Knex pool, each wrapped once, and takes broken ones out of the pool. */

import type { Knex } from 'knex';
import type { Connection, WithConnection } from './database-driver';
import { isConnectionError } from './database-errors';

/** A connection of a driver's. */
export interface DriverConnection {
  /** Knex closes a connection that carries this mark, instead of lending it again. */
  __knex__disposed?: unknown;
}

/** A wrapped connection. */
export interface OwnedConnection extends Connection {
  /** Lets go of everything that would keep the connection from being closed. */
  release(): void;
}

/** A pool whose connections are lent. */
export interface Pool {
  readonly lend: WithConnection;
  /** Closes all connections when their work is done. */
  close(): Promise<void>;
}

/** Makes a lender of the pool of a Knex. */
export const connectionPool = <Raw extends DriverConnection>(
  knex: Knex,
  wrap: (raw: Raw) => OwnedConnection,
): Pool => {
  const wrapped = new Map<Raw, OwnedConnection>();

  const wrapOnce = (raw: Raw): OwnedConnection => {
    const known = wrapped.get(raw) ?? wrap(raw);
    wrapped.set(raw, known);
    return known;
  };

  // Whoever has it closed: the pool does so by itself where a connection is idle, or has ended.
  knex.client.pool.on('destroyRequest', (_event: number, raw: Raw) => {
    wrapped.get(raw)?.release();
    wrapped.delete(raw);
  });

  return {
    async lend(work) {
      const raw: Raw = await knex.client.acquireConnection();
      try {
        return await work(wrapOnce(raw));
      } catch (error) {
        if (isConnectionError(error)) raw.__knex__disposed = error;
        throw error;
      } finally {
        await knex.client.releaseConnection(raw);
      }
    },

    close: () => knex.destroy(),
  };
};
