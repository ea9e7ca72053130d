import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { createIdentity } from '../../../../src/identity/identity';
import { scryptPasswords } from '../../../../src/identity/password';
import { adminService } from '../../../../src/server/admin/admin-context';
import { readSettings } from '../../../../src/server/config/config';
import { knexClients } from '../../../../src/storage/identity/clients';
import { knexTokens, type TokenKind } from '../../../../src/storage/identity/tokens';
import { knexAccounts, usersOver } from '../../../../src/storage/identity/users';
import { useTemporaryDatabase } from '../../storage/temporary-database';
import { runIn } from './run-command';

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

const file = useTemporaryDatabase();
let line = '';
let minPasswordLength = 0;

const passwords = scryptPasswords(4);

/** Runs a command of words between blanks, and of further arguments that may have some. */
const run = (words: string, ...more: string[]) =>
  runIn(
    {
      services: [adminService(shop, { schema: 'User' }), adminService(bare, undefined)],
      database: async () => file.db,
      passwords,
      settings: readSettings({ MIN_PASSWORD_LENGTH: String(minPasswordLength) }),
      clock: () => start,
      readLine: async () => line,
    },
    [...words.split(' ').filter(Boolean), ...more],
  );

const done = (out: string | RegExp) => ({
  ...{ exitCode: 0, err: '' },
  out: typeof out === 'string' ? out : expect.stringMatching(out),
});

const refused = (err: string | RegExp) => ({
  ...{ exitCode: 2, out: '' },
  err: typeof err === 'string' ? err : expect.stringMatching(err),
});

const createAnn = (...more: string[]) =>
  run('user create --service shop --username ann --password secret --field isAgent=true', ...more);

const identityAt = (clock = start) =>
  createIdentity(
    { name: 'shop', basePath: '/shop' },
    {
      ...{ db: file.db, passwords, clock: () => clock },
      config: { minPasswordLength: 0, tokenTtlSeconds: 3600, rateLimitPerHour: 99 },
    },
  );

const request = { method: 'GET', headers: {}, address: '::1', secure: false };

const bearer = (token: string, clock = start) =>
  identityAt(clock).securityHandlers.bearer?.(token, request, 'scheme');

beforeEach(async () => {
  minPasswordLength = 0;
  for (const table of ['users', 'api_keys', 'clients']) await file.db.knex(table).delete();
});

