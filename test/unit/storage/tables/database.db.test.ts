/** The database of handlers: one rule of values and of failures on both databases, one transaction with the collections. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { until } from '../../../../scripts/machine/until';
import { openServiceStorage, type ServiceStorage } from '../../../../src/storage/storage';
import { serverTables } from '../../../../src/storage/tables/own-database';
import { isPostgres } from '../../../support/new-database';
import { fileSettings, standInSchema } from '../../../support/open-storage';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();
let storage: ServiceStorage;
let database: Knex;

const open = (): Promise<ServiceStorage> =>
  openServiceStorage(temporary.db, {
    service: 'library',
    collections: { books: { schema: 'Book' } },
    accounts: undefined,
    schemaOf: (declaration) => ({
      ...standInSchema(declaration),
      columns: () =>
        new Map([
          ['title', 'text'],
          ['copies', 'integer'],
          ['isNew', 'boolean'],
          ['price', 'number'],
          ['added', 'time'],
          ['Title', 'text'],
          ['item', 'text'],
        ]),
    }),
    files: fileSettings,
  });

beforeAll(async () => {
  await temporary.db.changeTables(async (trx) => {
    await trx.schema.createTable('loan', (table) => {
      table.increments('id');
      table.text('note').unique();
      table.bigInteger('big');
      table.timestamp('due');
      table.date('day');
      table.json('meta');
      table.boolean('done').notNullable().defaultTo(false);
      table.decimal('price', 10, 2);
      table.binary('bytes');
      table.check('?? <> ?', ['note', ''], 'has_note');
    });
    await trx.schema.createTable('line', (table) => {
      table.increments('id');
      table.integer('loan').references('loan.id');
    });
  });
  storage = await open();
  ({ database } = storage);
});

const kept = {
  big: 9_007_199_254_740_993n,
  day: '2026-01-05',
  meta: { list: [1, true, null], big: 12_345_678_901_234_567_890n },
  done: true,
  price: 12.5,
  bytes: new Uint8Array([1, 0, 255]),
};

describe('values', () => {
  test('come back as they went in, times in UTC', async () => {
    const due = '2026-01-05T10:00:00.250+02:00';
    const rows = await database('loan')
      .insert({ note: 'x', due, ...kept })
      .returning('*');
    expect(rows).toEqual([{ id: 1, note: 'x', due: '2026-01-05T08:00:00.250Z', ...kept }]);
    expect(await database('loan').first()).toEqual(rows[0]);
  });

  test('of times are ordered and compared, however they were written', async () => {
    await database('loan').insert([
      { note: 'date', due: new Date('2026-01-05T08:00:00Z'), done: false },
      { note: 'fraction', due: '2026-01-05T08:00:00.3Z', done: false },
    ]);
    expect(await database('loan').orderBy('due').pluck('due')).toEqual([
      '2026-01-05T08:00:00Z',
      '2026-01-05T08:00:00.250Z',
      '2026-01-05T08:00:00.300Z',
    ]);
    const same = await database('loan').where('due', '2026-01-05T09:00:00+01:00').pluck('note');
    expect(same).toEqual(['date']);
    const before = await database('loan')
      .where('due', '<', '2026-01-05T08:00:00.26Z')
      .count({ n: '*' });
    expect(before).toEqual([{ n: 2 }]);
  });

  test.each<[string, () => PromiseLike<unknown>, unknown]>([
    ['a bigint', () => database('loan').where({ big: kept.big, done: true }).pluck('note'), ['x']],
    [
      'sums',
      () => database('loan').sum({ big: 'big' }).max({ due: 'due' }).first(),
      {
        big: kept.big,
        due: '2026-01-05T08:00:00.300Z',
      },
    ],
    ['an average', () => database('loan').avg({ id: 'id' }).first(), { id: 2 }],
    ['a count without a name', () => database('loan').count().sum('id'), [{ count: 3, sum: 6 }]],
    ['like', () => database('loan').where('note', 'like', 'X%').pluck('note'), []],
    ['ilike', () => database('loan').whereILike('note', 'X%').pluck('note'), ['x']],
    ['not ilike', () => database('loan').not.whereILike('note', 'X%').count(), [{ count: 2 }]],
    ['no rows to insert', () => database('loan').insert([]), []],
    ['changes', () => database('loan').where('note', 'x').update({ price: 2 }), 1],
    [
      'changed rows',
      () => database('loan').where('note', 'x').update({ price: 3 }).returning(['id', 'price']),
      [{ id: 1, price: 3 }],
    ],
    [
      'deleted rows',
      () => database('loan').where('note', 'date').del().returning(['id', 'note']),
      [{ id: 2, note: 'date' }],
    ],
    ['what is inserted without returning', () => database('loan').insert({ note: 'plain' }), []],
    [
      'raw rows',
      () => database.raw('select count(*) as n, ? as text from loan', ['a']),
      [{ n: 3, text: 'a' }],
    ],
    ['a batch', () => database.batchInsert('loan', [{ note: 'b1' }, { note: 'b2' }], 1), []],
    [
      'an upsert',
      () =>
        database('loan')
          .insert({ note: 'b1', price: 9 })
          .onConflict('note')
          .merge()
          .returning(['note', 'price']),
      [{ note: 'b1', price: 9 }],
    ],
    [
      'a stream',
      () => database('loan').where('note', 'b1').select('note').stream().toArray(),
      [{ note: 'b1' }],
    ],
    ['a table that is there', () => database.schema.hasTable('loan'), true],
  ])('%s', async (_, ask, expected) => {
    expect(await ask()).toEqual(expected);
  });
});

describe('failures', () => {
  test('rows of different columns, of which SQLite has no defaults', () => {
    const added = database('loan').insert([{ note: 'r1' }, { note: 'r2', price: 2 }]);
    if (isPostgres) expect(added.toString()).toContain('DEFAULT');
    else expect(() => added.toString()).toThrow(/^SQLite has no default for a column that only/);
  });

  test.each<[string, () => PromiseLike<unknown>, object]>([
    [
      'unique',
      () => database('loan').insert({ note: 'x' }),
      { code: 'unique', constraint: isPostgres ? 'loan_note_unique' : 'note' },
    ],
    [
      'not null',
      () => database('loan').insert({ note: 'q', done: null }),
      { code: 'not-null', constraint: 'done' },
    ],
    ['foreign key', () => database('line').insert({ loan: 77 }), { code: 'foreign-key' }],
    [
      'check',
      () => database('loan').insert({ note: '' }),
      { code: 'check', constraint: 'has_note' },
    ],
    [
      'syntax, without the values',
      () => database.raw('select * frm loan where note = ?', ['secret']),
      {
        message: expect.stringMatching(
          /^select \* frm loan where note = (?:\?|\$1) - (?!.*secret)/,
        ),
      },
    ],
    [
      'no number',
      () => database('loan').insert({ price: Number.NaN }),
      { message: 'NaN is no number that a column holds' },
    ],
    [
      'a table of the server',
      () => database('items').where({ id: 1 }).del(),
      { message: 'items is a table of the server, which handlers do not change' },
    ],
    [
      'a table of the server, raw',
      () => database.raw('/* ok */ update "users" set id = 1'),
      { message: 'users is a table of the server, which handlers do not change' },
    ],
    [
      'a view',
      () => database('library_books').where({ id: 1 }).del(),
      { message: 'library_books is a view of a collection: change its items by the collection' },
    ],
    [
      'a change of tables',
      () => database.schema.dropTable('loan'),
      {
        message: expect.stringMatching(
          /^Tables are changed by migrations, not by handlers: drop table/,
        ),
      },
    ],
    [
      'the end of a transaction',
      () => database.raw('commit'),
      { message: 'Transactions begin and end by `transaction` alone: commit' },
    ],
  ])('%s', async (_, ask, expected) => {
    await expect(Promise.resolve(ask())).rejects.toMatchObject(expected);
  });

  test('texts and comments name no table to write', async () => {
    const sql = `select 'delete from items' as text -- update users\n from loan limit 1`;
    expect(await database.raw(sql)).toEqual([{ text: 'delete from items' }]);
  });

  test('all tables of the server are known', async () => {
    const { knex } = temporary.db;
    const named: { name: string }[] = isPostgres
      ? (
          await knex.raw(
            `select tablename as name from pg_tables where schemaname = current_schema()`,
          )
        ).rows
      : await knex.raw(
          `select name from sqlite_master where type = 'table' and name not like 'sqlite%'`,
        );
    const own = ['line', 'loan'];
    const others = named.map(({ name }) => name).filter((name) => !own.includes(name));
    expect(others.filter((name) => !serverTables.has(name) && !name.startsWith('knex_'))).toEqual(
      [],
    );
    expect(
      [...serverTables].filter((name) => !others.includes(name) && name !== 'migration_turn'),
    ).toEqual([]);
  });
});

