/** Several hosts of one database, of which one is the primary: the choice of the one to connect to, also after a failover. */

import { Client } from 'pg';
import { errorFacts } from '../sql/dialect';
import type { PostgresUrl, SessionAttribute } from './connection-url';

/** The address of a host that was asked. */
interface Host {
  readonly host: string;
  readonly port: number;
}

/** Milliseconds. A host that takes longer to say what it is counts as absent. */
const askingTimeouts = { connectionTimeoutMillis: 2000, query_timeout: 2000 } as const;

/** Conditions in SQL that a host must meet (libpq, target_session_attrs). */
const conditions: Readonly<Record<SessionAttribute, string>> = {
  any: 'true',
  'read-write': `current_setting('transaction_read_only') = 'off'`,
  primary: 'not pg_is_in_recovery()',
};

/** The SQLSTATE of a change on a standby. */
const unfit = '25006';

const failure = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/** Rejects where the session is not what was wanted. It must be asked: the same host may have been a standby a moment ago. */
const checkSession = async (client: Client, wanted: SessionAttribute): Promise<void> => {
  const condition = conditions[wanted];
  if (condition === 'true') return;
  const { rows } = await client.query(`select ${condition} as fits`);
  if (rows[0]?.fits !== true)
    throw failure(unfit, `${client.host}:${client.port} is not ${wanted}`);
};

/** Asks a host what it is, by a connection that is closed then. */
const ask = async (url: string, wanted: SessionAttribute): Promise<Host> => {
  const client = new Client({ connectionString: url, ...askingTimeouts });
  // Callers that wait get the error, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await checkSession(client, wanted);
    return { host: client.host, port: client.port };
  } finally {
    await client.end();
  }
};

/**
 * Finds a host that will do. All are asked at once, so that silent ones do not add up; the first in the order of the URL is taken.
 * Rejects where none will do.
 */
const findHost = async ({ hosts, wanted }: PostgresUrl): Promise<Host> => {
  const answers = hosts.map((url) => ask(url, wanted));
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
 * Makes the client class of a pool: it connects to the host that was found last. The hosts are asked again once that one cannot be
 * connected to, or is no longer what is wanted.
 */
export const clientOf = (url: PostgresUrl): typeof Client => {
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
