import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UserReply } from '../../../../handlers/ads/types';
import { userHandlers } from '../../../../handlers/ads/user';
import { identityFor } from '../../../../src/server/identity/identity-for';
import { scryptPasswords } from '../../../../src/server/identity/password';
import { knexUsers } from '../../../../src/server/storage/identity/users';
import { standInCodecOf } from '../../../support/stand-in-codec';
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../server/storage/temporary-database';

const client = { address: '::1', secure: true };
const caller = { loggedInAs: 'ann', subject: 'user:ann', scopes: [], handle: 'token:0' };

const common = {
  path: {},
  query: {},
  header: {},
  cookie: {},
  client,
  caller,
  fileFacts: () => undefined,
  fail: (status: number) => new Error(`failed with ${status}`),
};

let file: TemporaryDatabase;
let handlers: ReturnType<typeof userHandlers>;

beforeAll(async () => {
  file = await openTemporaryDatabase();
  const { identity } = identityFor(
    { name: 'ads', basePath: '/ads' },
    {
      db: file.db,
      passwords: scryptPasswords(4),
      tokenTtlSeconds: 60,
      rateLimitPerHour: 10,
      clock: () => 0,
    },
  );
  const codec = standInCodecOf((written): UserReply => {
    const { id: _, ...declared } = Object(written);
    return declared;
  });
  const users = knexUsers(file.db, 'ads', codec);
  handlers = userHandlers({ users, identity });
});

afterAll(() => file.remove());

const create = async (username: string) =>
  handlers.createUser({ ...common, body: { username, password: 'secret', isAgent: true } });
const login = async (username: string, password: string) =>
  handlers.loginUser({ ...common, body: undefined, query: { username, password } });

test('a user is created once, logs in and out', async () => {
  expect(await create('ann')).toEqual({ status: 200, body: { username: 'ann', isAgent: true } });
  await expect(create('ann')).rejects.toThrow('failed with 409');
  await expect(login('ann', 'wrong')).rejects.toThrow('failed with 400');
  const { body, headers } = await login('ann', 'secret');
  expect(headers).toEqual({
    'X-Rate-Limit': 10,
    'X-Expires-After': '1970-01-01T00:01:00.000Z',
    'Set-Cookie': `session=${body}; Max-Age=60; Path=/ads; HttpOnly; Secure; SameSite=Strict`,
  });
  expect(await handlers.logoutUser({ ...common, body: undefined })).toEqual({
    status: 200,
    headers: { 'Set-Cookie': 'session=; Max-Age=0; Path=/ads; HttpOnly; SameSite=Strict' },
  });
});
