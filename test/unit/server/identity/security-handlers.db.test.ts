import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CredentialRequest } from '../../../../src/engine/security/security-handlers';
import { digest } from '../../../../src/server/identity/token';
import { closeDatabase, openDatabase } from '../../../../src/server/storage/database/database';
import { knexApiKeys } from '../../../../src/server/storage/identity/api-keys';
import { knexTokens } from '../../../../src/server/storage/identity/tokens';
import { type IdentifiedUser, knexUsers } from '../../../../src/server/storage/identity/users';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { client, type OpenIdentity, openIdentity, password, start } from './identity-fixture';

const hour = 3_600_000;

let opened: OpenIdentity;
let bobKey: string;
let login: string;

const request = (
  method: string,
  headers: CredentialRequest['headers'] = {},
): CredentialRequest => ({
  ...client,
  method,
  headers: { host: 'shop.example', ...headers },
});

const bearer = (token: string, securityHandlers = opened.securityHandlers) =>
  securityHandlers.bearer?.(token, request('GET'));

const session = (method: string, token: string, headers: CredentialRequest['headers'] = {}) =>
  opened.securityHandlers.session?.(request(method, { ...headers, cookie: `session=${token}` }));

const addToken = (token: string, scopes: string[], expiresAt = start + hour) =>
  knexTokens(opened.file.db, 'petstore').add({
    kind: 'access-token',
    hash: digest(token),
    userKey: bobKey,
    scopes,
    client: undefined,
    createdAt: start,
    expiresAt,
  });

beforeAll(async () => {
  opened = await openIdentity();
  bobKey = await opened.addUser('bob', password);
  const keys = knexApiKeys(opened.file.db, 'petstore');
  await keys.add({ label: 'till', hash: digest('special-key'), createdAt: start });
  await keys.add({ label: 'lost', hash: digest('lost-key'), createdAt: start });
  await keys.revoke('lost', start);
});

beforeEach(async () => {
  login = (await opened.identity.signIn('ann', password, client))?.token ?? '';
});

afterEach(async () => {
  await opened.file.db.knex('tokens').delete();
  await opened.file.db.knex('event_counts').delete();
});

afterAll(() => opened.file.remove());

describe('apiKey', () => {
  test.each([
    ['a good key', 'special-key', true],
    ['an unknown key', 'special-kex', false],
    ['a revoked key', 'lost-key', false],
    ['an empty key', '', false],
    ['the digest of a good key', digest('special-key'), false],
  ])('%s', async (_title, key, good) => {
    const principal = await opened.securityHandlers.apiKey?.(key, request('GET'));
    expect(principal).toEqual(
      good
        ? { username: undefined, subject: 'api-key:till', scopes: [], credentialId: 'api-key:till' }
        : undefined,
    );
  });

  test('is good in its own service only', async () => {
    const { securityHandlers } = opened.serviceOf('ads');
    expect(await securityHandlers.apiKey?.('special-key', request('GET'))).toBeUndefined();
  });
});

