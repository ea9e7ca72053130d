import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User, UserReply } from '../../../../handlers/petstore/types';
import { userHandlers } from '../../../../handlers/petstore/user';
import { identityFor } from '../../../../src/server/identity/identity-for';
import { scryptPasswords } from '../../../../src/server/identity/password';
import { knexUsers } from '../../../../src/server/storage/identity/users';
import { standInCodecOf } from '../../../support/stand-in-codec';
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../server/storage/temporary-database';

const start = Date.UTC(2030, 0, 1, 12);
const client = { address: '::1', secure: false };
const caller = { loggedInAs: 'ann', subject: 'user:ann', scopes: [], handle: 'token:0' };

class Failed extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`failed with ${status}`);
    this.status = status;
  }
}

const common = {
  path: {},
  query: {},
  header: {},
  cookie: {},
  client,
  caller,
  fileFacts: () => undefined,
  fail: (status: number) => new Failed(status),
};

let file: TemporaryDatabase;
let handlers: ReturnType<typeof userHandlers>;
let services: ReturnType<typeof identityFor>;

beforeAll(async () => {
  file = await openTemporaryDatabase();
  services = identityFor(
    { name: 'petstore', basePath: '/petstore' },
    {
      db: file.db,
      passwords: scryptPasswords(4),
      tokenTtlSeconds: 3600,
      rateLimitPerHour: 5000,
      clock: () => start,
    },
  );
  handlers = userHandlers({
    users: knexUsers(file.db, 'petstore', standInCodecOf<UserReply>()),
    identity: services.identity,
  });
});

beforeEach(async () => {
  await file.db.knex('users').delete();
  await create({ id: 1n, username: 'ann', password: 'secret', firstName: 'Ann' });
  await create({ id: 2n, username: 'bob', password: 'other' });
});

afterAll(() => file.remove());

const create = async (body: User) => handlers.createUser({ ...common, body });
const createList = async (body: User[]) => handlers.createUsersWithListInput({ ...common, body });
const find = async (username: string) =>
  handlers.getUserByName({ ...common, body: undefined, path: { username } });
const update = async (username: string, body: User) =>
  handlers.updateUser({ ...common, body, path: { username } });
const remove = async (username: string) =>
  handlers.deleteUser({ ...common, body: undefined, path: { username } });
const login = async (username?: string, password?: string) =>
  handlers.loginUser({
    ...common,
    body: undefined,
    caller: undefined,
    query: { username, password },
  });
const logout = async (by: typeof caller | undefined) =>
  handlers.logoutUser({ ...common, body: undefined, caller: by });

const failedWith = (status: number) => ({ message: `failed with ${status}` });

describe('createUser', () => {
  test('answers the user without the password, who can log in', async () => {
    expect(await create({ username: 'cid', password: 'pass', email: 'c@example.com' })).toEqual({
      status: 200,
      body: { id: expect.any(BigInt), username: 'cid', email: 'c@example.com' },
    });
    expect((await login('cid', 'pass')).status).toBe(200);
  });

  test('an empty body makes a user with an id', async () => {
    expect(await create({})).toEqual({ status: 200, body: { id: expect.any(BigInt) } });
  });

  test.each([
    ['name', { username: 'ann' }],
    ['id', { id: 1n, username: 'new' }],
  ])('a taken %s is a 409 and changes nothing', async (_title, body) => {
    await expect(create({ ...body, password: 'mine' })).rejects.toMatchObject(failedWith(409));
    await expect(login('ann', 'mine')).rejects.toMatchObject(failedWith(400));
    expect(await find('ann')).toMatchObject({ body: { id: 1n, firstName: 'Ann' } });
  });
});

describe('createUsersWithListInput', () => {
  test('answers the last one created', async () => {
    const reply = await createList([
      { username: 'x1', password: 'one' },
      { username: 'x2', password: 'two', lastName: 'Last' },
    ]);
    expect(reply).toEqual({
      status: 200,
      body: { id: expect.any(BigInt), username: 'x2', lastName: 'Last' },
    });
    expect((await login('x1', 'one')).status).toBe(200);
    expect((await login('x2', 'two')).status).toBe(200);
    await expect(login('x2', 'one')).rejects.toMatchObject(failedWith(400));
  });

  test.each([
    ['a taken name', 409, [{ username: 'new' }, { username: 'bob' }]],
    ['a name twice', 409, [{ username: 'new' }, { username: 'new' }]],
    ['nobody', 400, []],
  ])('with %s it is a %d and creates nobody', async (_title, status, body: User[]) => {
    await expect(createList(body)).rejects.toMatchObject(failedWith(status));
    await expect(find('new')).rejects.toMatchObject(failedWith(404));
  });
});

