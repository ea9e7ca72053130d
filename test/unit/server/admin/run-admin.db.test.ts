import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/document';
import { type AdminContext, serviceFacts } from '../../../../src/server/admin/admin-context';
import { runAdmin } from '../../../../src/server/admin/run-admin';
import { createIdentity } from '../../../../src/server/identity/identity';
import { scryptPasswords } from '../../../../src/server/identity/password';
import { knexApiKeys } from '../../../../src/server/storage/identity/api-keys';
import { knexClients } from '../../../../src/server/storage/identity/clients';
import { knexUsers } from '../../../../src/server/storage/identity/users';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/temporary-database';

const start = Date.UTC(2030, 0, 1, 12);

const shop = parseApiDocument(
  'specs/shop.yaml',
  `
openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: /shop }]
paths:
  /till:
    get:
      operationId: openTill
      security: [{ oauth: ['open:till'] }, { key: [] }]
      responses: { '200': { description: Open } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: key }
    oauth:
      type: oauth2
      flows: { implicit: { authorizationUrl: /authorize, scopes: { 'count:till': Count } } }
  schemas:
    User:
      type: object
      required: [username, password, isAgent]
      properties:
        id: { type: integer, format: int64 }
        username: { type: string }
        password: { type: string, writeOnly: true }
        phone: { type: string }
        isAgent: { type: boolean }
`,
);

const bare = parseApiDocument(
  'specs/bare.yaml',
  `
openapi: 3.0.3
info: { title: Bare, version: '1' }
servers: [{ url: /bare }]
paths: {}
`,
);

let file: TemporaryDatabase;
let output: { out: string; err: string };
let line = '';

const passwords = scryptPasswords(4);

const run = async (...args: string[]) => {
  output = { out: '', err: '' };
  const context: AdminContext = {
    services: [serviceFacts(shop, { schema: 'User' }), serviceFacts(bare, undefined)],
    databaseUrl: file.url,
    database: async () => file.db,
    passwords,
    tokenTtlSeconds: 3600,
    clock: () => start,
    print: (text) => {
      output.out += `${text}\n`;
    },
    readLine: async () => line,
  };
  const exitCode = await runAdmin(args, context, {
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
  });
  return { exitCode, ...output };
};

const createAnn = (...more: string[]) =>
  run(
    ...['user', 'create', '--service', 'shop', '--username', 'ann', '--password', 'secret'],
    ...['--field', 'isAgent=true', ...more],
  );

const securityHandlers = (clock = start) =>
  createIdentity(
    { name: 'shop', basePath: '/shop' },
    { db: file.db, passwords, tokenTtlSeconds: 3600, rateLimitPerHour: 99, clock: () => clock },
  );

const request = { method: 'GET', headers: {}, address: '::1', secure: false };

beforeAll(async () => {
  file = await openTemporaryDatabase();
});

beforeEach(async () => {
  for (const table of ['users', 'api_keys', 'clients']) await file.db.knex(table).delete();
});

afterAll(() => file.remove());

describe('user', () => {
  test('creates a user whose fields are read by the schema, and who can log in', async () => {
    const done = await createAnn('--field', 'phone=0123', '--field', 'id=9223372036854775807');
    expect(done).toEqual({
      exitCode: 0,
      out: 'The user "ann" of shop is created.\n',
      err: '',
    });
    const users = knexUsers(file.db, 'shop', serviceFacts(shop, { schema: 'User' }).userCodec());
    expect(await users.find('ann')).toEqual({
      id: 9223372036854775807n,
      username: 'ann',
      phone: '0123',
      isAgent: true,
    });
    const login = await securityHandlers().identity.signIn('ann', 'secret', request);
    expect(login?.token).toBeDefined();
  });

  test('reads the password from standard input for "-"', async () => {
    line = 'from standard input';
    await run(
      ...['user', 'create', '--service', 'shop', '--username', 'ann', '--password', '-'],
      ...['--field', 'isAgent=false'],
    );
    const { identity } = securityHandlers();
    expect(await identity.signIn('ann', 'from standard input', request)).toBeDefined();
    expect(await identity.signIn('ann', '-', request)).toBeUndefined();
  });

  test('a service whose document describes no users has users all the same', async () => {
    const create = ['user', 'create', '--service', 'bare', '--username', 'bob', '--password', 'x'];
    expect((await run(...create)).exitCode).toBe(0);
    expect((await run('user', 'list', '--service', 'bare')).out).toBe('bob\n');
    expect((await run('user', 'list', '--service', 'shop')).out).toBe('');
    expect(await run(...create, '--field', 'phone=1')).toMatchObject({
      exitCode: 2,
      err: 'A user has no field "phone"; there are: id.\n',
    });
  });

  test('lists and deletes', async () => {
    await createAnn();
    expect((await run('user', 'list', '--service', 'shop')).out).toBe('ann\n');
    const remove = ['user', 'delete', '--service', 'shop', '--username', 'ann'];
    expect((await run(...remove)).exitCode).toBe(0);
    expect(await run(...remove)).toMatchObject({
      exitCode: 2,
      err: 'There is no user "ann" in shop.\n',
    });
  });

  test.each([
    ['a taken name', [], 'The name "ann" or the id is taken in shop.\n'],
    [
      'a field that does not fit',
      ['--field', 'id=seven'],
      /^The shop document says of the field id: must be .*\.\n$/,
    ],
    [
      'an unknown field',
      ['--field', 'shoeSize=44'],
      'A user has no field "shoeSize"; there are: id, phone, isAgent.\n',
    ],
    ['no field', ['--field', 'phone'], 'A field is given as --field name=value.\n'],
  ])('refuses %s in one sentence', async (_title, more, wanted) => {
    await createAnn();
    const done = await createAnn(...more);
    expect(done).toMatchObject({ exitCode: 2, out: '' });
    expect(done.err).toMatch(wanted);
    expect(done.err).not.toContain('secret');
  });

  test.each([
    ['a required field', ['--username', 'ann', '--password', 'x'], /isAgent/],
    ['an empty password', ['--username', 'ann', '--password', ''], /may be empty/],
    ['an empty name', ['--username', '', '--password', 'x'], /may be empty/],
  ])('refuses to go without %s', async (_title, more, wanted) => {
    const done = await run('user', 'create', '--service', 'shop', ...more);
    expect(done.exitCode).toBe(2);
    expect(done.err).toMatch(wanted);
  });
});

