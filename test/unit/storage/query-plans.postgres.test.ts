/** No statement reads a whole table of PostgreSQL's: how much it reads does not grow with what is kept. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Value, Values } from '../../../src/storage/sql/statement';
import { type AnyStatement, allStatements, plannedService } from './all-statements';
import { useTemporaryDatabase } from './temporary-database';

const temporary = useTemporaryDatabase();

const manyItems = 20_000;

let client: Client;
let statements: AnyStatement[] = [];

beforeAll(async () => {
  statements = await allStatements(temporary.db);
  client = new Client(temporary.url);
  await client.connect();
  // Plans for whatever values come, as those of statements that are used often.
  await client.query('set plan_cache_mode = force_generic_plan');
});

afterAll(() => client.end());

/** A step of a plan. */
interface Step {
  readonly 'Node Type': string;
  /** Of each loop, like the rows that were removed. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

const explain = async (sql: string, options: string, values: readonly Value[]): Promise<Step[]> => {
  await client.query(`prepare planned as ${sql}`);
  const list = values.length === 0 ? '' : `(${values.map((value) => `'${value}'`).join()})`;
  const explained = await client
    .query(`explain (${options}format json) execute planned${list.replaceAll("'null'", 'null')}`)
    .finally(() => client.query('deallocate planned'));
  return stepsOf(explained.rows[0]['QUERY PLAN'][0].Plan);
};

const slotsIn = (sql: string): number =>
  Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/** Steps that read or sort a whole table, were they used. */
const isUnbounded = (step: Step): boolean =>
  /^(Seq Scan|Sort|Incremental Sort)$/.test(step['Node Type']);

describe('every statement', () => {
  test('finds its rows by an index, in the order in which they are wanted', async () => {
    // The tables are too small for indexes to pay; where a plan reads a whole table nonetheless, there is no other.
    await client.query(
      'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off',
    );
    const unbounded: Record<string, string[]> = {};
    // A lock has no plan.
    for (const { sql } of statements.filter((one) => !one.sql.startsWith('lock table '))) {
      const values = Array.from({ length: slotsIn(sql) }, () => 'null');
      const steps = await explain(sql, '', values);
      if (steps.some(isUnbounded)) unbounded[sql] = steps.map((step) => step['Node Type']);
    }
    await client.query('reset enable_seqscan; reset enable_sort; reset enable_bitmapscan');
    expect(unbounded).toEqual({});
    expect(statements.length).toBeGreaterThan(40);
  });
});

/** Rows that the statement looked at, whether or not it gave them. */
const rowsVisited = (steps: readonly Step[]): number =>
  steps
    .filter((step) => /Scan$/.test(step['Node Type']) && step['Node Type'] !== 'Subquery Scan')
    .map((step) => {
      const rows = (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0);
      return rows * (step['Actual Loops'] ?? 1);
    })
    .reduce((sum, rows) => sum + rows, 0);

describe(`among ${manyItems} items`, () => {
  const indexes = new Map<string, number>();

  beforeAll(async () => {
    const { rows } = await client.query(
      `select collection_indexes.key, kind, path, collection from collection_indexes
       join collections on collections.key = collection where service = $1 and name = 'pets'`,
      [plannedService],
    );
    for (const { key, kind, path } of rows) indexes.set(`${kind} ${path}`, key);
    const [{ collection }] = rows;
    await client.query(
      `insert into items (collection, id, document, format)
       select $1, n, '{}', 'f' from generate_series(100, $2::integer) as n`,
      [collection, 99 + manyItems],
    );
    const addEntries = (path: string, value: string) =>
      client.query(
        `insert into item_index (index_key, value, id, item)
         select $1, ${value}, n, items.key from generate_series(100, $2::integer) as n
         join items on items.id = n and collection = $3`,
        [indexes.get(`lookup ${path}`), 99 + manyItems, collection],
      );
    await addEntries(
      'status',
      `case n % 3 when 0 then 'available' when 1 then 'pending' else 'sold' end`,
    );
    await addEntries('tags.name', `'many'`);
    await client.query('analyze');
  });

  /** Runs the statement of the pets; how many rows it looked at. */
  const visitedBy = async (pattern: RegExp, values: Values): Promise<number> => {
    const found = statements.find(({ sql }) => pattern.test(sql));
    if (found === undefined) throw new Error(`There is no statement like ${pattern}`);
    return rowsVisited(await explain(found.sql, 'analyze, ', found.bind(values)));
  };

  const indexOf = (name: string): number => indexes.get(name) ?? 0;

  const pages: [string, number][] = [
    ['0', 128],
    ['15000', 256],
  ];

  describe.each(pages)('a page from %s on', (from, limit) => {
    test.each([
      ['rows', /^select .*case when length.* from "item_index" .* inner join "items"/],
      ['texts, joined', /string_agg.* from "item_index" .* inner join "items"/],
    ])(`of a value, as %s, looks at ${limit} entries and their items`, async (_, pattern) => {
      for (const [path, value] of [
        ['status', 'sold'],
        ['tags.name', 'many'],
      ] as const) {
        const index = indexOf(`lookup ${path}`);
        const values = { index, value, from, limit, format: 'f' };
        expect(await visitedBy(pattern, values)).toBe(2 * limit);
      }
    });

    test(`of ids alone looks at ${limit} entries`, async () => {
      const values = { index: indexOf('lookup tags.name'), value: 'many', from, limit };
      const pattern = /^select cast\("id" as text\) as "id" from "item_index" where/;
      expect(await visitedBy(pattern, values)).toBe(limit);
    });

    test.each([
      ['rows', /^select .*case when length.* from "items" where .*"items"."id" >= /],
      ['texts, joined', /string_agg.* from \(select .* from "items" where .*"items"."id" >= /],
    ])(`of all items, as %s, looks at ${limit}`, async (_, pattern) => {
      expect(await visitedBy(pattern, { from, limit, format: 'f' })).toBe(limit);
    });
  });

  test('a count looks at no item, but at what was counted', async () => {
    const visited = await visitedBy(/^select .*from "value_counts"/, {
      index: indexOf('count status'),
    });
    expect(visited).toBeGreaterThan(0);
    expect(visited).toBeLessThanOrEqual(3 * 64);
  });
});
