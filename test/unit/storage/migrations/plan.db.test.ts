/** Plans of migrations: they say what is run then, and change nothing. */

import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import {
  closeDatabase,
  inspectDatabase,
  openDatabase,
} from '../../../../src/storage/database/database';
import { planMigrations } from '../../../../src/storage/migrations';
import { migrate, migrations } from '../../../../src/storage/migrations/index';
import { openPostgres } from '../../../../src/storage/postgres/postgres';
import { openSqliteSync } from '../../../../src/storage/sqlite/sqlite';
import { isPostgres, useNewDatabases } from '../../../support/new-database';
import { execute, leftBy030 } from './former-version';

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

test('the plan for an empty database says what is run then', async () => {
  const url = await newUrl();
  const plan = await planOf(url);
  expect(plan.migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
  let ran: string[] = [];
  await inMigration(url, async (trx) => {
    ran = await statementsOf(trx, () => migrate(trx));
  });
  expect(plan.migrations.flatMap(({ statements }) => statements)).toEqual(ran);
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
    ['of version 0.3.0', [leftBy030], 'older', migrations.length - 1],
    [
      'before 0.3.0',
      [leftBy030, "delete from knex_migrations where name > '0017-device-codes'"],
      ...(['too-old', 0] as const),
    ],
    ['newer', [leftBy030, "insert into knex_migrations (name) values ('9999')"], 'newer', 0],
  ])('of a database that is %s changes nothing', async (_, made, state, count) => {
    const url = await newUrl();
    for (const sql of made) await execute(url, sql);
    const before = await contentsOf(url);
    const plan = await planOf(url);
    expect([plan.state, plan.migrations.length]).toEqual([state, count]);
    expect(plan.problem === undefined).toBe(['empty', 'older'].includes(state));
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
});