describe('token', () => {
  beforeEach(() => createAnn());

  const create = (...more: string[]) =>
    run('token', 'create', '--service', 'shop', '--user', 'ann', ...more);

  test('prints exactly one line, a token with declared and required scopes', async () => {
    const done = await create('--scope', 'open:till  count:till open:till', '--ttl', '60');
    expect(done).toEqual({ exitCode: 0, out: expect.stringMatching(/^[\w-]{43}\n$/), err: '' });
    const token = done.out.trim();
    expect(await securityHandlers().securityHandlers.bearer?.(token, request)).toMatchObject({
      username: undefined,
      scopes: ['open:till', 'count:till'],
    });
    const later = securityHandlers(start + 59_999).securityHandlers;
    expect(await later.bearer?.(token, request)).toBeDefined();
    const tooLate = securityHandlers(start + 60_000).securityHandlers;
    expect(await tooLate.bearer?.(token, request)).toBeUndefined();
  });

  test.each([
    [
      'an unknown scope',
      ['--scope', 'open:till fly:till'],
      'shop knows no scope "fly:till"; it knows: count:till, open:till.\n',
    ],
    ['an unknown user', ['--scope', '', '--user', 'eve'], 'There is no user "eve" in shop.\n'],
    [
      'a lifetime of nothing',
      ['--scope', '', '--ttl', '0'],
      /^error: option '--ttl <seconds>' argument '0' is invalid\. It must be .*\n$/,
    ],
    ['no scope option', [], /^error: required option '--scope <scopes>' not specified\n$/],
  ])('refuses %s in one sentence', async (_title, more, wanted) => {
    const done = await create(...more);
    expect(done).toMatchObject({ exitCode: 2, out: '' });
    expect(done.err).toMatch(wanted);
  });

  test('revokes one token, which may come from standard input', async () => {
    const token = (await create('--scope', 'open:till')).out.trim();
    line = token;
    const revoke = ['token', 'revoke', '--service', 'shop', '--token', '-'];
    expect((await run(...revoke)).exitCode).toBe(0);
    expect(await securityHandlers().securityHandlers.bearer?.(token, request)).toBeUndefined();
    expect(await run(...revoke)).toMatchObject({
      exitCode: 2,
      err: 'There is no such token in shop; it may have expired.\n',
    });
  });

  test("revokes all of a user's tokens", async () => {
    await create('--scope', 'open:till');
    await create('--scope', 'open:till');
    const done = await run('token', 'revoke', '--service', 'shop', '--user', 'ann');
    expect(done).toMatchObject({ exitCode: 0, out: '2 tokens are ended.\n' });
  });

  test.each([[[]], [['--token', 'x', '--user', 'ann']]])(
    'revokes nothing with %j',
    async (more: string[]) => {
      const done = await run('token', 'revoke', '--service', 'shop', ...more);
      expect(done).toMatchObject({ exitCode: 2, err: 'Give either --token or --user.\n' });
    },
  );
});