describe('user', () => {
  test('creates a user whose fields are read by the schema', async () => {
    const given = ['--field', 'phone=0123', '--field', 'id=9223372036854775807'];
    expect(await createAnn(...given)).toEqual(done('Created the user "ann" of shop.\n'));
    const { userCodec } = adminService(shop, { schema: 'User' });
    const users = usersOver(file.db, 'shop', userCodec())(file.db);
    const ann = { id: 9223372036854775807n, username: 'ann', phone: '0123', isAgent: true };
    expect((await users.get('ann'))?.read()).toEqual(ann);
  });

  test('reads the password from standard input for "-"', async () => {
    line = 'from standard input';
    await run('user create --service shop --username ann --password - --field isAgent=false');
    const { identity } = identityAt();
    expect(await identity.signIn('ann', 'from standard input', request)).toBeDefined();
    expect(await identity.signIn('ann', '-', request)).toBeUndefined();
  });

  test('a service whose document describes no users has users all the same', async () => {
    const create = 'user create --service bare --username bob --password x';
    expect((await run(create)).exitCode).toBe(0);
    expect(await run('user list --service bare')).toEqual(done('bob\n'));
    expect(await run('user list --service shop')).toEqual(done(''));
    expect(await run(`${create} --field phone=1`)).toEqual(
      refused('A user has no field "phone"; there are: id.\n'),
    );
  });

  test('takes no password that is too short, and does not repeat it', async () => {
    minPasswordLength = 7;
    const outcome = await createAnn();
    expect(outcome).toEqual(refused('The password must have at least 7 characters.\n'));
    minPasswordLength = 6;
    expect((await createAnn()).exitCode).toBe(0);
  });

  test('disabled, cannot sign in, and has no tokens', async () => {
    await createAnn();
    const { identity } = identityAt();
    const signIn = () => identity.signIn('ann', 'secret', request);
    const token = (await signIn())?.token ?? '';
    const disable = 'user disable --service shop --username ann';
    const disabled = 'Disabled the user "ann" of shop and revoked all tokens of the user.\n';
    expect(await run(disable)).toEqual(done(disabled));
    expect(await signIn()).toBeUndefined();
    expect(await bearer(token)).toBeUndefined();
    const listed = done('ann\tdisabled 2030-01-01T12:00:00.000Z\n');
    expect(await run('user list --service shop')).toEqual(listed);
    expect(await run('token create --service shop --user ann --scope open:till')).toEqual(
      refused('The user "ann" is disabled, or has just been deleted.\n'),
    );
    // An operation that changes the user changes nothing of it.
    const { userCodec } = adminService(shop, { schema: 'User' });
    await usersOver(file.db, 'shop', userCodec())(file.db).update('ann', (user) => user, 'hash');
    expect(await run('user list --service shop')).toEqual(listed);
    await run('user delete --service shop --username ann');
    await createAnn();
    expect(await signIn()).toBeDefined();
  });

  test('enabled, can sign in again, but the tokens of before stay revoked', async () => {
    await createAnn();
    const { identity } = identityAt();
    const token = (await identity.signIn('ann', 'secret', request))?.token ?? '';
    const change = (verb: string) => run(`user ${verb} --service shop --username ann`);
    await change('disable');
    expect(await change('enable')).toEqual(done('Enabled the user "ann" of shop.\n'));
    expect(await run('user list --service shop')).toEqual(done('ann\n'));
    expect(await bearer(token)).toBeUndefined();
    expect(await identity.signIn('ann', 'secret', request)).toBeDefined();
  });

  test.each(['disable', 'enable'])('%s names a user who is there', async (verb) => {
    expect(await run(`user ${verb} --service shop --username eve`)).toEqual(
      refused('There is no user "eve" in shop.\n'),
    );
  });

  test('lists and deletes', async () => {
    await createAnn();
    expect(await run('user list --service shop')).toEqual(done('ann\n'));
    const remove = 'user delete --service shop --username ann';
    expect((await run(remove)).exitCode).toBe(0);
    expect(await run(remove)).toEqual(refused('There is no user "ann" in shop.\n'));
  });

  test.each([
    ['a taken name', [], 'The name "ann", one like it, or the id is taken in shop.\n'],
    ['a field that does not fit', ['id=seven'], /^The shop document says of the field id: must/],
    [
      'an unknown field',
      ['shoeSize=44'],
      'A user has no field "shoeSize"; there are: id, phone, isAgent.\n',
    ],
    ['no field', ['phone'], 'A field is given as --field name=value.\n'],
  ])('refuses %s in one sentence', async (_title, fields, wanted) => {
    await createAnn();
    const outcome = await createAnn(...fields.flatMap((field) => ['--field', field]));
    expect(outcome).toEqual(refused(wanted));
    expect(outcome.err).toMatch(/^[^\n]*\n$/);
    expect(outcome.err).not.toContain('secret');
  });

  test.each([
    ['a required field', 'ann', 'x', /isAgent/],
    ['an empty password', 'ann', '', /may be empty/],
    ['an empty name', '', 'x', /may be empty/],
    ['a name that ends with a letter', 'ann ', 'x', /^The user name must not begin or end with/],
  ])('refuses to go without %s', async (_title, username, password, wanted) => {
    const given = ['--username', username, '--password', password];
    expect(await run('user create --service shop', ...given)).toEqual(refused(wanted));
  });
});

