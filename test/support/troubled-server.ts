/** A server whose database the test brings into trouble, with what it logs. */

import { pino } from 'pino';
import { type RunningServer, startServer } from '../../src/server/server';
import { issuePetToken } from './access-token';
import { type Answered, type Ask, askAt } from './ask';
import { testConfig } from './start';

/** A line of the log about a failure. */
export interface FailureLine {
  readonly msg: string;
  readonly err: { readonly message: string; readonly code?: string };
}

/** A server whose database fails when a test says so. */
export interface TroubledServer {
  readonly ask: Ask;
  /** Adds a pet without an id. */
  addPet(name?: string): Promise<Answered>;
  /** Replaces a pet. */
  change(pet: object): Promise<Answered>;
  /** Reads a pet of the demo data. */
  getPet(): Promise<Answered>;
  /** The lines about failures since the last call. */
  failures(): FailureLine[];
  /** All that was logged. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts a server with the demo data; what it does not log as an error, it does not log. */
export const startTroubledServer = async (
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TroubledServer> => {
  const lines: string[] = [];
  let told = 0;
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const config = testConfig({ DATABASE_URL: databaseUrl, ...environment });
  const running: RunningServer = await startServer(config, { log });
  const token = await issuePetToken(databaseUrl);
  const ask = askAt(running.origin);
  return {
    ask,
    addPet: (name = 'Rex') =>
      ask('POST /petstore/pet', { token, body: { name, photoUrls: [], status: 'sold' } }),
    change: (pet) => ask('PUT /petstore/pet', { token, body: pet }),
    getPet: () => ask('GET /petstore/pet/1', { key: 'special-key' }),
    failures() {
      const since = lines.slice(told);
      told = lines.length;
      return since.map((line) => JSON.parse(line) as FailureLine);
    },
    log: () => lines.join(''),
    stop: () => running.stop(),
  };
};
