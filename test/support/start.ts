/** A server for one test file: free port, fresh database, gone when the tests are done. */

import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { type Config, readConfig } from '../../src/server/config/config';
import { type RunningServer, startServer } from '../../src/server/server';
import { type NewDatabase, newDatabase } from './new-database';

/** Scrypt's cheapest setting: tests hash many passwords. */
const cheapHashing = { PASSWORD_COST: '10' };

/** A configuration for tests; `environment` overrides. */
export const testConfig = (environment: Readonly<Record<string, string>> = {}): Config =>
  readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...cheapHashing, ...environment });

/** A started server and its database. */
export interface TestServer {
  readonly running: RunningServer;
  readonly database: NewDatabase;
}

/** Starts a server on a new database. */
export const startTestServer = async (
  environment: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): Promise<TestServer> => {
  const database = await newDatabase();
  const config = testConfig({ DATABASE_URL: database.url, ...environment });
  const running = await startServer(config, { log: pino({ level: config.logLevel }), clock });
  return { running, database };
};

/** Stops the server and removes its database. */
export const stopTestServer = async ({ running, database }: TestServer): Promise<void> => {
  await running.stop();
  await database.remove();
};

/** A server for all tests of the file; call the result inside tests. */
export const useTestServer = (
  environment: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): (() => RunningServer) => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(environment, clock);
  });
  afterAll(async () => {
    if (server !== undefined) await stopTestServer(server);
  });
  return () => {
    if (server === undefined) throw new Error('The server has not started');
    return server.running;
  };
};
