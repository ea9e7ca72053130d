/** What test/end-to-end/users.db.test.ts cannot see of how users are kept. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { knexAccounts } from '../../../../src/storage/identity/accounts';
import {
  type IdentifiedUser,
  knexUsers,
  type UserStorage,
} from '../../../../src/storage/identity/users';
import { countRows } from '../../../support/count-rows';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { useTemporaryDatabase } from '../temporary-database';

interface User extends IdentifiedUser {
  readonly firstName?: string;
}

const codec = standInCodecOf<User>();

const file = useTemporaryDatabase();
let users: UserStorage<User>;

beforeEach(async () => {
  await file.db.knex('users').delete();
  users = knexUsers(file.db, 'petstore', codec);
});

const user = (username: string, more: Partial<User> = {}) => ({
  user: { username, ...more },
  passwordHash: `hash of ${username}`,
});

const accountOf = (username: string) => knexAccounts(file.db, 'petstore').find(username);

/** Adds a user without an id; gives the one that was assigned. */
const assignedTo = async (username: string): Promise<unknown> => {
  const [created] = await users.add([user(username)]);
  return typeof created === 'object' ? created.id : undefined;
};

describe('add', () => {
  test('keeps the password apart and drops what the schema does not declare', async () => {
    const given: User = { username: 'ann', ...{ password: 'secret', xtra: 1 } };
    const created = await users.add([{ user: given, passwordHash: '$hash' }]);
    expect(created).toEqual([{ id: expect.any(BigInt), username: 'ann' }]);
    expect(JSON.stringify(await file.db.knex('users').select('document'))).not.toContain('secret');
    expect(await accountOf('ann')).toMatchObject({ username: 'ann', passwordHash: '$hash' });
  });

  test('creates none where one of the list has no name', async () => {
    const nameless = { user: { firstName: 'Ann' }, passwordHash: undefined };
    const refused = { status: 400, code: 'invalid-body' };
    await expect(users.add([user('ann'), nameless])).rejects.toMatchObject(refused);
    expect(await countRows(file.db, 'users')).toBe(0);
  });

  test('creates none where one of the list has an id in use', async () => {
    await users.add([user('ann', { id: 9223372036854775807n })]);
    const taken = user('other', { id: 9223372036854775807n });
    expect(await users.add([user('new'), taken])).toBe('taken');
    expect(await countRows(file.db, 'users')).toBe(1);
  });

  test.each(['__proto__', 'constructor', "'; drop table users; --", 'Ünïcödé', 'anna'])(
    'the name %s is a name like any other',
    async (name) => {
      await users.add([user('ann'), user(name)]);
      expect(await users.find(name)).toMatchObject({ username: name });
      expect(await users.remove(name)).toBe(true);
      expect(await users.find('ann')).toMatchObject({ username: 'ann' });
    },
  );
});

test('an id is never assigned twice, neither after a removal nor when it was given up', async () => {
  const first = await assignedTo('ann');
  await users.remove('ann');
  const second = await assignedTo('ann');
  await users.replace('ann', { id: 9007199254740993n }, undefined);
  const ids = [first, second, await assignedTo('bob'), await assignedTo('cid')];
  expect(new Set(ids).size).toBe(4);
});

test.each([
  ['a free name', ['bob'], false],
  ['a name in use', ['bob', 'ann'], true],
  ['one that is the same by PRECIS', ['ANN'], true],
  ['a name that comes twice, by PRECIS', ['bob', 'Bob'], true],
])('isAnyTaken: %s', async (_title, names, isTaken) => {
  await users.add([user('ann')]);
  expect(await users.isAnyTaken(names)).toBe(isTaken);
});

describe('a name from before names were compared', () => {
  beforeEach(async () => {
    await users.add([user('ann')]);
    const more = { service: 'petstore', document: '{}', password_hash: 'hash of ANN ' };
    const named = { username: 'ANN ', username_key: 'ANN ', comparable_key: null };
    await file.db.knex('users').insert({ ...more, ...named, id: 77 });
  });

  test('is found exactly, and before a name like it', async () => {
    const accounts = knexAccounts(file.db, 'petstore');
    expect(await accounts.findComparable('ANN ')).toMatchObject({ username: 'ANN ' });
    expect(await accounts.findComparable('ANN')).toMatchObject({ username: 'ann' });
    expect(await accounts.findComparable('ann')).toMatchObject({ username: 'ann' });
    expect(await accounts.findComparable('anne')).toBeUndefined();
  });

  test('stays in changes of the user, and is given up for a good one', async () => {
    const changed = { username: 'ANN ', firstName: 'Anna' };
    expect(await users.replace('ANN ', changed, undefined)).toMatchObject(changed);
    expect(await users.replace('ANN ', { firstName: 'A' }, undefined)).toMatchObject({
      username: 'ANN ',
    });
    expect(await users.replace('ANN ', { username: 'Ann' }, undefined)).toBe('taken');
    const renamed = await users.replace('ANN ', { username: 'Anna' }, undefined);
    expect(renamed).toMatchObject({ username: 'Anna' });
    expect(await users.add([user('anna')])).toBe('taken');
  });
});

test('an unknown user is unknown, also where the new name is taken', async () => {
  await users.add([user('bob')]);
  expect(await users.replace('eve', { username: 'bob' }, undefined)).toBe('unknown');
});
