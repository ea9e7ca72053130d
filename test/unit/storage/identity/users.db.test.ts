/** The rules of users that test/end-to-end/users.db.test.ts cannot see. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { within } from '../../../../src/storage/database/database';
import {
  type IdentifiedUser,
  InvalidUserName,
  knexAccounts,
  type Users,
  usersOver,
} from '../../../../src/storage/identity/users';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { countRows } from '../../../support/stored-items';
import { useTemporaryDatabase } from '../temporary-database';

interface User extends IdentifiedUser {
  readonly firstName?: string;
}

const codec = standInCodecOf<User>();

const file = useTemporaryDatabase();
let users: Users<User>;

beforeEach(async () => {
  await file.db.knex('users').delete();
  users = usersOver(file.db, 'petstore', codec)(file.db);
});

const insert = async (username: string, more: Partial<User> = {}) =>
  (await users.insert({ username, ...more }, `hash of ${username}`))?.read();

const read = async (username: string) => (await users.get(username))?.read();

const accountOf = (username: string) => knexAccounts(file.db, 'petstore').find(username);

describe('insert', () => {
  test('keeps the password apart and drops what the schema does not declare', async () => {
    const given: User = { username: 'ann', ...{ password: 'secret', xtra: 1 } };
    const created = await users.insert(given, '$hash');
    expect(created?.read()).toEqual({ id: expect.any(BigInt), username: 'ann' });
    expect(JSON.stringify(await file.db.knex('users').select('document'))).not.toContain('secret');
    expect(await accountOf('ann')).toMatchObject({ username: 'ann', passwordHash: '$hash' });
  });

  test('refuses a user without a name', async () => {
    await expect(users.insert({ firstName: 'Ann' })).rejects.toThrow(InvalidUserName);
    expect(await countRows(file.db, 'users')).toBe(0);
  });

  test.each<[string, User]>([
    ['an id in use', { username: 'bob', id: 9223372036854775807n }],
    ['a name in use', { username: 'ann' }],
    ['a name that is the same by PRECIS', { username: 'ANN' }],
  ])('gives undefined for %s, and a transaction goes on', async (_, taken) => {
    await insert('ann', { id: 9223372036854775807n });
    expect(await users.isTaken(taken.username)).toBe(taken.id === undefined);
    await file.db.transaction(async (trx) => {
      const inside = usersOver(file.db, 'petstore', codec)(within(file.db, trx));
      expect(await inside.insert(taken)).toBeUndefined();
      expect(await inside.insert({ username: 'cid' })).toBeDefined();
    });
    expect(await countRows(file.db, 'users')).toBe(2);
  });

  test('gives a name to one of many who ask at once', async () => {
    const another = await file.openAnother();
    const others = usersOver(another, 'petstore', codec)(another);
    const given = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? users : others).insert({ username: index % 3 ? 'ann' : 'ANN' }),
    );
    expect((await Promise.all(given)).filter(Boolean)).toHaveLength(1);
  });

  test.each(['__proto__', 'constructor', "'; drop table users; --", 'Ünïcödé', 'anna'])(
    'the name %s is a name like any other',
    async (name) => {
      await insert('ann');
      await insert(name);
      expect(await read(name)).toMatchObject({ username: name });
      expect(await users.delete(name)).toBe(true);
      expect(await read('ann')).toMatchObject({ username: 'ann' });
    },
  );
});

test('an id is never assigned twice, neither after a removal nor when it was given up', async () => {
  const first = await insert('ann');
  await users.delete('ann');
  const second = await insert('ann');
  await users.update('ann', (ann) => ({ ...ann, id: 9007199254740993n }));
  const all = [first, second, await insert('bob'), await insert('cid')];
  expect(new Set(all.map((user) => user?.id)).size).toBe(4);
});

describe('a name from before names were compared', () => {
  beforeEach(async () => {
    await insert('ann');
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
    const update = async (name: string, user: User) =>
      (await users.update(name, () => user))?.read();
    const changed = { username: 'ANN ', firstName: 'Anna' };
    expect(await update('ANN ', changed)).toMatchObject(changed);
    expect(await update('ANN ', { firstName: 'A' })).toMatchObject({ username: 'ANN ' });
    expect(await update('ANN ', { username: 'Ann' })).toBeUndefined();
    expect(await update('ANN ', { username: 'Anna' })).toMatchObject({ username: 'Anna' });
    expect(await insert('anna')).toBeUndefined();
  });
});

test('an update gets the stored user, and gives undefined for an unknown one', async () => {
  await insert('bob', { firstName: 'Bob' });
  const changed = await users.update('bob', (bob) => ({ ...bob, firstName: `${bob.firstName}by` }));
  expect(changed?.read()).toMatchObject({ username: 'bob', firstName: 'Bobby' });
  expect(await users.update('eve', () => ({ username: 'eve' }))).toBeUndefined();
});