describe('token', () => {
  beforeEach(() => createAnn());

  const create = (words: string, ...more: string[]) =>
    run(`token create --service shop --user ann ${words}`, ...more);

  test('prints exactly one line, a token with declared and required scopes', async () => {
    const outcome = await create('--ttl 60 --scope', 'open:till  count:till open:till');
    expect(outcome).toEqual(done(/^[\w-]{43}\n$/));
    const token = outcome.out.trim();
    const scopes = ['open:till', 'count:till'];
    expect(await bearer(token, start + 59_999)).toMatchObject({ username: undefined, scopes });
    expect(await bearer(token, start + 60_000)).toBeUndefined();
  });

  test.each([
    [
      'an unknown scope',
      '--scope fly:till',
      'shop knows no scope "fly:till"; it knows: count:till, open:till.\n',
    ],
    ['an unknown user', '--scope open:till --user eve', 'There is no user "eve" in shop.\n'],
    [
      'a lifetime of nothing',
      '--scope open:till --ttl 0',
      /^error: option '--ttl <seconds>' argument '0' is invalid\. It must be .*\n$/,
    ],
    ['no scope option', '', /^error: required option '--scope <scopes>' not specified\n$/],
  ])('refuses %s in one sentence', async (_title, more, wanted) => {
    expect(await create(more)).toEqual(refused(wanted));
  });

  test('revokes one token, which may come from standard input', async () => {
    line = (await create('--scope open:till')).out.trim();
    const revoke = 'token revoke --service shop --token -';
    expect((await run(revoke)).exitCode).toBe(0);
    expect(await bearer(line)).toBeUndefined();
    expect(await run(revoke)).toEqual(
      refused('There is no such token in shop; it may have expired.\n'),
    );
  });

  test("revokes all of a user's tokens", async () => {
    for (const scope of ['open:till', 'count:till']) await create(`--scope ${scope}`);
    const revoke = 'token revoke --service shop --user ann';
    expect(await run(revoke)).toEqual(done('Revoked 2 tokens.\n'));
  });

  test.each(['', '--token x --user ann', '--id 1 --token x'])(
    'revokes nothing with "%s"',
    async (more) => {
      expect(await run(`token revoke --service shop ${more}`)).toEqual(
        refused('Give either --token, --id or --user.\n'),
      );
    },
  );
});

describe('tokens and sessions', () => {
  const expiresAt = start + 1000;
  const ids: Record<string, string> = {};

  /** Adds a token under a name, and keeps its id. */
  const add = async (hash: string, username: string, kind: TokenKind, client?: string) => {
    const tokens = knexTokens(file.db, 'shop');
    const userKey = (await knexAccounts(file.db, 'shop').find(username))?.key ?? '';
    const scopes = kind === 'access-token' ? ['open:till', 'count:till'] : [];
    const times = { createdAt: start - 1000, expiresAt };
    // Clients ask for tokens of resources.
    const bound = client === undefined ? {} : { resources: [`https://${client}.example`] };
    await tokens.add({ kind, hash, userKey, scopes, client, ...bound, ...times });
    ids[hash] = (await tokens.findActive(hash, start))?.key ?? '';
  };

  beforeEach(async () => {
    await createAnn();
    await run('user create --service shop --username bob --password x --field isAgent=true');
    await add('a', 'ann', 'access-token', 'app');
    await add('b', 'bob', 'access-token');
    await add('c', 'ann', 'login');
    await add('d', 'ann', 'page-login');
    await add('e', 'bob', 'login');
  });

  const times = 'created 2030-01-01T11:59:59.000Z\texpires 2030-01-01T12:00:01.000Z';
  const scopes = 'scopes: open:till, count:till';
  const lines: Readonly<Record<string, string>> = {
    a: `access-token\tann\t${scopes}\tresources: https://app.example\tapp\t${times}`,
    b: `access-token\tbob\t${scopes}\t${times}`,
    c: `login\tann\t${times}`,
    d: `oauth-page\tann\t${times}`,
    e: `login\tbob\t${times}`,
  };

  const lineOf = (name: string) => `${ids[name]}\t${lines[name]}`;

  test.each([
    ['token list', 'abcde'],
    ['token list --user ann', 'acd'],
    ['token list --client app', 'a'],
    ['token list --client app --user bob', ''],
    ['session list', 'cde'],
    ['session list --user bob', 'e'],
  ])('%s', async (words, names) => {
    const { exitCode, out, err } = await run(`${words} --service shop`);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out.split('\n').filter(Boolean).sort()).toEqual([...names].map(lineOf).sort());
    expect(await run(`${words.split(' --')[0]} --service bare`)).toEqual(done(''));
  });

  test.each([
    ['token revoke --id a', 'Revoked the token.\n', 'bcde'],
    ['token revoke --id c', 'Revoked the token.\n', 'abde'],
    ['token revoke --user ann', 'Revoked 3 tokens.\n', 'be'],
    ['session revoke --id d', 'Revoked the session.\n', 'abce'],
    ['session revoke --user ann', 'Revoked 2 sessions.\n', 'abe'],
  ])('%s', async (words, said, names) => {
    const [, id = ''] = /--id (\w)$/.exec(words) ?? [];
    const command = `${words.replace(/--id \w$/, `--id ${ids[id]}`)} --service shop`;
    expect(await run(command)).toEqual(done(said));
    const { out } = await run('token list --service shop');
    expect(out.split('\n').filter(Boolean).sort()).toEqual([...names].map(lineOf).sort());
    if (id === '') return;
    const [noun] = words.split(' ');
    const gone = refused(`There is no such ${noun} in shop; it may have expired.\n`);
    expect(await run(command)).toEqual(gone);
  });

  test.each([
    ['session revoke --id a', /^There is no such session in shop/],
    ['session revoke', 'Give either --id or --user.\n'],
    ['session revoke --id 2147483648', /It must be a number of the list\.\n$/],
    ['token revoke --id x1', /It must be a number of the list\.\n$/],
    ['token revoke --id 2147483647', /^There is no such token in shop/],
    ['token list --user eve', 'There is no user "eve" in shop.\n'],
  ])('refuses %s, and revokes nothing', async (words, wanted) => {
    const command = words.replace(/--id a$/, `--id ${ids['a']}`);
    expect(await run(`${command} --service shop`)).toEqual(refused(wanted));
    expect((await run('token list --service shop')).out.match(/\n/g)).toHaveLength(5);
  });

  test('are listed as JSON without their digests', async () => {
    const { out } = await run('token list --service shop --user ann --format json');
    const dates = { createdAt: '2030-01-01T11:59:59.000Z', expiresAt: '2030-01-01T12:00:01.000Z' };
    const { tokens } = JSON.parse(out);
    expect(tokens).toHaveLength(3);
    expect(tokens).toContainEqual({
      ...{ id: ids['a'], kind: 'access-token', user: 'ann', client: 'app' },
      ...{ scopes: ['open:till', 'count:till'], resources: ['https://app.example'], ...dates },
    });
    expect(tokens).toContainEqual({ id: ids['c'], kind: 'login', user: 'ann', ...dates });
  });
});

