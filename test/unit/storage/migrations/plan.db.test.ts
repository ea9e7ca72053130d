/** Plans of migrations: they say what is run then, change nothing, and show that the version before goes on working. */

import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { released } from '../../../../scripts/upgrade/released';
import {
  closeDatabase,
  inspectDatabase,
  openDatabase,
} from '../../../../src/storage/database/database';
import { migrate, migrationSource, migrations } from '../../../../src/storage/migrations/index';
import {
  effectsOf,
  planMigrations,
  recordStatements,
} from '../../../../src/storage/migrations/plan';
import { openPostgres } from '../../../../src/storage/postgres/postgres';
import { openSqliteSync } from '../../../../src/storage/sqlite/sqlite';
import { isPostgres, useNewDatabases } from '../../../support/new-database';
import { tablesOf } from '../../../support/tables';
import { execute, leftBy010 } from './former-version';

const newUrl = useNewDatabases();

const planOf = (url: string) => inspectDatabase(url, planMigrations);

/** Runs the work in the transaction in which a start migrates. */
const inMigration = async (
  url: string,
  work: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> => {
  const opened = isPostgres
    ? await openPostgres(url, 1)
    : await openSqliteSync(url.slice('sqlite:'.length));
  await opened.withMigrationLock(work).finally(() => opened.close());
};

interface Ran {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
}

const shown = ({ sql, bindings = [] }: Ran): string => {
  const values = [...bindings];
  return sql.replaceAll(/\$\d+|\?/g, () => `'${values.shift()}'`).replaceAll(/\s*\n\s*/g, ' ');
};

/** Runs the work; gives the statements that changed something but the records of migrations. */
const statementsOf = async (
  trx: Knex.Transaction,
  work: () => PromiseLike<unknown>,
): Promise<string[]> => {
  const ran: string[] = [];
  const note = (query: Ran): void => {
    ran.push(shown(query));
  };
  trx.on('query', note);
  await work();
  trx.off('query', note);
  return ran.filter(
    (sql) => !/^\s*(select|pragma|savepoint|release)|^\S+( \S+)* ["`]?knex_migrations/i.test(sql),
  );
};

test.each([
  ['an empty database', undefined],
  ['what version 0.1.0 left', leftBy010],
])('the plan for %s says what is run then', async (_, made) => {
  const url = await newUrl();
  if (made !== undefined) await execute(url, made);
  const plan = await planOf(url);
  expect(plan.migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
  let ran: string[] = [];
  await inMigration(url, async (trx) => {
    ran = await statementsOf(trx, () => migrate(trx));
  });
  expect(plan.migrations.flatMap(({ statements }) => statements.map(({ sql }) => sql))).toEqual(
    ran,
  );
});

/** Orders versions such as 0.10.0. */
const isUpTo = (version: string, limit: string): boolean =>
  version.localeCompare(limit, 'en', { numeric: true }) <= 0;

test('the version before goes on working beside each migration and after it', async () => {
  const url = await newUrl();
  await inMigration(url, async (trx) => {
    await trx.migrate.up({ migrationSource });
    for (const { name, migration, unusedSince } of migrations.slice(1)) {
      const tables = await tablesOf({ knex: trx });
      const recorded = await recordStatements(trx, () => migration.up(trx), false);
      const harmful = recorded.filter((sql) => !effectsOf(sql, isPostgres, tables).isExpansion);
      // A contraction: the released version works without what it takes away.
      const isDue = unusedSince !== undefined && isUpTo(unusedSince, released.version);
      expect([name, isDue ? [] : harmful]).toEqual([name, []]);
      expect(await statementsOf(trx, () => migration.up(trx))).toEqual(recorded);
    }
  });
});

/** What is there: the files of the folder, or the tables. */
const contentsOf = async (url: string): Promise<unknown> => {
  if (isPostgres) {
    return inspectDatabase(url, async (trx) => {
      const { rows } = await trx.raw(
        `select relname, reltuples from pg_class where relnamespace = current_schema()::regnamespace order by relname`,
      );
      return rows;
    });
  }
  const folder = dirname(url.slice('sqlite:'.length));
  const files = await readdir(folder).catch(() => []);
  return Promise.all(files.map(async (file) => [file, await readFile(`${folder}/${file}`)]));
};

describe('a plan', () => {
  test.each<[string, string[], string, number]>([
    ['empty', [], 'empty', migrations.length],
    ['of version 0.1.0', [leftBy010], 'older', migrations.length],
    [
      'before 0.1.0',
      [leftBy010, "delete from knex_migrations where name > '0014'"],
      ...(['too-old', 0] as const),
    ],
    ['newer', [leftBy010, "insert into knex_migrations (name) values ('9999')"], 'newer', 0],
  ])('of a database that is %s changes nothing', async (_, made, state, count) => {
    const url = await newUrl();
    for (const sql of made) await execute(url, sql);
    const before = await contentsOf(url);
    const plan = await planOf(url);
    expect([plan.state, plan.migrations.length]).toEqual([state, count]);
    expect(plan.problem === undefined).toBe(count > 0);
    expect(await contentsOf(url)).toEqual(before);
  });

  test('of a database that is up to date has no migration', async () => {
    const url = await newUrl();
    await closeDatabase(await openDatabase(url));
    expect(await planOf(url)).toMatchObject({
      state: 'up-to-date',
      last: migrations.at(-1)?.name,
      migrations: [],
    });
  });

  test('estimates more time for more rows', async () => {
    const [few, many] = [await newUrl(), await newUrl()];
    for (const url of [few, many]) await execute(url, leftBy010);
    const rows = Array.from({ length: 500 }, (_, id) => `('many', ${id}, '')`).join();
    await execute(many, `insert into users (service, id, document) values ${rows}`);
    const secondsOf = async (url: string) => {
      const { rows: counted, migrations: planned } = await planOf(url);
      const statements = planned.flatMap((migration) => migration.statements);
      return [counted['users'], statements.reduce((sum, { seconds }) => sum + seconds, 0)] as const;
    };
    const [[fewUsers, fewSeconds], [manyUsers, manySeconds]] = [
      await secondsOf(few),
      await secondsOf(many),
    ];
    expect([fewUsers, manyUsers]).toEqual([2, 502]);
    expect(manySeconds).toBeGreaterThan(fewSeconds);
  });
});
