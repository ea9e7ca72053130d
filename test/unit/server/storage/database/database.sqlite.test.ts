import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../../src/server/storage/database/database';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('openDatabase', () => {
  test.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['busy_timeout', 5000],
  ])('sets %s to %s', async (name, wanted) => {
    const db = await openDatabase(`sqlite:${join(folder, 'settings', 'file.sqlite')}`);
    const [row] = await db.knex.raw(`PRAGMA ${name}`);
    await closeDatabase(db);
    expect(Object.values(row)).toEqual([wanted]);
  });

  test('opens a database in memory', async () => {
    const db = await openDatabase('sqlite::memory:');
    expect(await db.knex('items').select()).toEqual([]);
    await closeDatabase(db);
  });

  test('says in one sentence that a folder is no database', async () => {
    await expect(openDatabase(`sqlite:${folder}`)).rejects.toThrow(
      /^The database ".*" cannot be opened: .*unable to open database file\.$/,
    );
  });

  test('says in one sentence that a file is no database', async () => {
    const path = join(folder, 'text.sqlite');
    await writeFile(
      path,
      'no database, but a file of text that is long enough to be one'.repeat(9),
    );
    await expect(openDatabase(`sqlite:${path}`)).rejects.toThrow(
      /^The database ".*" cannot be opened: .*file is not a database\.$/,
    );
  });

  test('says in one sentence that the folder cannot be made', async () => {
    const path = join(folder, 'a-file');
    await writeFile(path, '');
    await expect(openDatabase(`sqlite:${path}/below/x.sqlite`)).rejects.toThrow(
      /^The database ".*" cannot be opened: ENOTDIR: .*\.$/,
    );
  });
});

describe('the driver', () => {
  test('is never handed a bigint, which it would store as NULL', async () => {
    const db = await openDatabase('sqlite::memory:');
    const row = { collection: 1, id: 1n, document: '{}', format: '' };
    await expect(db.knex('items').insert(row)).rejects.toThrow('A bigint cannot be bound');
    await expect(db.knex.transaction((trx) => trx('items').insert(row))).rejects.toThrow(
      'A bigint cannot be bound',
    );
    expect(await db.knex('items').select()).toEqual([]);
    await closeDatabase(db);
  });
});