describe('api-key', () => {
  const create = (label: string) => run('api-key', 'create', '--service', 'shop', '--label', label);

  test('prints the key once and keeps its digest alone', async () => {
    const done = await create('till');
    expect(done).toEqual({ exitCode: 0, out: expect.stringMatching(/^[\w-]{43}\n$/), err: '' });
    const key = done.out.trim();
    expect(await securityHandlers().securityHandlers.apiKey?.(key, request)).toMatchObject({
      subject: 'api-key:till',
    });
    expect(JSON.stringify(await file.db.knex('api_keys').select())).not.toContain(key);
  });

  test('lists and revokes', async () => {
    const key = (await create('till')).out.trim();
    const list = ['api-key', 'list', '--service', 'shop'];
    expect((await run(...list)).out).toBe('till\tcreated 2030-01-01T12:00:00.000Z\n');
    const revoke = ['api-key', 'revoke', '--service', 'shop', '--label', 'till'];
    expect((await run(...revoke)).exitCode).toBe(0);
    expect((await run(...revoke)).exitCode).toBe(2);
    expect((await run(...list)).out).toMatch(/\trevoked 2030-01-01T12:00:00.000Z\n$/);
    expect(await securityHandlers().securityHandlers.apiKey?.(key, request)).toBeUndefined();
    expect(await knexApiKeys(file.db, 'shop').list()).toHaveLength(1);
  });

  test.each([
    ['till', 'The label "till" was used before in shop.\n'],
    [' ', 'The label may not be empty.\n'],
  ])('refuses the label "%s"', async (label, wanted) => {
    await create('till');
    expect(await create(label)).toEqual({ exitCode: 2, out: '', err: wanted });
  });
});

describe('client', () => {
  const create = (...more: string[]) => run('client', 'create', '--service', 'shop', ...more);

  test('registers, lists and deletes', async () => {
    const uris = ['https://app.example/callback', 'http://127.0.0.1:3000/callback'];
    const done = await create(
      ...['--id', 'app', '--name', 'The App'],
      ...uris.flatMap((uri) => ['--redirect-uri', uri]),
    );
    expect(done.exitCode).toBe(0);
    expect(await knexClients(file.db, 'shop').find('app')).toEqual({
      clientId: 'app',
      name: 'The App',
      redirectUris: uris,
    });
    const list = await run('client', 'list', '--service', 'shop');
    expect(list.out).toBe(`app\tThe App\t${uris.join('\t')}\n`);
    const remove = ['client', 'delete', '--service', 'shop', '--id', 'app'];
    expect((await run(...remove)).exitCode).toBe(0);
    expect((await run(...remove)).exitCode).toBe(2);
  });

  test.each([
    ['a relative redirect URI', 'app', '/callback', /redirect URI/],
    ['a fragment', 'app', 'https://app.example/#x', /redirect URI/],
    ['plain http elsewhere', 'app', 'http://app.example/', /redirect URI/],
    ['a script', 'app', 'javascript:alert(1)', /redirect URI/],
    ['a line break', 'app', 'https://app.example/\nhttps://evil.example/', /redirect URI/],
    ['a redirect URI beyond ASCII', 'app', 'https://app.example/é', /redirect URI/],
    ['the documentation page', 'docs', 'https://app.example/', /documentation page/],
    ['an identifier with blanks', 'my app', 'https://app.example/', /identifier/],
  ])('refuses %s', async (_title, id, uri, wanted) => {
    const done = await create('--id', id, '--name', 'App', '--redirect-uri', uri);
    expect(done).toMatchObject({ exitCode: 2, out: '' });
    expect(done.err).toMatch(wanted);
  });
});

describe('help and wrong use', () => {
  test.each([
    [['--help']],
    [['user', '--help']],
    [['user', 'create', '--help']],
    [['token', 'create', '--help']],
    [['token', 'revoke', '--help']],
    [['api-key', 'create', '--help']],
    [['client', 'create', '--help']],
  ])('%j helps', async (args: string[]) => {
    const done = await run(...args);
    expect(done).toMatchObject({ exitCode: 0, err: '' });
    expect(done.out).toMatch(/^Usage: admin /);
  });

  test.each([
    [['fly'], "error: unknown command 'fly'\n"],
    [['user', 'fly'], "error: unknown command 'fly'\n"],
    [['user', 'list'], "error: required option '--service <name>' not specified\n"],
    [
      ['user', 'list', '--service', 'zoo'],
      "error: option '--service <name>' argument 'zoo' is invalid. There is no such service; there are: shop, bare.\n",
    ],
    [['user', 'list', '--service', 'shop', '--fly'], "error: unknown option '--fly'\n"],
  ])('%j is refused in one sentence', async (args: string[], err: string) => {
    expect(await run(...args)).toEqual({ exitCode: 2, out: '', err });
  });

  test.each([[[]], [['user']]])('%j says what there is', async (args: string[]) => {
    const done = await run(...args);
    expect(done).toMatchObject({ exitCode: 2, out: '' });
    expect(done.err).toMatch(/^Usage: admin /);
  });
});
