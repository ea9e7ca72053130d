/** Users of an earlier version, whose names might be alike. */

import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { knexAccounts } from '../../../../src/storage/identity/accounts';
import { useNewDatabases } from '../../../support/new-database';
import { makeEarlier } from './make-earlier';

const newUrl = useNewDatabases();

test('one user has what the name is compared by, the others keep their own names', async () => {
  const url = await newUrl();
  const names = ['Demo', 'demo', 'DEMO ', 'Zo\u00eb', '', null, 'x'.repeat(300)];
  const users = names.map((username, at) => ({
    ...{ key: at + 1, service: 's', id: at + 1, document: '{}', format: '' },
    ...{ username, username_key: username?.slice(0, 250) ?? null, password_hash: `hash ${at}` },
  }));
  const elsewhere = { ...users[1], key: 20, service: 'other' };
  await makeEarlier(url, '0013-walks', { users: [...users, elsewhere] });
  const db = await openDatabase(url);
  const rows = await db.knex('users').orderBy('key').select('key', 'comparable_key');
  const find = knexAccounts(db, 's').findComparable;
  const found = await Promise.all(
    ['Demo', 'demo', 'DEMO ', 'DEMO', 'zoe\u0308', 'zoe', ''].map(find),
  );
  await closeDatabase(db);
  expect(rows.map((row) => row.comparable_key)).toEqual([
    ...['demo', null, null, 'zo\u00eb', null, null],
    expect.stringMatching(/^x{200}[0-9a-f]{64}$/),
    'demo',
  ]);
  expect(found.map((account) => account?.key)).toEqual(['1', '2', '3', '1', '4', undefined, '5']);
});
