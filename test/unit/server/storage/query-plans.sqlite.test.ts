/** No statement reads a whole table of SQLite's: how much it reads does not grow with what is kept. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/server/storage/database/database';
import { useNewDatabases } from '../../../support/new-database';
import { allStatements } from './all-statements';

const newUrl = useNewDatabases();

let db: Database;
let statements: string[] = [];

beforeAll(async () => {
  db = await openDatabase(await newUrl());
  statements = await allStatements(db);
});

afterAll(() => closeDatabase(db));

/** The steps of the plan, in SQLite's words (sqlite.org/eqp.html). */
const planOf = async (sql: string): Promise<string[]> => {
  const bindings = Array.from(sql.matchAll(/\?/g), () => null);
  const steps: { detail: string }[] = await db.knex.raw(`explain query plan ${sql}`, bindings);
  return steps.map(({ detail }) => detail);
};

/** What a query within gives, row by row, or values that stand in the statement. */
const isGiven = (step: string): boolean =>
  /^SCAN (\d+-ROW VALUES CLAUSE|CONSTANT ROW|\(join-\d+\)|page$)/.test(step);

/** Reads all of a table or an index, makes an index of its own, or sorts what it has read. */
const isUnbounded = (step: string): boolean =>
  (/^SCAN /.test(step) && !isGiven(step)) || /AUTOMATIC|TEMP B-TREE/.test(step);

describe('every statement', () => {
  test('is among those that are looked at, of every table', () => {
    const named = statements.flatMap((sql) => [...sql.matchAll(/(?:from|into|update) `(\w+)`/g)]);
    expect([...new Set(named.map(([, table]) => table))].sort()).toEqual([
      ...['ads', 'api_keys', 'clients', 'event_counts', 'files', 'id_counters'],
      ...[
        'knex_migrations',
        'oauth_codes',
        'orders',
        'pet_tags',
        'pets',
        'retired_ids',
        'status_counts',
      ],
      ...['tokens', 'users'],
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
    expect(statements.filter((sql) => /limit \?/.test(sql))).toEqual([]);
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
      expect.stringMatching(/ from `api_keys` where `service` = \? order by `label` asc$/),
      // A few rows for each status.
      expect.stringMatching(/ from `status_counts` where `service` = \? group by `status`$/),
    ]);
  });

  test.each<[string, RegExp, RegExp]>([
    [
      'a page of a status',
      /from `pets` where .*`status` = \? and `id` >= \?/,
      /service=\? AND status=\? AND id>\?/,
    ],
    [
      'a page of a tag',
      /from `pet_tags` where .*`pet_id` >= \?/,
      /service=\? AND name=\? AND pet_id>\?/,
    ],
    [
      'the pets of a tag',
      /from `pet_tags` inner join `pets`/,
      /SEARCH pet_tags .*\(service=\? AND name=\? AND pet_id>\?\)\nSEARCH pets .*\(service=\? AND id=\?\)/,
    ],
    ['a user', /from `users` where .*`username_key` = \?/, /service=\? AND username_key=\?/],
    ['a token', /from `tokens` inner join/, /tokens USING .*\(hash=\?\)/],
    ['an API key', /from `api_keys` where .*`hash` = \?/, /service=\? AND hash=\?/],
    ['the counts of statuses', /from `status_counts`/, /SEARCH status_counts .*\(service=\?\)/],
  ])('of %s uses the index that it has for it', async (_, statement, step) => {
    const matching = statements.filter((sql) => statement.test(sql) && sql.startsWith('select'));
    expect(matching).not.toEqual([]);
    for (const sql of matching) expect((await planOf(sql)).join('\n')).toMatch(step);
  });
});
