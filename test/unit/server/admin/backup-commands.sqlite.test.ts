import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/server/storage/database/database';
import { useDatabases } from '../storage/copy/copy-databases';
import { runWith } from './run-copy-backup';

const databases = useDatabases();

const createClosed = async (): Promise<string> => {
  const url = await databases().create('sqlite');
  await closeDatabase(await openDatabase(url));
  return url;
};

describe('on SQLite', () => {
  test('backup makes a file, and makes it again if told to', async () => {
    const url = await createClosed();
    const file = join(databases().folder, 'made.sqlite');
    const done = { exitCode: 0, out: `The database is backed up as "${file}".\n`, err: '' };
    expect(await runWith(url, 'backup', file)).toEqual(done);
    expect(await runWith(url, 'backup', file)).toEqual({
      exitCode: 2,
      out: '',
      err: `There is a file "${file}" already; --force replaces it.\n`,
    });
    expect(await runWith(url, 'backup', file, '--force')).toEqual(done);
  });

  test('restore says where it has kept what was there', async () => {
    const url = await createClosed();
    const file = join(databases().folder, 'kept.sqlite');
    await runWith(url, 'backup', file);
    const kept = `${url.slice('sqlite:'.length)}.before-20300101T120002.000Z`;
    expect(await runWith(url, 'restore', file)).toEqual({
      exitCode: 0,
      out: `The database is restored from "${file}".\nWhat it held before is kept as "${kept}".\n`,
      err: '',
    });
    expect((await stat(kept)).size).toBeGreaterThan(0);
  });

  test('restore where there was nothing keeps nothing', async () => {
    const file = join(databases().folder, 'moved.sqlite');
    await runWith(await createClosed(), 'backup', file);
    expect(await runWith(await databases().create('sqlite'), 'restore', file)).toEqual({
      exitCode: 0,
      out: `The database is restored from "${file}".\n`,
      err: '',
    });
  });

  test.each([
    ['backup', 'There is no database "/nowhere/x.sqlite".\n'],
    ['restore', 'There is no file "/nowhere/backup".\n'],
  ])('%s says what is missing', async (command, err) => {
    expect(await runWith('sqlite:/nowhere/x.sqlite', command, '/nowhere/backup')).toEqual({
      exitCode: 2,
      out: '',
      err,
    });
  });

  test.each(['backup', 'restore'])('%s does nothing in memory', async (command) => {
    expect(await runWith('sqlite::memory:', command, 'file')).toEqual({
      exitCode: 2,
      out: '',
      err: 'A database in memory has no backups.\n',
    });
  });
});

describe('on PostgreSQL', () => {
  test.each([
    ['backup', 'This is for SQLite; on PostgreSQL use pg_dump.\n'],
    ['restore', 'This is for SQLite; on PostgreSQL use pg_restore.\n'],
  ])('%s names the tool that does it', async (command, err) => {
    expect(await runWith('postgres://user:secret@127.0.0.1:1/db', command, 'file')).toEqual({
      exitCode: 2,
      out: '',
      err,
    });
  });
});
