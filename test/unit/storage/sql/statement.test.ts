import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { knex } from 'knex';
import {
  listStatement,
  orderAndLimit,
  param,
  statement,
  type Value,
  type Values,
} from '../../../../src/storage/sql/statement';

const sqlite = knex({ client: 'better-sqlite3', useNullAsDefault: true });
const postgres = knex({ client: 'pg' });

afterAll(() => Promise.all([sqlite.destroy(), postgres.destroy()]));

describe('statement', () => {
  test.each([
    ['SQLite', sqlite, 'select * from `t` where `a` = ? and `b` > ? and `c` = ?'],
    ['PostgreSQL', postgres, 'select * from "t" where "a" = $1 and "b" > $2 and "c" = $3'],
  ])('is written as %s writes it, with a place for each value', (_, db, sql) => {
    const made = statement(
      db('t')
        .where({ a: param('first') })
        .where('b', '>', 7)
        .where({ c: param('second') }),
    );
    expect(made.sql).toBe(sql);
    expect(made.bind({ second: 's', first: 'f' })).toEqual(['f', 7, 's']);
  });

  test('takes the same slot at several places', () => {
    const made = statement(sqlite.raw('select ?, ?, ?', [param('a'), param('b'), param('a')]));
    expect(made.bind({ a: 1, b: 2 })).toEqual([1, 2, 1]);
  });

  test('has a slot where Knex wants a number', () => {
    const made = statement(sqlite('t').orderByRaw(...orderAndLimit('id')));
    expect(made.sql).toBe('select * from `t` order by `id` limit cast(? as integer)');
    expect(made.bind({ limit: 5 })).toEqual([5]);
  });

  test.each<[Values[string]]>([[null], [''], [0], [new Uint8Array([1, 2])]])(
    'binds %j as it is',
    (value) => {
      expect(statement(sqlite.raw('select ?', [param('a')])).bind({ a: value })).toEqual([value]);
    },
  );

  test('names the slot that has no value', () => {
    const made = statement(sqlite.raw('select ?', [param('color')]));
    expect(() => made.bind({ colour: 'red' })).toThrow('There is no value for color: select ?');
  });

  test('refuses a bigint, which a driver would store as NULL', () => {
    const made = statement(sqlite.raw('select ?', [param('id')]));
    const values = { id: 1n } as unknown as Values;
    expect(() => made.bind(values)).toThrow('A bigint cannot be bound');
  });

  test('has the same key for the same values, and one value is its own', () => {
    const one = statement(sqlite('t').where({ a: param('a'), b: 'constant' }));
    expect(one.key({ a: 'x' })).toBe('x');
    const two = statement(sqlite('t').where({ a: param('a'), b: param('b') }));
    expect(two.key({ a: 'x', b: 1 })).toBe(two.key({ b: 1, a: 'x' }));
    expect(() => two.key({ a: 'x' })).toThrow('There is no value for b');
  });

  test.each<[string, Value[], Value[]]>([
    ['other texts', ['a', 'x'], ['b', 'x']],
    ['texts that are joined otherwise', ['a', 'b'], ['ab', '']],
    ['texts that look like joined ones', ['1:a1:b', ''], ['a', 'b']],
    ['a number and its digits', [1, 2], ['1', 2]],
    ['null and its name', [null, 1], ['null', 1]],
    ['separators inside', ['a;', 'b'], ['a', ';b']],
  ])('has another key for %s', (_, one, other) => {
    const { key } = statement(sqlite('t').where({ a: param('a'), b: param('b') }));
    const keyOf = ([a = '', b = '']: Value[]): Value => key({ a, b });
    expect(keyOf(one)).not.toBe(keyOf(other));
  });
});

const anyOf = () =>
  listStatement((values) =>
    statement(
      sqlite('t')
        .where({ kind: param('kind') })
        .whereIn('id', values),
    ),
  );

const placesIn = (sql: string): number => sql.split('?').length - 2;

describe('listStatement', () => {
  test.each<[number, number[]]>([
    [0, []],
    [1, [1]],
    [2, [2]],
    [3, [4]],
    [4, [4]],
    [5, [8]],
    [129, [256]],
    [256, [256]],
    [257, [256, 1]],
    [600, [256, 256, 128]],
  ])('cuts a list of %i into statements of %j values', (length, sizes) => {
    const list = Array.from({ length }, (_, at) => at);
    const parts = anyOf()(list, { kind: 'k' });
    expect(parts.map(([{ sql }]) => placesIn(sql))).toEqual(sizes);
  });

  test('gives every value in order, the last one again where there is room, and the other parameters', () => {
    const parts = anyOf()(['a', 'b', 'c'], { kind: 'k' });
    expect(parts.map(([made, values]) => made.bind(values))).toEqual([['k', 'a', 'b', 'c', 'c']]);
  });

  test('loses and invents no value', () => {
    const list = anyOf();
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { maxLength: 700 }), (values) => {
        const bound = list(values, { kind: 'k' }).flatMap(([made, given]) =>
          made.bind(given).slice(1),
        );
        expect([...new Set(bound)]).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  test('writes a statement once for all lists that it fits', () => {
    const list = anyOf();
    const [[first] = []] = list([1, 2, 3]);
    const [[second] = []] = list([4, 5, 6, 7]);
    expect(first).toBe(second);
    expect(first).toBeDefined();
  });
});
