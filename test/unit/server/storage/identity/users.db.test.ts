/** What test/end-to-end/users.db.test.ts cannot see of how users are kept. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { knexAccounts } from '../../../../../src/server/storage/identity/accounts';
import {
  type IdentifiedUser,
  knexUsers,
  type UserStorage,
} from '../../../../../src/server/storage/identity/users';
import { countRows } from '../../../../support/count-rows';
import { standInCodecOf } from '../../../../support/stand-in-codec';
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

  test('several users may have no name', async () => {
    const anonymous = { user: { firstName: 'Ann' }, passwordHash: undefined };
    expect(await users.add([anonymous, anonymous])).toHaveLength(2);
  });

  test('creates none where one of the list has an id in use', async () => {
    await users.add([user('ann', { id: 9223372036854775807n })]);
    const taken = user('other', { id: 9223372036854775807n });
    expect(await users.add([user('new'), taken])).toBe('taken');
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
});

test('an id is never assigned twice, neither after a removal nor when it was given up', async () => {
  const first = await assignedTo('ann');
  await users.remove('ann');
  const second = await assignedTo('ann');
  await users.replace('ann', { id: 9007199254740993n }, undefined);
  const ids = [first, second, await assignedTo('bob'), await assignedTo('cid')];
  expect(new Set(ids).size).toBe(4);
});

test('an unknown user is unknown, also where the new name is taken', async () => {
  await users.add([user('bob')]);
  expect(await users.replace('eve', { username: 'bob' }, undefined)).toBe('unknown');
});
