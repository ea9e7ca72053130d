/** `admin migrate` and its plan. */

import { describe, expect, test } from '@jest/globals';
import type { AdminService } from '../../../../src/server/admin/admin-context';
import { readSettings } from '../../../../src/server/config/config';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { migrations } from '../../../../src/storage/migrations/index';
import { useNewDatabases } from '../../../support/new-database';
import { collectionOf, openStorage, standInSchema } from '../../../support/open-storage';
import { runIn } from './run-command';

const newUrl = useNewDatabases();

/** Runs `admin migrate` on a database, for services with these collections. */
const run = async (
  databaseUrl: string,
  args: readonly string[],
  services: readonly AdminService[] = [],
) => {
  let opened: Database | undefined;
  const database = async (): Promise<Database> => {
    opened ??= await openDatabase(databaseUrl);
    return opened;
  };
  const settings = readSettings({ DATABASE_URL: databaseUrl });
  const outcome = await runIn({ settings, services, database }, ['migrate', ...args]);
  if (opened !== undefined) await closeDatabase(opened);
  return outcome;
};

/** Runs `admin migrate --plan --format json`, and reads what it prints. */
const planOf = async (url: string, services: readonly AdminService[] = []) => {
  const { exitCode, out } = await run(url, ['--plan', '--format', 'json'], services);
  expect(exitCode).toBe(0);
  return JSON.parse(out);
};

const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('admin migrate', () => {
  test('makes the tables, says what it did, and then has nothing to do', async () => {
    const url = await newUrl();
    const upToDate = expect.stringMatching(/^The database is up-to-date for version \S+\.$/);
    const done = migrations.map(({ name }) => `Migrated: ${name}.`);
    const first = await run(url, []);
    expect([first.exitCode, lines(first.out)]).toEqual([0, [...done, upToDate]]);
    const second = await run(url, []);
    expect([second.exitCode, lines(second.out)]).toEqual([0, [upToDate]]);
    const plan = await run(url, ['--plan']);
    expect([plan.exitCode, lines(plan.out)]).toEqual([
      0,
      [
        expect.stringMatching(
          /^For version \S+ the database is up-to-date, its last migration \S+\.$/,
        ),
      ],
    ]);
  });

  test('tells programs what it did', async () => {
    const { exitCode, out } = await run(await newUrl(), ['--format', 'json']);
    expect(exitCode).toBe(0);
    const done = JSON.parse(out).migrations.map(({ name }: { name: string }) => name);
    expect(done).toEqual(migrations.map(({ name }) => name));
  });
});

describe('admin migrate --plan', () => {
  test('shows the statements, and whether servers have to be stopped', async () => {
    const { exitCode, out, err } = await run(await newUrl(), ['--plan']);
    expect([exitCode, err]).toEqual([0, '']);
    const said = lines(out);
    expect(said[0]).toMatch(/^For version \S+ the database is empty\.$/);
    expect(said[1]).toBe(migrations[0].name);
    expect(said[2]).toMatch(/^ {2}create table ["`]collections["`] .*;$/);
    expect(said.at(-1)).toBe('Servers of the version before may go on.');
  });

  test('shows the indexes that a start fills or deletes, with the number of items', async () => {
    const url = await newUrl();
    const db = await openDatabase(url);
    const storage = await openStorage(db, 'store', {
      pets: { schema: 'Pet', lookups: ['name'] },
      empty: { schema: 'Pet', lookups: ['name'] },
    });
    for (const id of [1n, 2n, 3n]) await collectionOf<object>(storage, 'pets').insert({ id });
    await closeDatabase(db);
    const declared = { schema: 'Pet', lookups: ['status'], counts: ['status'] };
    const service = (collections: AdminService['collections']): AdminService => ({
      name: 'store',
      scopes: [],
      collections,
      migrations: [],
      migrate: async () => [],
      collectionSchemas: () =>
        new Map(Object.entries(collections).map(([name, one]) => [name, standInSchema(one)])),
      declares: () => false,
      userSchema: () => undefined,
      userCodec: () => {
        throw new Error('There are no users');
      },
      readUser: () => {
        throw new Error('There are no users');
      },
    });
    const changed = [service({ pets: declared, empty: declared, other: declared })];
    const index = { collection: 'store/pets', items: 3, seconds: expect.any(Number) };
    expect(await planOf(url, changed)).toMatchObject({
      state: 'up-to-date',
      indexes: [
        { ...index, change: 'fill', kind: 'lookup', path: 'status' },
        { ...index, change: 'fill', kind: 'count', path: 'status' },
        { ...index, change: 'delete', kind: 'lookup', path: 'name' },
      ],
      canOverlap: false,
    });
    const { out } = await run(url, ['--plan'], changed);
    expect(out).toMatch(
      /^A start fills the lookup "status" of store\/pets: 3 items, 0\.00 s, changes wait$/m,
    );
    const same = [service({ pets: { schema: 'Pet', lookups: ['name'] } })];
    expect(await planOf(url, same)).toMatchObject({ indexes: [], canOverlap: true });
  });
});
