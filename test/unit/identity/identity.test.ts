/** Rules of identity that requests over HTTP cannot show cheaply; test/end-to-end/ has logins.db.test.ts, limits.test.ts and users.db.test.ts. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CredentialRequest } from '../../../src/http/caller';
import { createIdentity } from '../../../src/identity/identity';
import { type Passwords, scryptPasswords } from '../../../src/identity/password';
import { digest } from '../../../src/identity/token';
import { knexApiKeys } from '../../../src/storage/identity/api-keys';
import { knexTokens } from '../../../src/storage/identity/tokens';
import { knexAccounts } from '../../../src/storage/identity/users';
import { countRows } from '../../support/stored-items';
import { emptyTables } from '../../support/tables';
import { useTemporaryDatabase } from '../storage/temporary-database';

const minutes = 60_000;
const day = 24 * 60 * minutes;

const file = useTemporaryDatabase();

const start = Date.UTC(2030, 0, 1, 12);
const password = 'correct horse';
const client = { address: '192.0.2.1', secure: false, method: 'GET', headers: {} };

const passwords = scryptPasswords(4);

/** An identity with the user "ann", and a clock that stands still until told. */
const openIdentity = async () => {
  let now = start;
  const config = { minPasswordLength: 0, rateLimitPerHour: 5, tokenTtlSeconds: 3600 };
  const options = { config, passwords, clock: () => now };
  const serviceOf = (name: string, db = file.db, hashing = passwords) =>
    createIdentity({ name, basePath: `/${name}` }, { ...options, db, passwords: hashing });
  const addUser = async (username: string) => {
    const users = () => file.db.knex('users');
    const [row] = await users().max({ id: 'id' });
    await users().insert({
      ...{ service: 'petstore', id: (row?.id ?? 0) + 1, document: '{}' },
      ...{ username, username_key: username, password_hash: await passwords.hash(password) },
    });
    const account = await knexAccounts(file.db, 'petstore').find(username);
    return account?.key ?? '';
  };
  await addUser('ann');
  return {
    ...serviceOf('petstore'),
    serviceOf,
    addUser,
    passTime(milliseconds: number) {
      now += milliseconds;
    },
  };
};

let opened: Awaited<ReturnType<typeof openIdentity>>;

beforeEach(async () => {
  opened = await openIdentity();
});

afterEach(() => emptyTables(file.db));

const signIn = (username = 'ann', given = password, address = client.address) =>
  opened.identity.signIn(username, given, { ...client, address });

const fail = async (times: number, username = 'ann', address = client.address) => {
  for (let time = 0; time < times; time += 1) {
    expect(await signIn(username, 'wrong', address)).toBeUndefined();
  }
};

const tooMany = (seconds: number) => ({
  status: 429,
  code: 'too-many-requests',
  headers: { 'Retry-After': String(seconds) },
});

test('networks take turns when many passwords are compared', async () => {
  const networks: unknown[] = [];
  const recording: Passwords = {
    ...passwords,
    matches: async (_password, _hash, network) => {
      networks.push(network);
      return false;
    },
  };
  const { identity } = opened.serviceOf('petstore', file.db, recording);
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1:2:3::4']) {
    await identity.signIn('ann', password, { ...client, address });
  }
  expect(networks).toEqual(['192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64']);
});

test('signing in forgets tokens that have expired', async () => {
  await signIn();
  opened.passTime(60 * minutes);
  await signIn();
  expect(await countRows(file.db, 'tokens')).toBe(1);
});

