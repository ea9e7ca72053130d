/** The output of the commands; test/unit/storage/backup tests their effects. */

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { tables } from '../../../../src/storage/migrations/index';
import { valuesOf } from '../../../support/text-cases';
import { useDatabases } from '../../storage/copy/copy-databases';
import { done, refused, runWith } from './run-command';

const cases = join(__dirname, 'backup-commands.cases.txt');

const databases = useDatabases();

const verified = (what: string): string =>
  `Verified: its ${what} are in order; ${tables.length} tables have 0 rows.\n`;
const ofBackup = verified('pages and references');
const ofRestore = verified('pages, migrations and references');

const create = async (): Promise<string> => {
  const url = await databases().create('sqlite');
  await closeDatabase(await openDatabase(url));
  return url;
};

test('backup makes a file, and makes it again if told to; restore says where it has kept what was there', async () => {
  const url = await create();
  const file = join(databases().folder, 'made.sqlite');
  const made = done(`Backed up the database as "${file}".\n${ofBackup}`);
  expect(await runWith(url, 'backup', file)).toEqual(made);
  const isThere = `There is a file "${file}" already; --force replaces it.\n`;
  expect(await runWith(url, 'backup', file)).toEqual(refused(isThere));
  expect(await runWith(url, 'backup', file, '--force')).toEqual(made);

  expect(await runWith(url, 'restore', file, '--dry-run')).toEqual(
    done(`The backup "${file}" can be restored.\n${ofRestore}`),
  );
  const restored = `Restored the database from "${file}".\n${ofRestore}`;
  const kept = `${url.slice('sqlite:'.length)}.before-20300101T120002.000Z`;
  expect(await runWith(url, 'restore', file)).toEqual(
    done(`${restored}Previous database kept as "${kept}".\n`),
  );
  expect((await stat(kept)).size).toBeGreaterThan(0);
  const empty = await databases().create('sqlite');
  expect(await runWith(empty, 'restore', file)).toEqual(done(restored));
});

test('backup --keep makes a dated file and says what it has deleted', async () => {
  const url = await create();
  const name = basename(url.slice('sqlite:'.length), '.sqlite');
  const folder = join(databases().folder, 'kept');
  await mkdir(folder);
  const older = join(folder, `${name}-20290101T000000.000Z.sqlite`);
  await writeFile(older, '');
  const file = join(folder, `${name}-20300101T120002.000Z.sqlite`);
  expect(await runWith(url, 'backup', folder, '--keep', '1')).toEqual(
    done(`Backed up the database as "${file}".\n${ofBackup}Deleted "${older}".\n`),
  );
  const { out } = await runWith(url, 'restore', file, '--dry-run', '--format', 'json');
  expect(JSON.parse(out)).toMatchObject({ file, rows: { items: 0, users: 0 } });
});

test.each([
  [['--keep', '0'], 'must be a whole number from 1 to 1000'],
  [['--keep', '2'], 'There is no folder "/nowhere".'],
])('backup %j is refused', async (args, sentence) => {
  const { exitCode, err } = await runWith(await create(), 'backup', '/nowhere', ...args);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(sentence)]);
});

test.each(
  valuesOf<[command: string, url: string, err: string]>(
    cases,
    'databases that have no backups here',
  ),
)('%s of %s is refused', async (command, url, err) => {
  expect(await runWith(url, command, '/nowhere/backup')).toEqual(refused(err));
});