describe('a transaction', () => {
  const titles = () => database('library_books').orderBy('title').pluck('title');

  test('is one with the collections', async () => {
    await storage.transaction(async ({ books, database: inside }) => {
      await books?.insert({ title: 'Kept', copies: 2 });
      await inside('loan').insert({ note: 'kept' });
      expect(await inside('library_books').pluck('title')).toEqual(['Kept']);
    });
    await expect(
      storage.transaction(async ({ books, database: inside }) => {
        await books?.insert({ title: 'Undone' });
        await inside('loan').insert({ note: 'kept' });
      }),
    ).rejects.toMatchObject({ code: 'unique' });
    expect(await titles()).toEqual(['Kept']);
  });

  test('is that of `database.transaction`, which may be nested', async () => {
    const told = await database.transaction(async (trx) => {
      await Reflect.get(trx, 'books').insert({ title: 'Called' });
      return trx.transaction(async (inner) => inner('library_books').count({ n: '*' }).first());
    });
    expect(told).toEqual({ n: 2 });
  });

  test('leaves nothing behind', async () => {
    const { client } = temporary.db.knex;
    const kept = () => ['start', 'query'].map((event) => client.listenerCount(event));
    const before = kept();
    await storage.transaction(({ database: inside }) => inside('loan').first());
    await open();
    expect(kept()).toEqual(before);
  });

  test('is given the work that it does', async () => {
    await expect(database.transaction()).rejects.toThrow('is given the work that it does');
  });

  test('has queries of others by `transacting`', async () => {
    const work = storage.transaction(async ({ database: inside }) => {
      await database('loan')
        .transacting(inside as Knex.Transaction)
        .insert({ note: 'joined' });
      throw new Error('Undone');
    });
    await expect(work).rejects.toThrow('Undone');
    expect(await database('loan').where('note', 'joined')).toEqual([]);
  });

  test('that waits for a change outside of it ends, and its statements with it', async () => {
    let later: () => Promise<unknown> = async () => undefined;
    const work = storage.transaction(async ({ database: inside }) => {
      later = async () => inside('loan').insert({ note: 'later' });
      await inside('loan').insert({ note: 'inside' });
      await database('loan').insert({ note: 'outside' });
    });
    await expect(work).rejects.toThrow('has sent no statement for 4 seconds');
    await expect(later()).rejects.toThrow('The transaction of this statement has ended');
    expect(await database('loan').where('note', 'inside')).toEqual([]);
    await until('others go on', () => database('loan').where('note', 'outside').first());
  });

  test('does not go on after a failure', async () => {
    const going = storage.transaction(async ({ database: inside }) => {
      await inside('loan').insert({ note: 'before' });
      await inside('loan')
        .insert({ note: 'kept' })
        .catch(() => undefined);
      return 'done';
    });
    await expect(going).rejects.toMatchObject({ code: 'unique' });
    expect(await database('loan').where('note', 'before')).toEqual([]);
  });
});