describe('api-key', () => {
  const create = (label: string) => run('api-key create --service shop --label', label);

  test('prints the key once and keeps its digest alone; lists and revokes it', async () => {
    const outcome = await create('till');
    expect(outcome).toEqual(done(/^[\w-]{43}\n$/));
    const key = outcome.out.trim();
    const use = async () => identityAt().securityHandlers.apiKey?.(key, request, 'scheme');
    expect(await use()).toMatchObject({ subject: 'api-key:till' });
    expect(JSON.stringify(await file.db.knex('api_keys').select())).not.toContain(key);
    const list = 'api-key list --service shop';
    const created = 'till\tcreated 2030-01-01T12:00:00.000Z';
    expect(await run(list)).toEqual(done(`${created}\n`));
    expect(await run('api-key list --service bare')).toEqual(done(''));
    const revoke = 'api-key revoke --service shop --label till';
    expect((await run(revoke)).exitCode).toBe(0);
    expect((await run(revoke)).exitCode).toBe(2);
    expect(await use()).toBeUndefined();
    expect(await run(list)).toEqual(done(`${created}\trevoked 2030-01-01T12:00:00.000Z\n`));
  });

  describe('that is rotated', () => {
    const rotate = (...more: string[]) =>
      run('api-key rotate --service shop --label till', ...more);
    const subjectAt = async (key: string, clock = start) =>
      (await identityAt(clock).securityHandlers.apiKey?.(key, request, 'scheme'))?.subject;
    const isGood = async (key: string, clock = start) =>
      (await subjectAt(key, clock)) === 'api-key:till';
    let old = '';

    beforeEach(async () => {
      old = (await create('till')).out.trim();
    });

    test.each([
      [[], 24 * 60 * 60 * 1000],
      [['--overlap', '2h'], 2 * 60 * 60 * 1000],
      [['--overlap', '0'], 0],
      [['--overlap', '0h'], 0],
    ])('with %j stays good for so long, under its label', async (more, overlap) => {
      const outcome = await rotate(...more);
      expect(outcome).toEqual(done(/^[\w-]{43}\n$/));
      const key = outcome.out.trim();
      const end = start + overlap;
      expect([
        await isGood(key),
        await isGood(old, Math.max(start, end - 1)),
        await isGood(old, end),
      ]).toEqual([true, overlap > 0, false]);
      expect(await isGood(key, end)).toBe(true);
      const created = 'till\tcreated 2030-01-01T12:00:00.000Z';
      expect(await run('api-key list --service shop')).toEqual(
        done(`${created}\n${created}\tvalid until ${new Date(end).toISOString()}\n`),
      );
    });

    test('again, is refused while the key before it is good, unless both end at once', async () => {
      const second = (await rotate('--overlap', '1h')).out.trim();
      expect(await rotate()).toEqual(
        refused('The key before that of "till" is still good; --overlap 0 ends both at once.\n'),
      );
      expect([await isGood(old), await isGood(second)]).toEqual([true, true]);
      const third = (await rotate('--overlap', '0')).out.trim();
      const keys = [old, second, third];
      expect(await Promise.all(keys.map((key) => isGood(key)))).toEqual([false, false, true]);
      expect((await rotate()).exitCode).toBe(0);
      expect(await isGood(third)).toBe(true);
    });

    test('is revoked with the one that has replaced it', async () => {
      const key = (await rotate()).out.trim();
      await run('api-key revoke --service shop --label till');
      expect([await isGood(old), await isGood(key)]).toEqual([false, false]);
      expect(await rotate()).toEqual(refused('There is no active API key "till" in shop.\n'));
    });

    test.each(['1', 'h', '24 h', '-1h', '99999h', '1d'])(
      'is not with the overlap %s',
      async (overlap) => {
        expect(await rotate(`--overlap=${overlap}`)).toEqual(
          refused(/It must be a number of hours, such as 24h, or 0\.\n$/),
        );
        expect(await isGood(old, start + 1)).toBe(true);
      },
    );
  });

  test.each([
    ['till', 'The label "till" was used before in shop.\n'],
    ['', 'The label may not be empty.\n'],
    [' ', 'The label may not be empty.\n'],
  ])('refuses the label "%s", also after it was revoked', async (label, wanted) => {
    await create('till');
    expect(await create(label)).toEqual(refused(wanted));
    await run('api-key revoke --service shop --label till');
    expect(await create(label)).toEqual(refused(wanted));
  });
});

