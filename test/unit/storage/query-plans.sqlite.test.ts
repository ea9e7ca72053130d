/** No statement reads a whole table of SQLite's: how much it reads does not grow with what is kept. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tableOf } from '../../support/text-cases';
import { allStatements } from './all-statements';
import { useTemporaryDatabase } from './temporary-database';

const temporary = useTemporaryDatabase();
let statements: string[] = [];

beforeAll(async () => {
  statements = (await allStatements(temporary.db)).map(({ sql }) => sql).sort();
});

/** The steps of the plan, in SQLite's words (sqlite.org/eqp.html). */
const planOf = async (sql: string): Promise<string[]> => {
  const bindings = Array.from(sql.matchAll(/\?/g), () => null);
  const steps: { detail: string }[] = await temporary.db.knex.raw(
    `explain query plan ${sql}`,
    bindings,
  );
  return steps.map(({ detail }) => detail);
};

/** True for a step that reads the rows of a query within, or values that stand in the statement. */
const isGiven = (step: string): boolean =>
  /^SCAN (\d+-ROW VALUES CLAUSE|CONSTANT ROW|\(join-\d+\)|page|entries|c)$/.test(step);

/** Reads all of a table or an index, makes an index of its own, or sorts what it has read. */
const isUnbounded = (step: string): boolean =>
  (/^SCAN /.test(step) && !isGiven(step)) || /AUTOMATIC|TEMP B-TREE/.test(step);

describe('every statement', () => {
  test('is among those that are looked at, of every table', () => {
    const named = statements.flatMap((sql) => [...sql.matchAll(/(?:from|into|update) `(\w+)`/g)]);
    expect([...new Set(named.map(([, table]) => table))].sort()).toEqual([
      ...['api_keys', 'clients', 'collection_indexes', 'collections', 'device_codes'],
      ...['event_counts', 'id_counters', 'item_files', 'item_index', 'item_sort_keys', 'items'],
      ...[
        'knex_migrations',
        'oauth_codes',
        'retired_ids',
        'secrets',
        'sign_in_networks',
        'tokens',
        'users',
        'value_counts',
        'walks',
      ],
    ]);
  });

  test('finds its rows by an index, in the order in which they are wanted', async () => {
    const unbounded: Record<string, string[]> = {};
    for (const sql of statements) {
      const steps = await planOf(sql);
      if (steps.some(isUnbounded)) unbounded[sql] = steps;
    }
    expect(unbounded).toEqual({});
  });

  test('stays prepared: SQLite does it anew where a value is bound right behind limit', () => {
    expect(statements.filter((sql) => /limit cast\(\? as integer\)/.test(sql))).not.toEqual([]);
    // But for what runs at the start, or a few times after it.
    expect(statements.filter((sql) => /limit \?/.test(sql)).sort()).toEqual([
      expect.stringMatching(/^delete from item_index /),
      expect.stringMatching(/^delete from item_sort_keys /),
      expect.stringMatching(/^select `collection` from `items` inner join `collections`/),
      expect.stringMatching(/^select .* from `users` where .* `disabled_at` is null limit \?$/),
      expect.stringMatching(
        /^select .*`format` from `items` where `collection` = \? and `id` >= \?/,
      ),
      expect.stringMatching(/^select .* from `users` where `service` = \? and `id` >= \?/),
    ]);
  });

  test('but for these looks at no more than some of the rows of a service', async () => {
    const found: string[] = [];
    for (const sql of statements) {
      const steps = await planOf(sql);
      if (steps.some((step) => /\(service=\?\)$/.test(step))) found.push(sql);
    }
    expect(found.sort()).toEqual([
      // For the admin program, which shows all there are.
      expect.stringMatching(/ from `clients` where `service` = \? order by `client_id` asc$/),
      // One item of any collection; at the start alone.
      expect.stringMatching(
        /^select `collection` from `items` inner join `collections` .* limit \?$/,
      ),
      // Until there is a user.
      expect.stringMatching(/^select .* from `users` where .* `disabled_at` is null limit \?$/),
      expect.stringMatching(/ from `api_keys` where `service` = \? order by `label` asc$/),
      expect.stringMatching(/ from `tokens` inner join `users` .*`disabled_at` is null$/),
    ]);
  });

  test.each(tableOf(join(__dirname, 'query-plans.cases.txt'), 'steps'))(
    'of %s uses the index that it has for it',
    async (_, statement = '', step = '') => {
      const asked = new RegExp(statement);
      const matching = statements.filter(
        (sql) => asked.test(sql) && /^(select|delete from item_index)/.test(sql),
      );
      expect(matching).not.toEqual([]);
      for (const sql of matching) expect((await planOf(sql)).join('\n')).toMatch(new RegExp(step));
    },
  );
});
