import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/server/storage/database/database';
import { countRows } from '../../../support/count-rows';
import { emptyTables } from '../../../support/tables';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/temporary-database';
import { client, type OpenIdentity, openIdentity, password, start } from './identity-fixture';

const minutes = 60_000;

let file: TemporaryDatabase;
let opened: OpenIdentity;

beforeAll(async () => {
  file = await openTemporaryDatabase();
});

beforeEach(async () => {
  opened = await openIdentity(file);
});

afterEach(() => emptyTables(file.db));

afterAll(() => file.remove());

const fail = async (times: number, username = 'ann', address = client.address) => {
  for (let time = 0; time < times; time += 1) {
    expect(await opened.identity.signIn(username, 'wrong', { ...client, address })).toBeUndefined();
  }
};

const tooMany = (seconds: number) => ({
  status: 429,
  code: 'too-many-requests',
  headers: { 'Retry-After': String(seconds) },
});

describe('signIn', () => {
  test('gives a token, its end, the limit and a cookie of the same token', async () => {
    const login = await opened.identity.signIn('ann', password, client);
    expect(login).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(start + 60 * minutes),
      callsPerHour: 5,
      sessionCookie: `session=${login?.token}; Max-Age=3600; Path=/petstore; HttpOnly; SameSite=Strict`,
    });
  });

  test('under TLS the cookie is for TLS only', async () => {
    const login = await opened.identity.signIn('ann', password, { ...client, secure: true });
    expect(login?.sessionCookie).toContain('; Secure');
  });

  test('each sign-in has a token of its own, kept as a digest alone', async () => {
    const [one, other] = [
      await opened.identity.signIn('ann', password, client),
      await opened.identity.signIn('ann', password, client),
    ];
    expect(one?.token).not.toBe(other?.token);
    const rows = JSON.stringify(await opened.file.db.knex('tokens').select());
    expect(rows).not.toContain(one?.token);
  });

  test.each([
    ['a wrong password', 'ann', 'wrong'],
    ['an empty password', 'ann', ''],
    ['an unknown name', 'eve', password],
    ['another case of the name', 'Ann', password],
    ['an empty name', '', password],
    ['a name from the prototype', '__proto__', password],
  ])('refuses %s', async (_title, username, given) => {
    expect(await opened.identity.signIn(username, given, client)).toBeUndefined();
  });

  test.each(['', 'undefined', 'null', password])(
    'a user without a password cannot sign in with "%s"',
    async (given) => {
      await opened.addUser('bob', undefined);
      expect(await opened.identity.signIn('bob', given, client)).toBeUndefined();
    },
  );

  test("refuses another service's user", async () => {
    const { identity } = opened.serviceOf('ads');
    expect(await identity.signIn('ann', password, client)).toBeUndefined();
  });

  test('forgets tokens that have expired', async () => {
    await opened.identity.signIn('ann', password, client);
    opened.passTime(60 * minutes);
    await opened.identity.signIn('ann', password, client);
    expect(await countRows(opened.file.db, 'tokens')).toBe(1);
  });
});