describe('a view', () => {
  test('has the scalars of the first level by their types, and the item', async () => {
    await storage.collections['books']?.insert({
      ...{ title: 'Typed', copies: 9000, isNew: true, price: 1.5 },
      ...{ added: '2026-01-05T08:00:00Z', tags: ['a'] },
    });
    const typed = database('library_books').where({ title: 'Typed', isNew: true });
    const columns = { title: 'Typed', copies: 9000, isNew: true, price: 1.5 };
    const added = '2026-01-05T08:00:00Z';
    expect(await typed.clone().where({ added })).toEqual([
      { id: expect.anything(), ...columns, added, item: expect.objectContaining({ tags: ['a'] }) },
    ]);
    expect(await typed.clone().select('isNew as renamed').first()).toEqual({ renamed: true });
    const item = { item: expect.objectContaining({ tags: ['a'] }) };
    expect(await typed.clone().first('item')).toEqual(item);
    expect(
      await database('library_books')
        .sum({ copies: 'copies' })
        .groupBy('isNew')
        .having('isNew', '=', true)
        .first(),
    ).toEqual({ copies: columns.copies });
  });

  test('joins with tables of the service', async () => {
    const joined = database('loan').join('library_books as b', 'b.copies', 'loan.id');
    expect(await joined.select('b.title', 'loan.done')).toEqual([]);
  });

  test('follows the declarations, and no table may have its name', async () => {
    const other = await openServiceStorage(temporary.db, {
      service: 'library',
      collections: { books: { schema: 'Book' } },
      accounts: undefined,
      schemaOf: (declaration) => ({
        ...standInSchema(declaration),
        columns: () => new Map([['title', 'text']]),
      }),
      files: fileSettings,
    });
    expect(Object.keys(await other.database('library_books').first())).toEqual([
      'id',
      'title',
      'item',
    ]);
    await temporary.db.changeTables(async (trx) => {
      await trx.schema.createTable('other_books', (table) => table.increments());
    });
    const clashing = await openServiceStorage(temporary.db, {
      service: 'other',
      collections: { books: { schema: 'Book' } },
      accounts: undefined,
      schemaOf: standInSchema,
      files: fileSettings,
    });
    await expect(clashing.updateViews()).rejects.toThrow(
      'The table other_books has the name of the view of a collection: rename it',
    );
  });
});

test('handlers that have ended have no database', async () => {
  const ended = await open();
  await ended.database('loan').first();
  ended.end();
  await expect(Promise.resolve(ended.database('loan').first())).rejects.toThrow(
    /^These handlers have ended, and their database with them: select/,
  );
});
