/** No statement reads a whole table of PostgreSQL's: how much it reads does not grow with what is kept. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/server/storage/database/database';
import { useNewDatabases } from '../../../support/new-database';
import { allStatements, plannedService } from './all-statements';

const newUrl = useNewDatabases();

const manyPets = 20_000;

let db: Database;
let client: Client;
let statements: string[] = [];

beforeAll(async () => {
  const url = await newUrl();
  db = await openDatabase(url);
  statements = await allStatements(db);
  client = new Client(url);
  await client.connect();
  // Plans for whatever values come, as those of statements that are used often.
  await client.query('set plan_cache_mode = force_generic_plan');
});

afterAll(async () => {
  await client.end();
  await closeDatabase(db);
});

/** A step of a plan. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

const explain = async (
  sql: string,
  options: string,
  values: readonly (string | number)[],
): Promise<Step[]> => {
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
    for (const sql of statements) {
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
    .filter((step) => /Scan$/.test(step['Node Type']))
    .reduce(
      (sum, step) => sum + (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0),
      0,
    );

describe(`among ${manyPets} pets`, () => {
  beforeAll(async () => {
    await client.query(
      `insert into pets (service, id, document, format, status)
       select $1, n, '{}', 'f', case n % 3 when 0 then 'available' when 1 then 'pending' else 'sold' end
       from generate_series(100, $2) as n`,
      [plannedService, 99 + manyPets],
    );
    await client.query(
      `insert into pet_tags (service, pet_id, name) select $1, n, 'many' from generate_series(100, $2) as n`,
      [plannedService, 99 + manyPets],
    );
    await client.query('analyze');
  });

  const find = (pattern: RegExp): string => {
    const sql = statements.find((one) => pattern.test(one));
    if (sql === undefined) throw new Error(`There is no statement like ${pattern}`);
    return sql;
  };

  const page: [string, number][] = [
    ['0', 128],
    ['15000', 256],
  ];

  test.each(page)('a page of a status from %s on looks at its %i rows', async (from, limit) => {
    const sql = find(/^select .*case when length.* from "pets" where .*"status" = /);
    const values = slotValues(sql, { status: 'sold', from, limit });
    expect(rowsVisited(await explain(sql, 'analyze, ', values))).toBe(limit);
  });

  test.each(page)('its texts joined, from %s on, are those of its %i rows', async (from, limit) => {
    const sql = find(/string_agg.* from "pets" where .*"status" = /);
    const values = slotValues(sql, { status: 'sold', from, limit });
    expect(rowsVisited(await explain(sql, 'analyze, ', values))).toBe(limit);
  });

  test.each(page)('a page of a tag from %s on looks at its %i rows', async (from, limit) => {
    const sql = find(/^select .* from "pet_tags" where .*"pet_id" >= /);
    const values = slotValues(sql, { status: 'many', from, limit });
    expect(rowsVisited(await explain(sql, 'analyze, ', values))).toBe(limit);
  });

  test('the inventory looks at no pet, but at what was counted', async () => {
    const sql = find(/^select .*from "status_counts"/);
    const visited = rowsVisited(await explain(sql, 'analyze, ', [plannedService]));
    expect(visited).toBeGreaterThan(0);
    expect(visited).toBeLessThanOrEqual(3 * 64);
  });
});

/** Values in the order of the places, as the query of a page has them. */
const slotValues = (
  sql: string,
  { status, from, limit }: { status: string; from: string; limit: number },
): (string | number)[] => {
  const constants = Array.from({ length: slotsIn(sql) - 4 }, () => 4096);
  return [...constants, plannedService, status, from, limit];
};
