import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DatabaseDriver } from '../../../src/storage/connections/database-driver';
import { statement } from '../../../src/storage/sql/statement';
import { openSqliteSync, sqliteDriver } from '../../../src/storage/sqlite/sqlite';
import { useTemporaryFolder } from '../../support/temporary-folder';

const schema = `
  create table parents (id integer primary key, name text);
  create table children (id integer primary key, name text,
    parent integer references parents on delete cascade);
  create table others (id integer primary key, name text);
  insert into parents values (1, 'parent'), (2, 'parent');
  insert into children values (1, 'child', 1), (2, 'child', 2);
  insert into others values (1, 'other');`;

const fileIn = useTemporaryFolder();
let path = '';
let engine: DatabaseDriver;

beforeEach(async () => {
  path = fileIn('file.sqlite');
  const raw = new (sqliteDriver())(path);
  raw.pragma('journal_mode = WAL');
  raw.exec(schema);
  raw.close();
  engine = await openSqliteSync(path);
});

afterEach(() => engine.close());

const reader = (table: string) => {
  const select = statement(engine.knex(table).orderBy('id'), [table]);
  return async () => {
    // Each as in a turn of its own: within one, all reads see the same.
    await undefined;
    return engine.query(select, {});
  };
};

/** A change of ours, and the tables that it says it changes. */
type Change = readonly [sql: string, tables: readonly string[] | undefined];

const statementOf = ([sql, tables]: Change) => statement(engine.knex.raw(sql), tables);

/** One of ours, as all requests are served. */
const change = (...changes: Change[]): Promise<void> =>
  engine.withConnection(async (connection) => {
    await connection.begin();
    for (const one of changes) await connection.run(statementOf(one), {});
    await connection.commit();
  });

/** Another process's. */
const changeElsewhere = (...sqls: string[]): void => {
  const raw = new (sqliteDriver())(path);
  for (const sql of sqls) raw.exec(sql);
  raw.close();
};

const renaming = (table: string): string => `update ${table} set name = name || '+'`;

const rename = (table: string): Change => [renaming(table), [table]];

/** Reads a table once more after a change of ours to another: from then on it is known what has changed. */
const readerThatKnows = async (table: string, other: string) => {
  const read = reader(table);
  await read();
  await change(rename(other));
  return { read, rows: await read() };
};

describe('what is read', () => {
  test.each<[string, string, () => unknown]>([
    ['a change of ours', 'children', () => change(rename('children'))],
    [
      'a change of ours after another',
      'others',
      () => change(rename('children'), rename('others')),
    ],
    ['a change of another process', 'children', () => changeElsewhere(renaming('children'))],
    [
      'a change of another process between two of ours',
      'others',
      async () => {
        await change(rename('children'));
        changeElsewhere(renaming('others'));
        await change(rename('children'));
      },
    ],
    [
      'a rare change of ours',
      'others',
      () => engine.knex('others').update({ name: engine.knex.raw(`name || '+'`) }),
    ],
    [
      'a change that does not say its tables',
      'others',
      () => change([renaming('others'), undefined]),
    ],
    [
      'what is deleted along',
      'children',
      () =>
        change([
          'delete from parents where id = (select min(id) from parents)',
          ['parents', 'children'],
        ]),
    ],
  ])('is new after %s', async (_, table, act) => {
    const read = reader(table);
    // Twice: only from the first change on is it known what has changed.
    for (const round of [1, 2]) {
      await change([`insert into ${table} (name) values ('of round ${round}')`, [table]]);
      const before = await read();
      expect(await read()).toBe(before);
      await act();
      const raw = new (sqliteDriver())(path);
      const now = raw.prepare(`select * from ${table} order by id`).all();
      raw.close();
      expect(now).not.toEqual(before);
      expect(await read()).toEqual(now);
    }
  });

  test('is not read again after changes of ours to other tables', async () => {
    const { read, rows } = await readerThatKnows('others', 'children');
    await change(rename('children'), rename('parents'));
    expect(await read()).toBe(rows);
  });

  test('is not read again after a change that was undone', async () => {
    const { read, rows } = await readerThatKnows('others', 'children');
    await engine.withConnection(async (connection) => {
      await connection.begin();
      await connection.run(statementOf(rename('others')), {});
      await connection.rollback();
    });
    await change(rename('children'));
    expect(await read()).toBe(rows);
  });

  test('is what was committed, while a change is made and after it', async () => {
    const { read } = await readerThatKnows('others', 'children');
    await engine.withConnection(async (connection) => {
      await connection.begin();
      await connection.run(statementOf(rename('others')), {});
      expect(await read()).toEqual([{ id: 1, name: 'other' }]);
      await connection.commit();
    });
    expect(await read()).toEqual([{ id: 1, name: 'other+' }]);
  });
});

test('reading changes nothing, whatever it is asked', async () => {
  const remove = statement(engine.knex.raw('delete from others returning id'));
  const attempt = async () => engine.query(remove, {});
  await expect(attempt()).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
  await engine.withConnection(async (connection) => {
    await connection.begin();
    await expect(attempt()).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    await connection.commit();
  });
  expect(await reader('others')()).toHaveLength(1);
});