describe('loginUser', () => {
  test('answers a token with its limit, its end and a cookie', async () => {
    const { status, body, headers } = await login('ann', 'secret');
    expect({ status, headers }).toEqual({
      status: 200,
      headers: {
        'X-Rate-Limit': 5000,
        'X-Expires-After': '2030-01-01T13:00:00.000Z',
        'Set-Cookie': `session=${body}; Max-Age=3600; Path=/petstore; HttpOnly; SameSite=Strict`,
      },
    });
  });

  test.each([
    ['nothing', undefined, undefined],
    ['no name', undefined, 'secret'],
    ['no password', 'ann', undefined],
    ['an empty password', 'ann', ''],
    ['a wrong password', 'ann', 'other'],
    ['an unknown name', 'eve', 'secret'],
  ])('%s is a 400', async (_title, username, password) => {
    await expect(login(username, password)).rejects.toMatchObject(failedWith(400));
  });
});

describe('logoutUser', () => {
  test.each([
    ['without a token', undefined],
    ['with an ended token', caller],
  ])('%s clears the cookie', async (_title, by) => {
    expect(await logout(by)).toEqual({
      status: 200,
      headers: {
        'Set-Cookie': 'session=; Max-Age=0; Path=/petstore; HttpOnly; SameSite=Strict',
      },
    });
  });

  test('ends the presented token', async () => {
    const token = String((await login('ann', 'secret')).body);
    const request = { ...client, method: 'GET', headers: {} };
    const by = await services.verifiers.bearer?.(token, request);
    expect(by).toMatchObject({ loggedInAs: 'ann' });
    await logout({ ...caller, handle: by?.handle ?? '' });
    expect(await services.verifiers.bearer?.(token, request)).toBeUndefined();
  });
});

describe('getUserByName', () => {
  test('answers the user, or 404', async () => {
    expect(await find('ann')).toEqual({
      status: 200,
      body: { id: 1n, username: 'ann', firstName: 'Ann' },
    });
    await expect(find('Ann')).rejects.toMatchObject(failedWith(404));
  });
});

describe('updateUser', () => {
  test.each([
    ['nothing keeps name and password', {}, 'ann', 'secret', { id: 1n, username: 'ann' }],
    [
      'other properties replace all of the old',
      { lastName: 'Lee' },
      'ann',
      'secret',
      { id: 1n, username: 'ann', lastName: 'Lee' },
    ],
    ['a new password', { password: 'new' }, 'ann', 'new', { id: 1n, username: 'ann' }],
    [
      'an empty password keeps the old',
      { password: '' },
      'ann',
      'secret',
      { id: 1n, username: 'ann' },
    ],
    ['a new name', { username: 'anna' }, 'anna', 'secret', { id: 1n, username: 'anna' }],
  ])('%s', async (_title, body: User, username, password, wanted) => {
    expect(await update('ann', body)).toEqual({ status: 200 });
    expect(await find(username)).toEqual({ status: 200, body: wanted });
    expect((await login(username, password)).status).toBe(200);
  });

  test.each([
    ['an unknown user', 'eve', {}, 404],
    ["another's name", 'ann', { username: 'bob' }, 409],
    ["another's id", 'ann', { id: 2n }, 409],
  ])('%s', async (_title, username, body: User, status) => {
    await expect(update(username, { ...body, password: 'taken over' })).rejects.toMatchObject(
      failedWith(status),
    );
    expect((await login('ann', 'secret')).status).toBe(200);
    expect((await login('bob', 'other')).status).toBe(200);
  });
});

describe('deleteUser', () => {
  test('deletes once, then 404', async () => {
    expect(await remove('ann')).toEqual({ status: 200 });
    await expect(remove('ann')).rejects.toMatchObject(failedWith(404));
    await expect(find('ann')).rejects.toMatchObject(failedWith(404));
    await expect(login('ann', 'secret')).rejects.toMatchObject(failedWith(400));
  });
});
