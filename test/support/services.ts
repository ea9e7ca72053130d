/** A running server as a test meets it: something to ask, tokens to ask with, and its database. */

import { afterAll, beforeAll } from '@jest/globals';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { type Grant, issueToken } from './access-token';
import { type Ask, askAt } from './ask';
import { startTestServer, stopTestServer } from './start';
import { runTogether, tablesOf } from './tables';

/** A running server, its database and credentials. */
export interface Services {
  readonly origin: string;
  readonly ask: Ask;
  /** A second connection to the server's database. */
  readonly db: Database;
  /** Puts every row back as it was after the start. */
  reset(): Promise<void>;
  /** An access token with both scopes of the pet store. */
  readonly petToken: string;
  /** An access token with both scopes of the ads. */
  readonly adToken: string;
  /** Logins of the demo user, by service. */
  readonly login: Readonly<Record<'petstore' | 'ads', string>>;
  /** Signs in; resolves to the login token. */
  signIn(service: string, username?: string, password?: string): Promise<string>;
  /** A token straight from the database, good for an hour. */
  grant(grant: Grant): Promise<string>;
  stop(): Promise<void>;
}

const copyOf = (table: string): string => `snapshot_of_${table}`;

/** Copies every table as it is; the result puts every row back. */
const takeSnapshot = async (db: Database): Promise<() => Promise<void>> => {
  const tables = await tablesOf(db);
  await runTogether(
    db,
    tables.map((table) => `create table "${copyOf(table)}" as select * from "${table}"`),
  );
  const restore = [
    ...tables.map((table) => `delete from "${table}"`),
    ...tables.map((table) => `insert into "${table}" select * from "${copyOf(table)}"`),
  ];
  return () => runTogether(db, restore);
};

const signInAt =
  (ask: Ask) =>
  async (service: string, username = 'demo', password = 'demo-password'): Promise<string> => {
    const query = new URLSearchParams({ username, password });
    const { status, text } = await ask(`GET /${service}/user/login?${query}`);
    if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${text}`);
    return String(JSON.parse(text));
  };

/** Starts a server on a new database with the demo data. */
export const startServices = async (
  environment: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): Promise<Services> => {
  const server = await startTestServer(environment, clock);
  const db = await openDatabase(server.database.url);
  const grant = (given: Grant): Promise<string> => issueToken(db, { now: clock(), ...given });
  const { origin } = server.running;
  const ask = askAt(origin);
  const petToken = await grant({ service: 'petstore', scopes: ['write:pets', 'read:pets'] });
  const adToken = await grant({ service: 'ads', scopes: ['write:ads', 'read:ads'] });
  const login = {
    petstore: await grant({ service: 'petstore', kind: 'login' }),
    ads: await grant({ service: 'ads', kind: 'login' }),
  };
  return {
    origin,
    ask,
    db,
    login,
    reset: await takeSnapshot(db),
    petToken,
    adToken,
    signIn: signInAt(ask),
    grant,
    async stop() {
      await closeDatabase(db);
      await stopTestServer(server);
    },
  };
};

/** One server for all tests of the file; call the result inside tests. */
export const useServices = (
  environment: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): (() => Services) => {
  let services: Services | undefined;
  beforeAll(async () => {
    services = await startServices(environment, clock);
  });
  afterAll(() => services?.stop());
  return () => {
    if (services === undefined) throw new Error('The server has not started');
    return services;
  };
};
