/** The output of the commands; test/unit/storage/backup tests their effects. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { useDatabases } from '../../storage/copy/copy-databases';
import { done, refused, runWith } from './run-command';

const databases = useDatabases();

test('backup makes a file, and makes it again if told to; restore says where it has kept what was there', async () => {
  const url = await databases().create('sqlite');
  await closeDatabase(await openDatabase(url));
  const file = join(databases().folder, 'made.sqlite');
  const made = done(`Backed up the database as "${file}".\n`);
  expect(await runWith(url, 'backup', file)).toEqual(made);
  const isThere = `There is a file "${file}" already; --force replaces it.\n`;
  expect(await runWith(url, 'backup', file)).toEqual(refused(isThere));
  expect(await runWith(url, 'backup', file, '--force')).toEqual(made);

  const restored = `Restored the database from "${file}".\n`;
  const kept = `${url.slice('sqlite:'.length)}.before-20300101T120002.000Z`;
  expect(await runWith(url, 'restore', file)).toEqual(
    done(`${restored}Previous database kept as "${kept}".\n`),
  );
  expect((await stat(kept)).size).toBeGreaterThan(0);
  const empty = await databases().create('sqlite');
  expect(await runWith(empty, 'restore', file)).toEqual(done(restored));
});

const elsewhere = 'postgres://user:secret@127.0.0.1:1/db';

test.each([
  ['backup', 'sqlite:/nowhere/x.sqlite', 'There is no database "/nowhere/x.sqlite".\n'],
  ['restore', 'sqlite:/nowhere/x.sqlite', 'There is no file "/nowhere/backup".\n'],
  ['backup', 'sqlite::memory:', 'A database in memory has no backups.\n'],
  ['restore', 'sqlite::memory:', 'A database in memory has no backups.\n'],
  ['backup', elsewhere, 'This is for SQLite; on PostgreSQL use pg_dump.\n'],
  ['restore', elsewhere, 'This is for SQLite; on PostgreSQL use pg_restore.\n'],
])('%s of %s is refused', async (command, url, err) => {
  expect(await runWith(url, command, '/nowhere/backup')).toEqual(refused(err));
});
