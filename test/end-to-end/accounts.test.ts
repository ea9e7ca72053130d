/** Users of services whose documents ask for them: what is there without any declaration, and what callers are told where nobody is. */

import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { UntypedHandler } from '../../src/engine';
import { type HandlerModules, noModules } from '../../src/host/handler-modules';
import { announcementOf } from '../../src/server/announcement';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { knexAccounts } from '../../src/storage/identity/users';
import { issueToken } from '../support/access-token';
import { type Asked, askAt } from '../support/ask';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';
import { useTemporaryFolder } from '../support/temporary-folder';
import { runCommand } from '../unit/tool/run-command';

const newDatabase = useNewDatabases();
const folder = useTemporaryFolder();

const flows = {
  authorizationCode: {
    authorizationUrl: '{auth_url}/oauth/authorize',
    tokenUrl: '{auth_url}/oauth/token',
    scopes: { read: 'Read' },
  },
};
const schemes = {
  oauth: { type: 'oauth2', flows },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid' },
  token: { type: 'http', scheme: 'bearer' },
  password: { type: 'http', scheme: 'Basic' },
  key: { type: 'apiKey', in: 'header', name: 'api_key' },
};

/** A document of one operation, which takes the credentials of one scheme, or is public. */
const documentWith = (scheme: keyof typeof schemes | undefined, components: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Rooms', version: '1' },
  servers: [{ url: '/rooms' }],
  paths: {
    '/rooms': {
      post: {
        operationId: 'addRoom',
        ...(scheme !== undefined && { security: [{ [scheme]: [] }] }),
        responses: { '204': { description: 'Added' } },
      },
    },
  },
  components: {
    ...(scheme !== undefined && { securitySchemes: { [scheme]: schemes[scheme] } }),
    ...components,
  },
});

const addRoom: UntypedHandler = async () => ({ status: 204 });
const modules: HandlerModules = {
  ...noModules('handlers/rooms'),
  exist: true,
  handlers: async () => ({
    handlers: [{ operationId: 'addRoom', handler: addRoom, file: 'room.ts' }],
    failed: [],
  }),
};

/** The parts of a start that cases change. */
interface Start {
  readonly document: object;
  readonly modules?: Partial<HandlerModules>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly url?: string;
}

const stopping: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stopping.splice(0).reverse()) await stop();
});

const start = async ({ document, modules: changed, environment, url }: Start) => {
  await writeFile(folder('rooms.json'), JSON.stringify(document));
  const databaseUrl = url ?? (await newDatabase());
  const warnings: string[] = [];
  const write = (line: string) => warnings.push(String(JSON.parse(line).msg));
  const config = testConfig({
    DATABASE_URL: databaseUrl,
    SPECS_DIRECTORY: folder(),
    ...environment,
  });
  const running: RunningServer = await startServer(config, {
    log: pino({ level: 'warn' }, { write }),
    loadHandlers: async () => ({ ...modules, ...changed }),
  });
  stopping.push(running.stop);
  const db: Database = await openDatabase(databaseUrl);
  stopping.push(() => closeDatabase(db));
  const ask = askAt(running.origin);
  return {
    ...{ running, warnings, db, ask, url: databaseUrl },
    addRoom: (asked?: Asked) => ask('POST /rooms/rooms', asked),
    users: async () => (await knexAccounts(db, 'rooms').list()).map(({ username }) => username),
    lines: announcementOf(running),
  };
};

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const advice =
  'No user can sign in to rooms yet: npm run admin -- user create --service rooms --username NAME --password -';

