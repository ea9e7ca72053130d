import { afterAll, describe, expect, test } from '@jest/globals';
import { knex } from 'knex';
import {
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