describe('throttling of failed sign-ins', () => {
  test('ends after the 15 minutes, and not before', async () => {
    await fail(30);
    opened.passTime(15 * minutes - 1);
    await expect(signIn()).rejects.toMatchObject(tooMany(1));
    opened.passTime(1);
    expect(await signIn()).toBeDefined();
    await fail(30);
  });

  test('refused attempts do not make it longer', async () => {
    await fail(30);
    for (const _ of [1, 2, 3]) {
      opened.passTime(minutes);
      await expect(signIn('ann', 'wrong')).rejects.toThrow('Too many');
    }
    opened.passTime(12 * minutes);
    expect(await signIn()).toBeDefined();
  });

  test('good sign-ins do not count', async () => {
    for (let time = 0; time < 40; time += 1) expect(await signIn()).toBeDefined();
  });

  test('the next IPv6 network is another', async () => {
    await fail(30, 'ann', '2001:db8:1:2::7');
    expect(await signIn('ann', password, '2001:db8:1:3::7')).toBeDefined();
  });

  test('a stranger does not lock the user out elsewhere, nor other users here', async () => {
    await opened.addUser('bob');
    await fail(30, 'ann', '198.51.100.7');
    expect(await signIn()).toBeDefined();
    expect(await signIn('bob', password, '198.51.100.7')).toBeDefined();
  });

  test.each([
    ['one account from many addresses', (turn: number) => ['ann', `198.51.100.${turn}`] as const],
    ['many accounts from one address', (turn: number) => [`user${turn}`, client.address] as const],
    [
      'many accounts from the addresses of one IPv6 network',
      (turn: number) => [`user${turn}`, `2001:db8:1:2:${turn.toString(16)}::1`] as const,
    ],
    [
      'many accounts from an IPv4 address in both forms',
      (turn: number) => [`user${turn}`, `${turn % 2 ? '' : '::ffff:'}192.0.2.7`] as const,
    ],
  ])('300 failures stop guesses at %s', async (_title, attemptAt) => {
    for (let turn = 0; turn < 100; turn += 1) await fail(3, ...attemptAt(turn));
    const [username, address] = attemptAt(100);
    await expect(signIn(username, password, address)).rejects.toMatchObject(tooMany(900));
  });

  describe('of an account that is attacked from everywhere', () => {
    const home = '203.0.113.9';
    const attack = async () => {
      for (let turn = 0; turn < 100; turn += 1) await fail(3, 'ann', `2001:db8:0:${turn}::1`);
    };

    test('spares a network that its user has signed in from, and no other', async () => {
      await signIn('ann', password, home);
      await attack();
      await expect(signIn('ann', password, '203.0.113.10')).rejects.toMatchObject(tooMany(900));
      await expect(signIn('ann', 'wrong', '203.0.113.10')).rejects.toMatchObject(tooMany(900));
      expect(await signIn('ann', password, home)).toBeDefined();
      await fail(30, 'ann', home);
      await expect(signIn('ann', password, home)).rejects.toMatchObject({ status: 429 });
    });

    test.each<[string, () => unknown]>([
      ['that was another user’s', async () => signIn('bob', password, home)],
      ['of long ago', () => signIn('ann', password, home).then(() => opened.passTime(90 * day))],
      [
        'that twenty others came after',
        async () => {
          await signIn('ann', password, home);
          for (let turn = 0; turn < 20; turn += 1) {
            opened.passTime(1);
            await signIn('ann', password, `198.51.100.${turn}`);
          }
        },
      ],
    ])('does not spare a network %s', async (_, prepare) => {
      await opened.addUser('bob');
      await prepare();
      await attack();
      await expect(signIn('ann', password, home)).rejects.toMatchObject({ status: 429 });
    });

    test('keeps twenty networks of a user, as digests, and writes each once a day', async () => {
      const rows = () => file.db.knex('sign_in_networks').orderBy('used_at').select();
      await signIn('ann', password, home);
      const first = await rows();
      opened.passTime(day - 1);
      await signIn('ann', password, home);
      expect(await rows()).toEqual(first);
      opened.passTime(1);
      await signIn('ann', password, home);
      expect((await rows()).map(({ used_at }) => Number(used_at))).toEqual([start + day]);
      for (let turn = 0; turn < 30; turn += 1) {
        await signIn('ann', password, `198.51.100.${turn}`);
      }
      const kept = await rows();
      expect(kept).toHaveLength(20);
      for (const { network } of kept) expect(network).toMatch(/^[0-9a-f]{64}$/);
    });
  });

  test('counts across processes and keeps no name', async () => {
    await fail(30, 'my-password-in-the-wrong-field');
    const { identity } = opened.serviceOf('petstore', await file.openAnother());
    const again = identity.signIn('my-password-in-the-wrong-field', 'x', client);
    await expect(again).rejects.toMatchObject({ status: 429 });
    const rows = await file.db.knex('event_counts').select();
    expect(JSON.stringify(rows)).not.toContain('my-password');
  });
});

describe('hashPasswords', () => {
  test('takes 200 passwords of however many users, and no more', async () => {
    const users = Array.from({ length: 5000 }, () => undefined);
    const passwords = Array.from({ length: 200 }, () => 'secret');
    const hashes = await opened.identity.hashPasswords([...users, ...passwords], undefined);
    expect(hashes.filter(Boolean)).toHaveLength(200);
    const tooMuch = opened.identity.hashPasswords([...passwords, 'secret'], undefined);
    await expect(tooMuch).rejects.toMatchObject({ status: 413 });
  });

  test('counts each password beyond the first as a call, and gives callers their turns', async () => {
    const callers: unknown[] = [];
    const recording: Passwords = {
      ...passwords,
      hash: async (_password, caller) => {
        callers.push(caller);
        return '$hash';
      },
    };
    const { identity } = opened.serviceOf('petstore', file.db, recording);
    const ann = { username: 'ann', subject: 'user:ann', scopes: [], credentialId: 'token:1' };
    expect(await identity.hashPasswords(['a', 'b', undefined, 'c'], ann)).toHaveLength(4);
    expect(callers).toEqual(['user:ann', 'user:ann', 'user:ann']);
    // Five calls in an hour: the list took two of them.
    await identity.hashPasswords(['a', 'b', 'c', 'd'], ann);
    await expect(identity.hashPasswords(['a', 'b'], ann)).rejects.toMatchObject({ status: 429 });
  });
});