describe.each(['oauth', 'oidc', 'token', 'password'] as const)('a service of %s', (scheme) => {
  const document = documentWith(scheme);

  test('has a demo user, which the start names', async () => {
    const { addRoom: add, db, lines, users, warnings } = await start({ document });
    expect(lines.at(-1)).toBe('Demo login: demo / demo-password');
    expect(warnings).toEqual([]);
    expect(await users()).toEqual(['demo']);
    const token = await issueToken(db, { service: 'rooms' });
    const asked = scheme === 'password' ? { headers: basic('demo', 'demo-password') } : { token };
    expect((await add(asked)).status).toBe(204);
  });

  test('tells in production how to make the first user, until there is one', async () => {
    const environment = { DEMO_DATA: 'false' };
    const { addRoom: add, db, users, warnings } = await start({ document, environment });
    expect(await users()).toEqual([]);
    expect(warnings).toEqual([advice]);
    for (const headers of [{}, basic('demo', 'demo-password'), { Authorization: 'Bearer x' }]) {
      const refused = await add({ headers });
      expect(refused.status).toBe(401);
      expect(JSON.parse(refused.text).message).toMatch(/^[^.]+\. Send .+\. No user can sign in/);
      expect(JSON.parse(refused.text).message.endsWith(advice)).toBe(true);
    }
    await db.knex('users').insert({
      ...{ service: 'rooms', id: '1', username: 'ann', username_key: 'ann' },
      ...{ comparable_key: 'ann', password_hash: 'hash', document: '{}', format: '' },
    });
    expect(JSON.parse((await add()).text).message).not.toContain('npm run admin');
  });

  test.each<[string, Start]>([
    ['its author wants none', { document, modules: { accounts: false } }],
    [
      'its handlers verify credentials',
      {
        document,
        modules: {
          securityHandlers: async () => ({
            bearer: async () => undefined,
            basic: async () => undefined,
          }),
        },
      },
    ],
  ])('has no users where %s', async (_, given) => {
    const { addRoom: add, ask, lines, users, warnings } = await start(given);
    expect([await users(), warnings]).toEqual([[], []]);
    expect(lines.join('\n')).not.toMatch(/demo/i);
    const refused = await add();
    expect([refused.status, refused.text]).toEqual([401, expect.not.stringContaining('admin')]);
    const isOpen = given.modules?.accounts !== false;
    expect((await ask('POST /rooms/oauth/token')).status).toBe(isOpen ? 400 : 404);
  });
});

test.each<[string, Start, readonly string[]]>([
  ['takes keys alone', { document: documentWith('key') }, ['API key: special-key']],
  ['is public', { document: documentWith(undefined) }, []],
])('a service that %s has no users', async (_, given, expected) => {
  const { lines, users, warnings } = await start(given);
  expect(await users()).toEqual([]);
  expect(warnings).toEqual([]);
  expect(lines.filter((line) => /demo|key/i.test(line))).toEqual(expected);
});

test('a user whose schema asks for more than a name is its operator’s to create', async () => {
  const User = { type: 'object', required: ['email'], properties: { email: { type: 'string' } } };
  const document = documentWith('token', { schemas: { User } });
  const accounts = { schema: 'User' };
  const { users, warnings } = await start({ document, modules: { accounts } });
  expect(await users()).toEqual([]);
  expect(warnings).toEqual([advice]);
});

test('a document that comes to ask for users gets its demo user then, once', async () => {
  const { url, users: none } = await start({ document: documentWith('key') });
  expect(await none()).toEqual([]);
  const later = await start({ document: documentWith('token'), url });
  expect(await later.users()).toEqual(['demo']);
  await later.db.knex('users').delete();
  const { users } = await start({ document: documentWith('token'), url });
  expect(await users()).toEqual([]);
});

test.each([
  ['a wrong password', { ...basic('demo', 'wrong') }, 401],
  ['no such user', { ...basic('eve', 'demo-password') }, 401],
  ['no base64', { Authorization: 'Basic ?' }, 401],
  [
    'a page of another origin',
    { ...basic('demo', 'demo-password'), 'Sec-Fetch-Site': 'cross-site' },
    403,
  ],
])('HTTP Basic is refused: %s', async (_, headers, status) => {
  const { addRoom: add } = await start({ document: documentWith('password') });
  const refused = await add({ headers });
  expect(refused.status).toBe(status);
  if (status === 401) {
    expect(refused.headers['www-authenticate']).toBe('Basic realm="rooms", charset="UTF-8"');
  }
});

test('an address of sign-in that leads nowhere is told at the start and by the check', async () => {
  const document = documentWith('oauth');
  const { authorizationCode } = flows;
  const changed = { ...authorizationCode, authorizationUrl: '{auth_url}/authorize' };
  document.components.securitySchemes = {
    oauth: { type: 'oauth2', flows: { authorizationCode: changed } },
  };
  const { lines } = await start({ document });
  const warning =
    'Nothing is served at the authorizationUrl of the flow authorizationCode. Write {auth_url}/oauth/authorize.';
  expect(lines.filter((line) => line.includes(warning))).toHaveLength(1);
  const { exitCode, out } = await runCommand('check', folder('rooms.json'));
  expect([exitCode, out]).toEqual([0, expect.stringContaining(warning)]);
});
