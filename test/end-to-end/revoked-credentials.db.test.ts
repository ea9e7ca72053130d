/** A revoked credential is refused at once by every process, and no handler runs for it, however often it was good before. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { LoadHandlers } from '../../src/host/handler-modules';
import { loadHandlerModules } from '../../src/host/module-loader';
import { digest } from '../../src/identity/token';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { knexApiKeys } from '../../src/storage/identity/api-keys';
import { knexAccounts } from '../../src/storage/identity/users';
import { issueToken } from '../support/access-token';
import { type Ask, type Asked, askAt } from '../support/ask';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';

const newDatabase = useNewDatabases();

const times = 50;

/** Runs of handlers. */
let runs = 0;

const countingHandlers: LoadHandlers = async (name) => {
  const modules = await loadHandlerModules('handlers', name);
  return {
    ...modules,
    async handlers(...given) {
      const { handlers, failed } = await modules.handlers(...given);
      const counting = handlers.map((loaded): (typeof handlers)[number] => ({
        ...loaded,
        handler: (request) => {
          runs += 1;
          return loaded.handler(request);
        },
      }));
      return { handlers: counting, failed };
    },
  };
};

let servers: RunningServer[] = [];
let db: Database;
let revokeAt: Ask;
let ask: Ask;

beforeAll(async () => {
  const config = testConfig({ DATABASE_URL: await newDatabase() });
  const options = { log: pino({ level: 'silent' }), loadHandlers: countingHandlers };
  servers = [await startServer(config, options), await startServer(config, options)];
  [revokeAt, ask] = servers.map(({ origin }) => askAt(origin)) as [Ask, Ask];
  db = await openDatabase(config.databaseUrl);
});

afterAll(async () => {
  await closeDatabase(db);
  for (const server of servers) await server.stop();
});

const form = 'application/x-www-form-urlencoded';

/** Makes a credential; gives how requests carry it, and how another process ends it. */
type MakeCredential = (
  at: number,
) => Promise<{ readonly asked: Asked; revoke(): Promise<unknown> }>;

const newToken: MakeCredential = async () => {
  const scopes = ['read:pets', 'write:pets'];
  const token = await issueToken(db, { service: 'petstore', scopes, client: 'docs' });
  const body = `token=${token}&client_id=docs`;
  return {
    asked: { token },
    revoke: async () =>
      (await revokeAt('POST /petstore/oauth/revoke', { type: form, body })).status,
  };
};

const newKey: MakeCredential = async (at) => {
  const [label, key] = [`partner ${at}`, `key ${at}`];
  const keys = knexApiKeys(db, 'petstore');
  await keys.add({ label, hash: digest(key), createdAt: Date.now() });
  return { asked: { key }, revoke: () => keys.revoke(label, Date.now()) };
};

/** Makes a token of a user who is then disabled. */
const newTokenOfUser: MakeCredential = async () => {
  const accounts = knexAccounts(db, 'petstore');
  await accounts.setDisabled('user1', null);
  const scopes = ['read:pets', 'write:pets'];
  const token = await issueToken(db, { service: 'petstore', scopes, user: 'user1' });
  return { asked: { token }, revoke: () => accounts.setDisabled('user1', Date.now()) };
};

/** Makes a key that is then replaced. */
const newReplacedKey: MakeCredential = async (at) => {
  const { asked } = await newKey(at + times);
  const replacement = { label: `partner ${at + times}`, hash: `hash ${at}`, createdAt: Date.now() };
  const keys = knexApiKeys(db, 'petstore');
  return { asked, revoke: () => keys.rotate(replacement, replacement.createdAt) };
};

const body = { name: 'Rex', photoUrls: [] };

test.each([
  ['token', 'GET /petstore/pet/1', {}, newToken, 200],
  ['token', 'POST /petstore/pet', { body }, newToken, 200],
  ['API key', 'GET /petstore/pet/2', {}, newKey, true],
  ['token of a disabled user', 'GET /petstore/pet/2', {}, newTokenOfUser, true],
  ['API key that was replaced', 'GET /petstore/pet/1', {}, newReplacedKey, true],
] as const)('a revoked %s: %s', async (_kind, target, request, make, revoked) => {
  for (let at = 0; at < times; at += 1) {
    const { asked, revoke } = await make(at);
    expect((await ask(target, { ...request, ...asked })).status).toBe(200);
    expect(await revoke()).toBe(revoked);
    runs = 0;
    expect((await ask(target, { ...request, ...asked })).status).toBe(401);
    expect(runs).toBe(0);
  }
});

describe('a refused credential', () => {
  test.each([
    ['that is not found', '/petstore/pet/4711'],
    ['that is malformed', '/petstore/pet/x'],
  ])('tells nothing of a path %s', async (_, path) => {
    const { asked, revoke } = await newToken(0);
    const before = await ask(`GET ${path}`, asked);
    expect([400, 404]).toContain(before.status);
    await revoke();
    expect((await ask(`GET ${path}`, asked)).status).toBe(401);
  });
});
