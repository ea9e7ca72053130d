/** Settings of SQLite; test/end-to-end/start-without-database.test.ts has what is no database. */

import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../../src/server/storage/database/database';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();

test.each([
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
  ['busy_timeout', 5000],
])('sets %s to %s', async (name, wanted) => {
  const [row] = await temporary.db.knex.raw(`PRAGMA ${name}`);
  expect(Object.values(row)).toEqual([wanted]);
});

test('a database in memory is never handed a bigint, which the driver would store as NULL', async () => {
  const db = await openDatabase('sqlite::memory:');
  const row = { collection: 1, id: 1n, document: '{}', format: '' };
  await expect(db.knex('items').insert(row)).rejects.toThrow('A bigint cannot be bound');
  await expect(db.knex.transaction((trx) => trx('items').insert(row))).rejects.toThrow(
    'A bigint cannot be bound',
  );
  expect(await db.knex('items').select()).toEqual([]);
  await closeDatabase(db);
});
