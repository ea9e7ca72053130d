/** Connections to PostgreSQL: their settings and limits. */

import { type Knex, knex } from 'knex';
import { Client, type ClientBase, Pool } from 'pg';
import { knexSettings } from '../connections/database-driver';
import { type PostgresUrl, readPostgresUrl } from './connection-url';
import { clientOf } from './hosts';
import { markPooled, settingsStatement } from './pooler';

/** Limits in milliseconds: no wait is endless, neither for a silent host, nor for a lock, nor for a process that stopped. */
const serverLimits = {
  lock_timeout: 2000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** The driver's own limit, for a server that does not answer. */
const driverLimits = { query_timeout: 12_000 } as const;

export const limits = { ...serverLimits, ...driverLimits } as const;

/** Limits in milliseconds, by the names of settings. */
type Limits = Partial<Readonly<Record<keyof typeof limits, number>>>;

/** The statement that begins a transaction behind a pooler, which takes no settings with a connection. */
export const pooledSettings = settingsStatement(serverLimits, true);

/** A host that went away is noticed even where statements have no time limit. */
const reachability = {
  connectionTimeoutMillis: 4000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

type Created = (error: Error | null, client: ClientBase) => void;

/** Gives the client class that connects to the wanted host. */
const clientFor = (url: PostgresUrl): typeof Client =>
  url.hosts.length === 1 && url.wanted === 'any' ? Client : clientOf(url);

/** Leaves out settings for PgBouncer, which refuses those that it does not know. */
const passedOn = (url: PostgresUrl, timeouts: Limits): Limits => {
  if (!url.isPooled) return timeouts;
  const { query_timeout } = timeouts;
  return query_timeout === undefined ? {} : { query_timeout };
};

/** Prepares a new connection for its use. */
const setUp = async (client: ClientBase, { isPooled }: PostgresUrl): Promise<void> => {
  // A setting would stay with the pooler's connection, and be another client's.
  if (isPooled) markPooled(client);
  else await client.query(settingsStatement({}, false));
};

/** Makes Knex, for what is not worth a prepared statement. */
export const knexOver = (url: string, connections: number, timeouts: Limits): Knex => {
  const target = readPostgresUrl(url);
  const [connectionString] = target.hosts;
  const db = knex({
    ...knexSettings,
    client: 'pg',
    // Knex then does not ask for it; compatible databases name other versions.
    version: '13.0',
    connection: { connectionString, ...reachability, ...passedOn(target, timeouts) },
    pool: {
      min: 0,
      max: connections,
      afterCreate: (client: ClientBase & { end(): Promise<void> }, done: Created) => {
        setUp(client, target).then(
          () => done(null, client),
          (error) => {
            // Knex forgets a connection that cannot be set up; it must not stay open.
            void client.end();
            done(error, client);
          },
        );
      },
    },
  });
  // Knex takes it from the driver by itself.
  Object.assign(db.client, { driver: { Client: clientFor(target) } });
  return db;
};

/** Makes the pool of connections for prepared statements. */
export const poolOver = (url: string, connections: number, timeouts: Limits = limits): Pool => {
  const target = readPostgresUrl(url);
  const [connectionString] = target.hosts;
  const pool = new Pool({
    connectionString,
    max: connections,
    idleTimeoutMillis: 30_000,
    ...reachability,
    ...passedOn(target, timeouts),
    Client: clientFor(target),
    async onConnect(client) {
      // Emitted where a connection breaks between two statements; the next one rejects with it.
      client.on('error', () => undefined);
      await setUp(client, target);
    },
  });
  // An idle connection that breaks is closed, and another one is opened when it is needed.
  pool.on('error', () => undefined);
  return pool;
};
