/**
 * Connections to PostgreSQL: the choice of the host, also after a failover; settings and limits; and support for a pooler in
 * transaction mode (PgBouncer, pool_mode), where each transaction may run on another connection of the server, so that neither
 * settings of a session nor prepared statements last.
 */

import { type Knex, knex } from 'knex';
import { Client, type ClientBase, Pool } from 'pg';
import { knexSettings } from '../connections/database-driver';
import { errorFacts } from '../sql/dialect';
import { type PostgresUrl, readPostgresUrl, type SessionAttribute } from './connection-url';

type Host = Pick<Client, 'host' | 'port'>;

/** The SQLSTATE of a change on a standby. */
const unfit = '25006';

const failure = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/** Rejects where the session is not what was wanted. It must be asked: the same host may have been a standby a moment ago. */
const checkSession = async (client: Client, wanted: SessionAttribute): Promise<void> => {
  // Conditions in SQL that a host must meet (libpq, target_session_attrs).
  const condition = {
    any: 'true',
    'read-write': `current_setting('transaction_read_only') = 'off'`,
    primary: 'not pg_is_in_recovery()',
  }[wanted];
  if (condition === 'true') return;
  const { rows } = await client.query(`select ${condition} as fits`);
  if (rows[0]?.fits !== true)
    throw failure(unfit, `${client.host}:${client.port} is not ${wanted}`);
};

/**
 * Finds a host that will do. All are asked at once, so that silent ones do not add up; the first in the order of the URL is taken.
 * Rejects where none will do.
 */
const findHost = async ({ hosts, wanted }: PostgresUrl): Promise<Host> => {
  const answers = hosts.map(async (url) => {
    // A host that takes longer to say what it is counts as absent.
    const timeouts = { connectionTimeoutMillis: 2000, query_timeout: 2000 };
    const client = new Client({ connectionString: url, ...timeouts });
    // Callers that wait get the error, too.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await checkSession(client, wanted);
      return { host: client.host, port: client.port };
    } finally {
      await client.end();
    }
  });
  // Those after the one that is taken are not looked at.
  for (const answer of answers) answer.catch(() => undefined);
  const errors: unknown[] = [];
  for (const answer of answers) {
    try {
      return await answer;
    } catch (error) {
      errors.push(error);
    }
  }
  const reasons = errors.map((error) => errorFacts(error).message).join('; ');
  const cause = errors.find((error) => errorFacts(error).code !== unfit);
  throw failure('08001', `no host is usable: ${reasons}`, cause);
};

/**
 * Makes the client class of a pool: of several hosts, or of one that must be of a kind, it connects to the one that was found last. The
 * hosts are asked again once that one cannot be connected to, or is no longer what is wanted.
 */
const clientFor = (url: PostgresUrl): typeof Client => {
  if (url.hosts.length === 1 && url.wanted === 'any') return Client;
  let found: Promise<Host> | undefined;

  const connect = async (client: Client, open: () => Promise<unknown>): Promise<void> => {
    // Callers that wait get the error, too.
    client.on('error', () => undefined);
    found ??= findHost(url);
    const mine = found;
    try {
      const { host, port } = await mine;
      Object.assign(client, { host, port });
      await open();
      await checkSession(client, url.wanted);
    } catch (error) {
      if (found === mine) found = undefined;
      await client.end();
      // Another host may do: callers try again after this error.
      throw failure('08006', errorFacts(error).message, error);
    }
  };

  return class extends Client {
    override connect(): Promise<Client>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<Client> | undefined {
      const connected = connect(this, () => super.connect());
      if (callback === undefined) return connected.then(() => this);
      connected.then(() => callback(null), callback);
      return undefined;
    }
  };
};

const behindPooler = new WeakSet<object>();

/** Checks whether a connection leads to a pooler. */
export const isPooled = (client: ClientBase): boolean => behindPooler.has(client);

/**
 * Makes the statement that sets limits, in milliseconds, and has commits survive the loss of power, also where the server's own setting
 * says otherwise. Stricter ones stay.
 *
 * @param isLocal - true: for one transaction; false: for the session
 */
export const settingsStatement = (
  limits: Readonly<Record<string, number>>,
  isLocal: boolean,
): string => {
  const set = (name: string, value: unknown) => `set_config('${name}', '${value}', ${isLocal})`;
  const timeouts = Object.entries(limits).map(([name, milliseconds]) => set(name, milliseconds));
  const durably = `case when current_setting('synchronous_commit', true) = 'off'
    then ${set('synchronous_commit', 'on')} end`;
  return `select ${[...timeouts, durably].join(', ')}`;
};

/** Limits in milliseconds: no wait is endless, neither for a silent host, nor for a lock, nor for a process that stopped. */
const serverLimits = {
  lock_timeout: 2000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** The driver's own limit is for a server that does not answer. */
export const limits = { ...serverLimits, query_timeout: 12_000 } as const;

type Limits = Partial<Readonly<Record<keyof typeof limits, number>>>;

/** The statement that begins a transaction behind a pooler, which takes no settings with a connection. */
export const pooledSettings = settingsStatement(serverLimits, true);

/** A host that went away is noticed even where statements have no time limit. */
const reachability = {
  connectionTimeoutMillis: 4000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** Leaves out settings for PgBouncer, which refuses those that it does not know. */
const passedOn = (url: PostgresUrl, timeouts: Limits): Limits => {
  if (!url.isPooled) return timeouts;
  const { query_timeout } = timeouts;
  return query_timeout === undefined ? {} : { query_timeout };
};

const setUp = async (client: ClientBase, { isPooled }: PostgresUrl): Promise<void> => {
  // A setting would stay with the pooler's connection, and be another client's.
  if (isPooled) behindPooler.add(client);
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
      afterCreate: (
        client: ClientBase & { end(): Promise<void> },
        done: (error: Error | null, client: ClientBase) => void,
      ) => {
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