describe('client', () => {
  const create = (id: string, name: string, ...uris: string[]) =>
    run(
      'client create --service shop',
      ...['--id', id, '--name', name],
      ...uris.flatMap((uri) => ['--redirect-uri', uri]),
    );

  test('registers once, lists and deletes', async () => {
    const uris = ['https://app.example/callback', 'http://127.0.0.1:3000/callback'];
    expect((await create('app', 'The App', ...uris)).exitCode).toBe(0);
    expect((await create('app', 'Another', 'https://x.example/')).exitCode).toBe(2);
    const app = { clientId: 'app', name: 'The App', redirectUris: uris };
    expect(await knexClients(file.db, 'shop').find('app')).toEqual(app);
    expect(await knexClients(file.db, 'bare').find('app')).toBeUndefined();
    const listed = `app\tThe App\t${uris.join('\t')}\n`;
    expect(await run('client list --service shop')).toEqual(done(listed));
    const remove = 'client delete --service shop --id app';
    expect((await run(remove)).exitCode).toBe(0);
    expect((await run(remove)).exitCode).toBe(2);
  });

  test('may be bound to a flow', async () => {
    const createBound = (id: string, flows: string) =>
      run(
        `client create --service shop --id ${id} --name App --redirect-uri https://app.example/`,
        ...['--flows', flows],
      );
    expect((await createBound('one', 'code')).exitCode).toBe(0);
    expect((await createBound('both', 'implicit, code')).exitCode).toBe(0);
    const listed = ['both\tApp\thttps://app.example/\tflows: code, implicit\n'];
    listed.push('one\tApp\thttps://app.example/\tflows: code\n');
    expect(await run('client list --service shop')).toEqual(done(listed.join('')));
    expect(await createBound('none', 'password')).toEqual(refused(/There are: code, implicit\./));
  });

  test('needs a redirect URI', async () => {
    const wanted = refused(/Give a --redirect-uri/);
    expect(await run('client create --service shop --id web --name App')).toEqual(wanted);
  });

  test('that an earlier version registered for devices is listed, and may use no flow', async () => {
    const tv = { client_id: 'tv', name: 'TV', redirect_uris: '', flows: 'device' };
    await file.db.knex('clients').insert({ service: 'shop', ...tv });
    expect(await run('client list --service shop')).toEqual(done('tv\tTV\tflows: \n'));
    expect(await knexClients(file.db, 'shop').find('tv')).toMatchObject({ flows: [] });
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
    expect(await create(id, 'App', uri)).toEqual(refused(wanted));
  });
});

