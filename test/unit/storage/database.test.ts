import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeDatabase, type Database, openDatabase } from '../../../src/storage/database';
import { migrationSource } from '../../../src/storage/migrations/index';
import { slot } from '../../../src/storage/statement';

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
    expect(await db.knex('pets').select()).toEqual([]);
    await closeDatabase(db);
  });

  test.each(['', 'sqlite:', 'postgres://', 'mysql://user:secret@host/db', './file.sqlite'])(
    'refuses the URL "%s" without repeating it',
    async (url) => {
      await expect(openDatabase(url)).rejects.toThrow(
        /^The database URL must be "sqlite:" followed by the path of a file, or "postgres:\/\/…"\.$/,
      );
    },
  );

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

describe('migrations', () => {
  test('go up, all the way down, and up again', async () => {
    const db = await openDatabase('sqlite::memory:');
    const tables = () =>
      db.knex('sqlite_master').where({ type: 'table' }).orderBy('name').pluck('name');
    const before = await tables();
    await db.knex.migrate.rollback({ migrationSource }, true);
    expect(await tables()).toEqual(['knex_migrations', 'knex_migrations_lock', 'sqlite_sequence']);
    await db.knex.migrate.latest({ migrationSource });
    expect(await tables()).toEqual(before);
    await closeDatabase(db);
  });

  test('are recorded by name', async () => {
    const db = await openDatabase('sqlite::memory:');
    expect(await db.knex('knex_migrations').orderBy('id').first('name')).toEqual({
      name: '0001-resources',
    });
    await closeDatabase(db);
  });

  test('run once where connections start together', async () => {
    const url = `sqlite:${join(folder, 'together', 'file.sqlite')}`;
    const opened = await Promise.all(Array.from({ length: 3 }, () => openDatabase(url)));
    const [first] = opened;
    const names = await first?.knex('knex_migrations').pluck('name');
    expect(new Set(names).size).toBe(names?.length);
    await Promise.all(opened.map(closeDatabase));
  });
});

describe('the driver', () => {
  test('is never handed a bigint, which it would store as NULL', async () => {
    const db = await openDatabase('sqlite::memory:');
    const row = { service: 's', id: 1n, document: '{}' };
    await expect(db.knex('orders').insert(row)).rejects.toThrow('A bigint cannot be bound');
    await expect(db.knex.transaction((trx) => trx('orders').insert(row))).rejects.toThrow(
      'A bigint cannot be bound',
    );
    expect(await db.knex('orders').select()).toEqual([]);
    await closeDatabase(db);
  });
});

describe('transactions', () => {
  test('that read first and write later wait for each other', async () => {
    const url = `sqlite:${join(folder, 'waiting', 'file.sqlite')}`;
    const [one, two] = await Promise.all([openDatabase(url), openDatabase(url)]);
    const counter = () => one.knex('id_counters').where({ name: 'n' });
    const read = one.prepare<Record<string, never>, { next: number }>(
      counter().forUpdate().select('next'),
    );
    const set = one.prepare<{ next: number }, never>(counter().update({ next: slot('next') }));
    await one.knex('id_counters').insert({ name: 'n', next: '0' });
    const increment = (db: Database) =>
      db.transaction(async (trx) => {
        const [row] = await trx.all(read, {});
        await trx.all(set, { next: Number(row?.next) + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, (_, at) => increment(at % 2 === 0 ? one : two)));
    expect(await counter().pluck('next')).toEqual([40]);
    await Promise.all([closeDatabase(one), closeDatabase(two)]);
  });
});