const request = (
  method = 'GET',
  headers: CredentialRequest['headers'] = {},
): CredentialRequest => ({ ...client, method, headers: { host: 'shop.example', ...headers } });

const bearer = (token: string, { securityHandlers } = opened) =>
  securityHandlers.bearer?.(token, request(), 'scheme');

const session = (method: string, headers: CredentialRequest['headers']) =>
  opened.securityHandlers.session?.(request(method, headers));

/** Keeps an access token of bob's. */
const addToken = async (token: string, client?: string, resources?: readonly string[]) =>
  knexTokens(file.db, 'petstore').add({
    ...{ kind: 'access-token', hash: digest(token), userKey: await opened.addUser('bob') },
    ...{ scopes: ['write:pets'], client, resources },
    ...{ createdAt: start, expiresAt: start + 600 * minutes },
  });

describe('credentials', () => {
  test.each([
    ['a good key', 'special-key', true],
    ['an unknown key', 'special-kex', false],
    ['an empty key', '', false],
    ['the digest of a good key', digest('special-key'), false],
  ])('%s', async (_title, key, good) => {
    const keys = knexApiKeys(file.db, 'petstore');
    await keys.add({ label: 'till', hash: digest('special-key'), createdAt: start });
    const till = { username: undefined, scopes: [] };
    const subject = 'api-key:till';
    const principal = await opened.securityHandlers.apiKey?.(key, request(), 'scheme');
    expect(principal).toEqual(
      good ? { ...till, subject, kind: subject, credentialId: subject } : undefined,
    );
    const { securityHandlers } = opened.serviceOf('ads');
    expect(await securityHandlers.apiKey?.(key, request(), 'scheme')).toBeUndefined();
  });

  test('an access token has scopes and no user; its digest is not a token, nor is a token in a cookie', async () => {
    await addToken('access');
    expect(await bearer('access')).toEqual({
      username: undefined,
      subject: 'user:bob',
      kind: 'user',
      scopes: ['write:pets'],
      credentialId: expect.stringMatching(/^token:\d+$/),
    });
    expect(await bearer(digest('access'))).toBeUndefined();
    expect(await session('GET', { cookie: 'session=access' })).toBeUndefined();
  });

  test.each([
    ['shop', 'client:shop'],
    ['https://agent.example/any/of/them', 'client:metadata'],
  ])('a token that the client %s was given tells of %s', async (given, kind) => {
    await addToken('given', given);
    expect(await bearer('given')).toMatchObject({ subject: 'user:bob', kind });
  });

  test('a token for a resource is good for no request whose path nobody knows', async () => {
    await addToken('bound', 'shop', ['https://api.example/petstore']);
    expect(await bearer('bound')).toBeUndefined();
  });

  test.each([
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['HEAD', { origin: 'http://evil.example' }],
    ['QUERY', { origin: 'http://evil.example' }],
    ['POST', {}],
  ])('a session is a login for %s with %j', async (method, headers) => {
    const cookie = `session=${(await signIn())?.token}`;
    const principal = await session(method, { ...headers, cookie });
    expect(principal).toMatchObject({ username: 'ann', subject: 'user:ann', scopes: [] });
  });

  test('without the cookie a request of another origin is anonymous, not forbidden', async () => {
    expect(await session('POST', { origin: 'http://evil.example' })).toBeUndefined();
  });
});

describe('the calls of an hour', () => {
  test('are counted by user, across tokens and processes, then 429', async () => {
    const other = opened.serviceOf('petstore', await file.openAnother());
    const one = (await signIn())?.token ?? '';
    const second = (await signIn())?.token ?? '';
    await addToken('access');
    for (const token of [one, second, one]) await bearer(token);
    await bearer(one, { ...opened, ...other });
    expect(await bearer(second, { ...opened, ...other })).toBeDefined();
    await expect(bearer(one)).rejects.toMatchObject(tooMany(3600));
    expect(await bearer('access')).toMatchObject({ subject: 'user:bob' });
  });

  test('begin again for the same token', async () => {
    await addToken('access');
    for (let call = 0; call < 5; call += 1) await bearer('access');
    opened.passTime(60 * minutes - 1);
    await expect(bearer('access')).rejects.toMatchObject(tooMany(1));
    opened.passTime(1);
    expect(await bearer('access')).toBeDefined();
  });

  test('are not counted where the token is invalid', async () => {
    for (let call = 0; call < 10; call += 1) await bearer('nothing');
    expect(await file.db.knex('event_counts').select()).toEqual([]);
  });
});

test('signing out ends no API key', async () => {
  await knexApiKeys(file.db, 'petstore').add({ label: 'till', hash: digest('k'), createdAt: 0 });
  const principal = await opened.securityHandlers.apiKey?.('k', request(), 'scheme');
  if (!principal) throw new Error('The key is good');
  await opened.identity.signOut(principal);
  expect(await opened.securityHandlers.apiKey?.('k', request(), 'scheme')).toEqual(principal);
});