describe('--format json', () => {
  const createdAt = '2030-01-01T12:00:00.000Z';
  const validUntil = '2030-01-01T13:00:00.000Z';
  const secret = expect.stringMatching(/^[\w-]{43}$/);
  const app = { id: 'app', name: 'App', redirectUris: ['https://app.example/'], flows: ['code'] };

  test('is one document for each command, with secrets where they are made alone', async () => {
    for (const [words, wanted] of [
      ['user create --username ann --password secret --field isAgent=true', { username: 'ann' }],
      ['user list', { users: [{ username: 'ann' }] }],
      ['user disable --username ann', { username: 'ann' }],
      ['user list', { users: [{ username: 'ann', disabledAt: createdAt }] }],
      ['user enable --username ann', { username: 'ann' }],
      [
        'token create --user ann --scope open:till',
        {
          ...{ token: secret, id: expect.any(String), kind: 'access-token', user: 'ann' },
          ...{ scopes: ['open:till'], createdAt, expiresAt: '2030-01-01T13:00:00.000Z' },
        },
      ],
      ['token revoke --user ann', { revoked: 1 }],
      ['api-key create --label till', { label: 'till', key: secret, createdAt }],
      ['api-key list', { apiKeys: [{ label: 'till', createdAt }] }],
      [
        'api-key rotate --label till --overlap 1h',
        { label: 'till', key: secret, createdAt, previousUntil: validUntil },
      ],
      [
        'api-key list',
        {
          apiKeys: [
            { label: 'till', createdAt },
            { label: 'till', createdAt, validUntil },
          ],
        },
      ],
      ['api-key revoke --label till', { label: 'till', revokedAt: createdAt }],
      ['client create --id app --name App --redirect-uri https://app.example/ --flows code', app],
      ['client list', { clients: [app] }],
      ['client delete --id app', { id: 'app' }],
      ['user delete --username ann', { username: 'ann' }],
      ['user list', { users: [] }],
    ] as const) {
      const outcome = await run(`${words} --service shop --format json`);
      expect(outcome).toEqual({ exitCode: 0, out: expect.any(String), err: '' });
      expect(JSON.parse(outcome.out)).toEqual(wanted);
    }
  });

  test.each([
    ['user delete --username eve', 'There is no user "eve" in shop.\n'],
    ['user list --format xml', /^error: option '--format <format>' argument 'xml' is invalid/],
  ])('changes no error: %s', async (words, wanted) => {
    expect(await run(`${words} --service shop`, '--format', 'json')).toEqual(refused(wanted));
  });
});

describe('help and wrong use', () => {
  test.each([
    ...['--help', 'user --help', 'user create --help', 'api-key create --help'],
    ...['client create --help', 'token create --help', 'token revoke --help'],
    ...['session list --help', 'session revoke --help', 'user disable --help'],
    ...['api-key rotate --help'],
  ])('%s helps', async (words) => {
    expect(await run(words)).toEqual(done(/^Usage: admin /));
  });

  test.each([
    ['fly', "error: unknown command 'fly'\n"],
    ['user fly', "error: unknown command 'fly'\n"],
    ['user list', "error: required option '--service <name>' not specified\n"],
    [
      'user list --service zoo',
      "error: option '--service <name>' argument 'zoo' is invalid. There is no such service; there are: shop, bare.\n",
    ],
    ['user list --service shop --fly', "error: unknown option '--fly'\n"],
    ['', /^Usage: admin /],
    ['user', /^Usage: admin /],
  ])('"%s" is refused', async (words, wanted) => {
    expect(await run(words)).toEqual(refused(wanted));
  });
});
