import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { knexTokens } from '../../../../../src/server/storage/identity/tokens';
import {
  type IdentifiedUser,
  knexAccounts,
  knexUsers,
  type UserStorage,
} from '../../../../../src/server/storage/identity/users';
import { countRows } from '../../../../support/count-rows';
import { standInCodecOf } from '../../../../support/stand-in-codec';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

interface User extends IdentifiedUser {
  readonly firstName?: string;
}

const codec = standInCodecOf<User>();

let file: TemporaryDatabase;
let users: UserStorage<User>;

beforeAll(async () => {
  file = await openTemporaryDatabase();
});

beforeEach(async () => {
  await file.db.knex('users').delete();
  users = knexUsers(file.db, 'petstore', codec);
});

afterAll(() => file.remove());

const user = (username: string, more: Partial<User> = {}) => ({
  user: { username, ...more },
  passwordHash: `hash of ${username}`,
});

const accountOf = (username: string) => knexAccounts(file.db, 'petstore').find(username);

describe('add', () => {
  test('keeps a given id to the last digit and assigns a missing one', async () => {
    const created = await users.add([user('ann', { id: 9223372036854775807n }), user('bob')]);
    expect(created).toEqual([
      { id: 9223372036854775807n, username: 'ann' },
      { id: expect.any(BigInt), username: 'bob' },
    ]);
    expect(await users.find('ann')).toEqual({ id: 9223372036854775807n, username: 'ann' });
  });

  test('never assigns an id twice, not even after a removal', async () => {
    const [first] = await users.add([user('ann')]).then(listed);
    await users.remove('ann');
    const [second] = await users.add([user('ann')]).then(listed);
    expect(second?.id).not.toBe(first?.id);
  });

  test('keeps the password apart and drops what the schema does not declare', async () => {
    const given: User = { ...user('ann').user, ...{ password: 'secret', xtra: 1 } };
    const created = await users.add([{ user: given, passwordHash: '$hash' }]);
    expect(created).toEqual([{ id: expect.any(BigInt), username: 'ann' }]);
    expect(JSON.stringify(await file.db.knex('users').select('document'))).not.toContain('secret');
    expect(await accountOf('ann')).toMatchObject({ username: 'ann', passwordHash: '$hash' });
  });

  test('a user without a password has an account without a hash', async () => {
    await users.add([{ user: { username: 'ann' }, passwordHash: undefined }]);
    expect(await accountOf('ann')).toMatchObject({ passwordHash: undefined });
  });

  test('several users may have no name', async () => {
    const anonymous = { user: { firstName: 'Ann' }, passwordHash: undefined };
    expect(await users.add([anonymous, anonymous])).toHaveLength(2);
  });

  test.each([
    ['a name in use', [user('new'), user('ann')]],
    ['a name twice', [user('new'), user('new')]],
    ['an id in use', [user('new'), user('other', { id: 7n })]],
    ['an id twice', [user('new', { id: 8n }), user('other', { id: 8n })]],
  ])('creates none where the list has %s', async (_title, list) => {
    await users.add([user('ann', { id: 7n })]);
    expect(await users.add(list)).toBe('taken');
    expect(await users.find('new')).toBeUndefined();
    expect(await countRows(file.db, 'users')).toBe(1);
  });

  test.each(['__proto__', 'constructor', "'; drop table users; --", 'Ünïcödé 🐕', 'ANN'])(
    'the name %s is a name like any other',
    async (name) => {
      await users.add([user('ann'), user(name)]);
      expect(await users.find(name)).toMatchObject({ username: name });
      expect(await users.remove(name)).toBe(true);
      expect(await users.find('ann')).toMatchObject({ username: 'ann' });
    },
  );

  test('each service has its own names and ids', async () => {
    await users.add([user('ann', { id: 1n })]);
    const others = knexUsers(file.db, 'ads', codec);
    expect(await others.find('ann')).toBeUndefined();
    expect(await others.add([user('ann', { id: 1n })])).toHaveLength(1);
  });
});

describe('replace', () => {
  beforeEach(() => users.add([user('ann', { id: 1n, firstName: 'Ann' }), user('bob', { id: 2n })]));

  test.each<[string, User & { password?: string }, User]>([
    ['another first name', { username: 'ann', firstName: 'Anna' }, { id: 1n, firstName: 'Anna' }],
    ['nothing: what is missing is gone', {}, { id: 1n }],
    ['another id', { id: 3n }, { id: 3n }],
    ['a password, which is not kept', { password: 'secret' }, { id: 1n }],
  ])('with %s', async (_title, change, wanted) => {
    const replaced = { username: 'ann', ...wanted };
    expect(await users.replace('ann', change, undefined)).toEqual(replaced);
    expect(await users.find('ann')).toEqual(replaced);
    expect(await accountOf('ann')).toMatchObject({ passwordHash: 'hash of ann' });
  });

  test('a new password hash takes the place of the old', async () => {
    await users.replace('ann', {}, 'new hash');
    expect(await accountOf('ann')).toMatchObject({ passwordHash: 'new hash' });
  });

  test.each([
    ['name', { username: 'bob' }],
    ['id', { id: 2n }],
  ])("somebody else's %s is taken", async (_title, change: User) => {
    expect(await users.replace('ann', change, undefined)).toBe('taken');
    expect(await users.find('ann')).toEqual({ id: 1n, username: 'ann', firstName: 'Ann' });
    expect(await users.find('bob')).toEqual({ id: 2n, username: 'bob' });
  });

  test('an unknown user is unknown, also where the new name is taken', async () => {
    expect(await users.replace('eve', { username: 'bob' }, undefined)).toBe('unknown');
  });

  test('a new name takes the tokens along', async () => {
    const account = await accountOf('ann');
    const tokens = knexTokens(file.db, 'petstore');
    await tokens.add(tokenOf(account?.key ?? ''));
    await users.replace('ann', { username: 'anna' }, undefined);
    expect(await users.find('ann')).toBeUndefined();
    expect(await tokens.findActive('digest', 0)).toMatchObject({ username: 'anna' });
  });

  test('an id that was given up is not assigned again', async () => {
    await users.replace('ann', { id: 50n }, undefined);
    const created = await users.add([user('cid'), user('dan')]).then(listed);
    expect(created.map(({ id }) => id)).not.toContain(1n);
  });
});

describe('remove', () => {
  test('ends the tokens with the user', async () => {
    await users.add([user('ann')]);
    const account = await accountOf('ann');
    const tokens = knexTokens(file.db, 'petstore');
    await tokens.add(tokenOf(account?.key ?? ''));
    expect(await users.remove('ann')).toBe(true);
    expect(await users.remove('ann')).toBe(false);
    expect(await users.find('ann')).toBeUndefined();
    expect(await countRows(file.db, 'tokens')).toBe(0);
  });
});

const listed = (created: User[] | 'taken'): User[] => (created === 'taken' ? [] : created);

const tokenOf = (userKey: string) => ({
  kind: 'login' as const,
  hash: 'digest',
  userKey,
  scopes: [],
  client: undefined,
  createdAt: 0,
  expiresAt: 1000,
});
