/** Settings of SQLite; test/programs/start-without-database.test.ts has what is no database. */

import { chmodSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { useTemporaryFolder } from '../../../support/temporary-folder';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();
const folder = useTemporaryFolder();

const modeOf = (...path: string[]): string => (statSync(folder(...path)).mode & 0o777).toString(8);

test("what is new is its owner's alone", async () => {
  const db = await openDatabase(`sqlite:${folder('new', 'data', 'a.sqlite')}`);
  await db.transaction(async () => undefined);
  expect([modeOf('new'), modeOf('new', 'data')]).toEqual(['700', '700']);
  for (const name of ['a.sqlite', 'a.sqlite-wal', 'a.sqlite-shm'])
    expect([name, modeOf('new', 'data', name)]).toEqual([name, '600']);
  await closeDatabase(db);
});

test('what is there keeps its mode', async () => {
  mkdirSync(folder('old'));
  writeFileSync(folder('old', 'a.sqlite'), '');
  chmodSync(folder('old'), 0o750);
  chmodSync(folder('old', 'a.sqlite'), 0o640);
  await closeDatabase(await openDatabase(`sqlite:${folder('old', 'a.sqlite')}`));
  expect([modeOf('old'), modeOf('old', 'a.sqlite')]).toEqual(['750', '640']);
});

test('what a symbolic link leads to is the database', async () => {
  await closeDatabase(await openDatabase(`sqlite:${folder('real', 'a.sqlite')}`));
  symlinkSync(folder('real', 'a.sqlite'), folder('link.sqlite'));
  const db = await openDatabase(`sqlite:${folder('link.sqlite')}`);
  const insert = db.prepare<Record<string, never>, never>(
    db.knex('id_counters').insert({ name: 'a', next: '1' }),
  );
  await db.transaction((trx) => trx.run(insert, {}));
  expect(lstatSync(folder('link.sqlite')).isSymbolicLink()).toBe(true);
  expect(statSync(folder('real', 'a.sqlite-wal')).size).toBeGreaterThan(0);
  await closeDatabase(db);
});

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