describe('throttling of failed sign-ins', () => {
  test.each(['ann', 'nobody'])('30 failures in 15 minutes, then 429, for %s', async (username) => {
    await fail(29, username);
    opened.passTime(5 * minutes);
    await fail(1, username);
    await expect(opened.identity.signIn(username, password, client)).rejects.toMatchObject(
      tooMany(600),
    );
  });

  test('never for ever: after the 15 minutes everything is as before', async () => {
    await fail(30);
    opened.passTime(15 * minutes - 1);
    await expect(opened.identity.signIn('ann', password, client)).rejects.toMatchObject(tooMany(1));
    opened.passTime(1);
    expect(await opened.identity.signIn('ann', password, client)).toBeDefined();
    await fail(30);
  });

  test('refused attempts do not make it longer', async () => {
    await fail(30);
    for (const _ of [1, 2, 3]) {
      opened.passTime(minutes);
      await expect(opened.identity.signIn('ann', 'wrong', client)).rejects.toThrow('Too many');
    }
    opened.passTime(12 * minutes);
    expect(await opened.identity.signIn('ann', password, client)).toBeDefined();
  });

  test('good sign-ins do not count', async () => {
    for (let time = 0; time < 40; time += 1) {
      expect(await opened.identity.signIn('ann', password, client)).toBeDefined();
    }
  });

  test('a stranger does not lock the user out elsewhere, nor other users here', async () => {
    await opened.addUser('bob', password);
    await fail(30, 'ann', '198.51.100.7');
    expect(await opened.identity.signIn('ann', password, client)).toBeDefined();
    const strange = { ...client, address: '198.51.100.7' };
    expect(await opened.identity.signIn('bob', password, strange)).toBeDefined();
  });

  test.each([
    ['one account from many addresses', (turn: number) => ['ann', `198.51.100.${turn}`] as const],
    ['many accounts from one address', (turn: number) => [`user${turn}`, client.address] as const],
  ])('300 failures stop guesses at %s', async (_title, attemptAt) => {
    for (let turn = 0; turn < 100; turn += 1) await fail(3, ...attemptAt(turn));
    const [username, address] = attemptAt(100);
    await expect(
      opened.identity.signIn(username, password, { ...client, address }),
    ).rejects.toMatchObject(tooMany(900));
  });

  test('guesses sent side by side get no more answers than guesses in a row', async () => {
    const guesses = Array.from({ length: 60 }, () =>
      opened.identity.signIn('ann', 'wrong', client),
    );
    const answers = await Promise.allSettled(guesses);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
  });

  test('counts across processes and keeps no name', async () => {
    await fail(30, 'my-password-in-the-wrong-field');
    const db = await openDatabase(opened.file.url);
    const { identity } = opened.serviceOf('petstore', db);
    await expect(
      identity.signIn('my-password-in-the-wrong-field', 'x', client),
    ).rejects.toMatchObject({ status: 429 });
    expect(JSON.stringify(await db.knex('event_counts').select())).not.toContain('my-password');
    await closeDatabase(db);
  });
});

describe('hashPasswords', () => {
  test('hashes each, and nothing that is missing or empty', async () => {
    const hashes = await opened.identity.hashPasswords(['a', undefined, '', 'b']);
    expect(hashes).toEqual([
      expect.stringMatching(/^\$scrypt\$/),
      undefined,
      undefined,
      expect.stringMatching(/^\$scrypt\$/),
    ]);
  });

  test.each([
    ['200 passwords', 200, 200],
    ['no passwords, however many users', 0, 5000],
  ])('takes %s', async (_title, count, length) => {
    const given = Array.from({ length }, (_, index) => (index < count ? 'secret' : undefined));
    const hashes = await opened.identity.hashPasswords(given);
    expect(hashes.filter(Boolean)).toHaveLength(count);
  });

  test('refuses more work than one request may ask for', async () => {
    const given = Array.from({ length: 201 }, () => 'secret');
    await expect(opened.identity.hashPasswords(given)).rejects.toMatchObject({ status: 413 });
  });
});

describe('signOut', () => {
  test('ends the presented token for every process, and no other', async () => {
    const db = await openDatabase(opened.file.url);
    const { securityHandlers } = opened.serviceOf('petstore', db);
    const request = { ...client, method: 'GET', headers: {} };
    const login = await opened.identity.signIn('ann', password, client);
    const other = await opened.identity.signIn('ann', password, client);
    const principal = await securityHandlers.bearer?.(login?.token ?? '', request);
    if (!principal) throw new Error('the token is good');
    await opened.identity.signOut(principal);
    await opened.identity.signOut(principal);
    expect(await securityHandlers.bearer?.(login?.token ?? '', request)).toBeUndefined();
    expect(await securityHandlers.bearer?.(other?.token ?? '', request)).toBeDefined();
    await closeDatabase(db);
  });

  test('an API key cannot be ended by signing out', async () => {
    await opened.identity.signOut({
      username: undefined,
      subject: 'api-key:till',
      scopes: [],
      credentialId: 'api-key:till',
    });
    expect(opened.identity.endedSession).toContain('Max-Age=0');
  });
});