describe('bearer', () => {
  test('a login is its user and carries no scopes', async () => {
    expect(await bearer(login)).toEqual({
      username: 'ann',
      subject: 'user:ann',
      scopes: [],
      credentialId: expect.stringMatching(/^token:\d+$/),
    });
  });

  test('S04 an access token carries its scopes and is nobody', async () => {
    await addToken('access', ['write:pets', 'read:pets']);
    expect(await bearer('access')).toEqual({
      username: undefined,
      subject: 'user:bob',
      scopes: ['write:pets', 'read:pets'],
      credentialId: expect.stringMatching(/^token:\d+$/),
    });
  });

  test.each([
    ['unknown', 'nothing'],
    ['empty', ''],
    ['the digest of a good one', digest('access')],
    ['an API key', 'special-key'],
  ])('S10 a token that is %s is not good', async (_title, token) => {
    await addToken('access', []);
    expect(await bearer(token)).toBeUndefined();
  });

  test('S10 an expired token is not good', async () => {
    await addToken('old', [], start);
    expect(await bearer('old')).toBeUndefined();
  });

  test("another service's token is not good", async () => {
    expect(await bearer(login, opened.serviceOf('ads').securityHandlers)).toBeUndefined();
  });

  test('a token ends with its user and follows a new name', async () => {
    const users = knexUsers(opened.file.db, 'petstore', standInCodecOf<IdentifiedUser>());
    const key = await opened.addUser('cid', password);
    const token = (await opened.identity.signIn('cid', password, client))?.token ?? '';
    await users.replace('cid', { username: 'sid' }, undefined);
    expect(await bearer(token)).toMatchObject({ username: 'sid' });
    expect(key).not.toBe('');
    await users.remove('sid');
    expect(await bearer(token)).toBeUndefined();
  });

  test('calls are counted by user and hour, across tokens and processes, then 429', async () => {
    const db = await openDatabase(opened.file.url);
    const { securityHandlers } = opened.serviceOf('petstore', db);
    const second = (await opened.identity.signIn('ann', password, client))?.token ?? '';
    await addToken('access', []);
    for (const token of [login, second, login]) await bearer(token);
    await bearer(login, securityHandlers);
    expect(await bearer(second, securityHandlers)).toBeDefined();
    await expect(bearer(login)).rejects.toMatchObject({
      status: 429,
      code: 'too-many-requests',
      headers: { 'Retry-After': '3600' },
    });
    expect(await bearer('access')).toMatchObject({ subject: 'user:bob' });
    await closeDatabase(db);
  });

  test('a new hour starts anew', async () => {
    const access = 'long-lived';
    await addToken(access, [], start + 10 * hour);
    for (let call = 0; call < 5; call += 1) await bearer(access);
    opened.passTime(hour - 1);
    await expect(bearer(access)).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    opened.passTime(1);
    expect(await bearer(access)).toBeDefined();
    opened.passTime(-hour);
  });

  test('a bad token counts for nobody', async () => {
    for (let call = 0; call < 10; call += 1) await bearer('nothing');
    expect(await opened.file.db.knex('event_counts').select()).toEqual([]);
  });
});

describe('session', () => {
  test.each([
    ['GET', {}],
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['HEAD', { origin: 'http://evil.example' }],
    ['POST', {}],
    ['PUT', { 'sec-fetch-site': 'same-origin' }],
    ['DELETE', { origin: 'http://shop.example' }],
  ])('lets the browser in for %s with %j', async (method, headers) => {
    expect(await session(method, login, headers)).toMatchObject({ username: 'ann', scopes: [] });
  });

  test.each([
    ['POST', { 'sec-fetch-site': 'cross-site' }],
    ['PUT', { 'sec-fetch-site': 'same-site' }],
    ['DELETE', { origin: 'http://evil.example' }],
    ['PATCH', { origin: 'null' }],
  ])('refuses %s from another origin: %j', async (method, headers) => {
    await expect(session(method, login, headers)).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });

  test.each([
    ['no cookie', {}],
    ['another cookie', { cookie: 'theme=dark' }],
    ['an ended session', { cookie: 'session=' }],
    ['an unknown token', { cookie: 'session=nothing' }],
  ])('nobody comes with %s', async (_title, headers) => {
    expect(await opened.securityHandlers.session?.(request('GET', headers))).toBeUndefined();
  });

  test('without our cookie another origin is not forbidden, only nobody', async () => {
    const headers = { origin: 'http://evil.example' };
    expect(await opened.securityHandlers.session?.(request('POST', headers))).toBeUndefined();
  });

  test('an access token in the cookie is no session', async () => {
    await addToken('access', ['write:pets']);
    expect(await session('GET', 'access')).toBeUndefined();
  });
});

test.each([
  ['ann', true],
  ['Ann', false],
  ['', false],
  ['constructor', false],
])('accountExists(%j) is %s', async (name, wanted) => {
  expect(await opened.securityHandlers.accountExists?.(name)).toBe(wanted);
});
