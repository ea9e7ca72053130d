import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { createIdentity } from '../../../../src/identity/identity';
import { scryptPasswords } from '../../../../src/identity/password';
import { adminService } from '../../../../src/server/admin/admin-context';
import { readSettings } from '../../../../src/server/config/config';
import { knexClients } from '../../../../src/storage/identity/clients';
import { knexTokens, type TokenKind } from '../../../../src/storage/identity/tokens';
import { knexAccounts, usersOver } from '../../../../src/storage/identity/users';
import { testSessions, wordsOf } from '../../../support/sessions';
import { useTemporaryDatabase } from '../../storage/temporary-database';
import { done, refused, runIn } from './run-command';

const start = Date.UTC(2030, 0, 1, 12);

const shop = parseApiDocument(
  'specs/shop.yaml',
  readFileSync(join(__dirname, 'run-admin.yaml'), 'utf8'),
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

const passwords = scryptPasswords(4);

const run = (command: string, minPasswordLength = '0') =>
  runIn(
    {
      services: [adminService(shop, { schema: 'User' }), adminService(bare, undefined)],
      database: async () => file.db,
      passwords,
      settings: readSettings({ MIN_PASSWORD_LENGTH: minPasswordLength }),
      clock: () => start,
      readLine: async () => line,
    },
    wordsOf(command),
  );

const createAnn = (more = '') =>
  run(`user create --service shop --username ann --password secret --field isAgent=true ${more}`);

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
  for (const table of ['users', 'api_keys', 'clients']) await file.db.knex(table).delete();
});

describe('user', () => {
  test('creates a user whose fields are read by the schema', async () => {
    const given = '--field phone=0123 --field id=9223372036854775807';
    expect(await createAnn(given)).toEqual(done('Created the user "ann" of shop.\n'));
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
});

describe('token', () => {
  beforeEach(() => createAnn());

  const create = (words: string) => run(`token create --service shop --user ann ${words}`);

  test('prints exactly one line, a token with declared and required scopes', async () => {
    const outcome = await create("--ttl 60 --scope 'open:till  count:till open:till'");
    expect(outcome).toEqual(done(/^[\w-]{43}\n$/));
    const token = outcome.out.trim();
    const scopes = ['open:till', 'count:till'];
    expect(await bearer(token, start + 59_999)).toMatchObject({ username: undefined, scopes });
    expect(await bearer(token, start + 60_000)).toBeUndefined();
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
  const create = (label: string) => run(`api-key create --service shop --label ${label}`);

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
    const rotate = (more = '') => run(`api-key rotate --service shop --label till ${more}`);
    const subjectAt = async (key: string, clock = start) =>
      (await identityAt(clock).securityHandlers.apiKey?.(key, request, 'scheme'))?.subject;
    const isGood = async (key: string, clock = start) =>
      (await subjectAt(key, clock)) === 'api-key:till';
    let old = '';

    beforeEach(async () => {
      old = (await create('till')).out.trim();
    });

    test.each([
      ['', 24 * 60 * 60 * 1000],
      ['--overlap 2h', 2 * 60 * 60 * 1000],
      ['--overlap 0', 0],
      ['--overlap 0h', 0],
    ])('with "%s" stays good for so long, under its label', async (more, overlap) => {
      const outcome = await rotate(more);
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
      const second = (await rotate('--overlap 1h')).out.trim();
      expect(await rotate()).toEqual(
        refused('The key before that of "till" is still good; --overlap 0 ends both at once.\n'),
      );
      expect([await isGood(old), await isGood(second)]).toEqual([true, true]);
      const third = (await rotate('--overlap 0')).out.trim();
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
        expect(await rotate(`--overlap='${overlap}'`)).toEqual(
          refused(/It must be a number of hours, such as 24h, or 0\.\n$/),
        );
        expect(await isGood(old, start + 1)).toBe(true);
      },
    );
  });
});

describe('client', () => {
  const create = (id: string, name: string, ...uris: string[]) =>
    run(
      `client create --service shop --id ${id} --name '${name}' --redirect-uri ${uris.join(' --redirect-uri ')}`,
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

  test('that an earlier version registered for devices is listed, and may use no flow', async () => {
    const tv = { client_id: 'tv', name: 'TV', redirect_uris: '', flows: 'device' };
    await file.db.knex('clients').insert({ service: 'shop', ...tv });
    expect(await run('client list --service shop')).toEqual(done('tv\tTV\tflows: \n'));
    expect(await knexClients(file.db, 'shop').find('tv')).toMatchObject({ flows: [] });
  });
});

testSessions(join(__dirname, 'run-admin.session.txt'), async (command) => {
  const [, length, words = ''] = /^(?:MIN_PASSWORD_LENGTH=(\d+) )?(.*)$/.exec(command) ?? [];
  const { out, ...rest } = await run(words, length);
  return { ...rest, out: out.replace(/(?<![\w-])[\w-]{43}(?![\w-])/, 'SECRET') };
});
