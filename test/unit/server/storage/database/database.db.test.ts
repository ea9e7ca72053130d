import { describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../../src/server/storage/database/database';
import { migrationSource } from '../../../../../src/server/storage/migrations/index';
import { isPostgres } from '../../../../../src/server/storage/sql/is-postgres';
import { param } from '../../../../../src/server/storage/sql/statement';
import { useNewDatabases } from '../../../../support/new-database';
import { tablesOf } from '../../../../support/tables';

const newUrl = useNewDatabases();

test.each(['', 'sqlite:', 'postgres://', 'mysql://user:secret@host/db', './file.sqlite'])(
  'openDatabase refuses the URL "%s" without repeating it',
  async (url) => {
    await expect(openDatabase(url)).rejects.toThrow(
      /^The database URL must be "sqlite:" followed by the path of a file, or "postgres:\/\/…"\.$/,
    );
  },
);

describe('migrations', () => {
  /** Tables that no migration made: they tell which were run, and whose turn it is. */
  const bookkeeping = ['knex_migrations', 'knex_migrations_lock', 'migration_turn'];

  test('go up, all the way down, and up again', async () => {
    const db = await openDatabase(await newUrl());
    const tables = async () => (await tablesOf(db)).sort();
    const before = await tables();
    await db.knex.migrate.rollback({ migrationSource }, true);
    expect(bookkeeping).toEqual(expect.arrayContaining(await tables()));
    await db.knex.migrate.latest({ migrationSource });
    expect(await tables()).toEqual(before);
    expect(before).toEqual(expect.arrayContaining(['pets', 'orders', 'users', 'tokens']));
    await closeDatabase(db);
  });

  test('keep the tags of pets', async () => {
    const db = await openDatabase(await newUrl());
    const pet = (id: number) => ({ service: 's', id, document: '{}' });
    const tag = (pet_id: number, name: string) => ({ service: 's', pet_id, name });
    const tags = [tag(1, 'b'), tag(2, 'a'), tag(2, 'b')];
    const stored = () => db.knex('pet_tags').orderBy(['pet_id', 'name']);
    await db.knex('pets').insert([pet(1), pet(2)]);
    await db.knex('pet_tags').insert(tags);
    const orphan = tag(3, 'a');
    for (const [direction, name, refers] of [
      ['down', '0007-tags-alone', true],
      ['down', '0005-tags-by-name', true],
      ['up', '0005-tags-by-name', true],
      ['up', '0007-tags-alone', isPostgres(db.knex)],
    ] as const) {
      await db.knex.migrate[direction]({ migrationSource, name });
      expect((await stored()).map((row) => tag(Number(row.pet_id), row.name))).toEqual(tags);
      const inserted = db.knex('pet_tags').insert(orphan);
      if (!refers) await inserted;
      else {
        await expect(inserted).rejects.toMatchObject({
          message: expect.stringMatching(/foreign key/i),
        });
      }
    }
    if (isPostgres(db.knex)) {
      await db.knex('pets').where({ id: 1 }).delete();
      expect((await stored()).map((row) => row.name)).toEqual(['a', 'b']);
    }
    await closeDatabase(db);
  });

  test('keep the ads under their keys', async () => {
    const db = await openDatabase(await newUrl());
    const ad = (key: number, author: string) => ({
      ...{ key, service: 's', author },
      ...{ document: `{"by":"${author}"}`, format: 'f' },
    });
    const stored = async () => {
      const rows = await db.knex('ads').orderBy('key');
      return rows.map((row) => ({ ...row, key: Number(row.key) }));
    };
    await db.knex('ads').insert([ad(2, 'a'), ad(5, 'b')]);
    for (const direction of ['down', 'up'] as const) {
      await db.knex.migrate[direction]({ migrationSource, name: '0008-ads-without-sequence' });
      expect(await stored()).toEqual([ad(2, 'a'), ad(5, 'b')]);
    }
    if (!isPostgres(db.knex)) {
      const { key: _, ...rest } = ad(0, 'c');
      await db.knex('ads').insert(rest);
      expect(await stored()).toContainEqual({ ...rest, key: 6 });
    }
    await closeDatabase(db);
  });

  test('keep the orders, and let no id come twice', async () => {
    const db = await openDatabase(await newUrl());
    const order = (id: string, document: string) => ({ service: 's', id, document, format: 'f' });
    const orders = [order('-9223372036854775808', '{"a":1}'), order('9223372036854775807', '{}')];
    const idText = db.knex.raw('cast(id as text) as id');
    const stored = () =>
      db.knex('orders').orderBy('orders.id').select('service', idText, 'document', 'format');
    await db.knex('orders').insert(orders);
    for (const direction of ['down', 'up'] as const) {
      await db.knex.migrate[direction]({ migrationSource, name: '0009-orders-by-id' });
      expect(await stored()).toEqual(orders);
      await expect(db.knex('orders').insert(orders[1])).rejects.toMatchObject({
        message: expect.stringMatching(/unique/i),
      });
    }
    await closeDatabase(db);
  });

  test('find the next retired id of each counter', async () => {
    const db = await openDatabase(await newUrl());
    const counter = (name: string, next: string) => ({ name, next });
    const retired = (kind: string, id: string) => ({ kind, id });
    await db.knex('id_counters').insert([counter('a', '5'), counter('b', '1'), counter('c', '9')]);
    await db
      .knex('retired_ids')
      .insert([
        ...[retired('a', '4'), retired('a', '9007199254740993'), retired('a', '9007199254740995')],
        ...[retired('b', '1'), retired('c', '8')],
      ]);
    for (const direction of ['down', 'up'] as const) {
      await db.knex.migrate[direction]({ migrationSource, name: '0006-next-retired-id' });
    }
    const found = await db
      .knex('id_counters')
      .orderBy('name')
      .select(db.knex.raw('cast(retired as text) as retired'));
    expect(found.map((row) => row.retired)).toEqual(['9007199254740993', '1', null]);
    await closeDatabase(db);
  });

  test('are recorded by name', async () => {
    const db = await openDatabase(await newUrl());
    const [first] = await db.knex('knex_migrations').orderBy('id').pluck('name');
    expect(first).toBe('0001-resources');
    await closeDatabase(db);
  });

  test('run once where connections start together', async () => {
    const url = await newUrl();
    const opened = await Promise.all(Array.from({ length: 3 }, () => openDatabase(url)));
    const [first] = opened;
    const names = await first?.knex('knex_migrations').pluck('name');
    expect(names).toContain('0001-resources');
    expect(new Set(names).size).toBe(names?.length);
    await Promise.all(opened.map(closeDatabase));
  });
});

describe('transactions', () => {
  test('tell how many rows a statement changed', async () => {
    const db = await openDatabase(await newUrl());
    const counters = () => db.knex('id_counters');
    const insert = counters()
      .insert({ name: param('name'), next: '1' })
      .onConflict()
      .ignore();
    const add = db.prepare<{ name: string }, never>(insert);
    const change = db.prepare<Record<string, never>, never>(counters().update({ next: '2' }));
    const remove = db.prepare<{ name: string }, never>(
      counters()
        .where({ name: param('name') })
        .delete(),
    );
    const changed = await db.transaction(async (trx) => [
      ...[await trx.run(add, { name: 'a' }), await trx.run(add, { name: 'b' })],
      await trx.run(add, { name: 'a' }),
      await trx.run(change, {}),
      ...[await trx.run(remove, { name: 'a' }), await trx.run(remove, { name: 'a' })],
    ]);
    expect(changed).toEqual([1, 1, 0, 2, 1, 0]);
    await closeDatabase(db);
  });

  test('that read first and write later wait for each other', async () => {
    const url = await newUrl();
    const [one, two] = await Promise.all([openDatabase(url), openDatabase(url)]);
    const counter = () => one.knex('id_counters').where({ name: 'n' });
    const read = one.prepare<Record<string, never>, { next: number | string }>(
      counter().forUpdate().select('next'),
    );
    const set = one.prepare<{ next: number }, never>(counter().update({ next: param('next') }));
    await one.knex('id_counters').insert({ name: 'n', next: '0' });
    const increment = (db: Database) =>
      db.transaction(async (trx) => {
        const [row] = await trx.all(read, {});
        await trx.run(set, { next: Number(row?.next) + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, (_, at) => increment(at % 2 === 0 ? one : two)));
    expect((await counter().pluck('next')).map(Number)).toEqual([40]);
    await Promise.all([closeDatabase(one), closeDatabase(two)]);
  });
});
