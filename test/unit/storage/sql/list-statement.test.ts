import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { knex } from 'knex';
import { listStatement, param, statement } from '../../../../src/storage/sql/statement';

const db = knex({ client: 'better-sqlite3', useNullAsDefault: true });

afterAll(() => db.destroy());

const anyOf = () =>
  listStatement((values) =>
    statement(
      db('t')
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
