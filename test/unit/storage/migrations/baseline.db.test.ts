/** A database that version 0.1.0 left is taken over with all that is in it; the fixtures beside this file were made by that version. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { knexAccounts } from '../../../../src/storage/identity/accounts';
import { openServiceStorage, type ServiceStorage } from '../../../../src/storage/storage';
import { isPostgres, useNewDatabases } from '../../../support/new-database';
import { collectionOf, fileSettings, openStorage, withoutId } from '../../../support/open-storage';
import { readPages, readSerialized } from '../../../support/read-serialized';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { storedItems } from '../../../support/stored-items';
import { runTogether, tablesOf } from '../../../support/tables';
import { execute, leftBy010 } from './former-version';

const newUrl = useNewDatabases();

const FIRST = -9223372036854775808n;
const LAST = 9223372036854775807n;

interface Pet {
  readonly id: bigint;
  readonly status?: string;
}

const openStore = (db: Database): Promise<ServiceStorage> =>
  openServiceStorage(db, {
    service: 'store',
    collections: {
      pets: { schema: 'Pet', lookups: ['status', 'tags.name'], counts: ['status'], files: true },
      orders: { schema: 'Order' },
    },
    accounts: { schema: 'User' },
    schemaOf: () => ({
      codec: standInCodecOf<object>(),
      hasId: true,
      declaredValues: () => [],
      missingFields: [],
    }),
    files: fileSettings,
  });

describe('what version 0.1.0 left', () => {
  let db: Database;
  let store: ServiceStorage;

  beforeAll(async () => {
    const url = await newUrl();
    await execute(url, leftBy010);
    db = await openDatabase(url);
    store = await openStore(db);
  });

  afterAll(() => closeDatabase(db));

  const pets = () => collectionOf<Pet>(store, 'pets');
  const idsOf = async (pages: ReturnType<ReturnType<typeof pets>['list']>) =>
    (await readPages(pages)).map(({ id }) => id);

  test('has its items, and finds and counts them', async () => {
    const available = [FIRST, 10n, LAST];
    expect(await idsOf(pets().list())).toEqual([FIRST, 1n, 2n, 10n, LAST]);
    expect(await readSerialized(pets().get(1n))).toEqual({
      id: 1n,
      name: 'Rex',
      photoUrls: [],
      status: 'sold',
      tags: [{ name: 'a' }],
    });
    expect(await idsOf(pets().find('status', ['available']))).toEqual(available);
    expect(await pets().count('status')).toEqual({ available: 3, sold: 2 });
    // This index was not filled to its end.
    expect(await idsOf(pets().find('tags.name', ['a']))).toEqual([FIRST, 1n, 2n, 10n, LAST]);
    expect(await idsOf(pets().find('tags.name', ['b']))).toEqual(available);
  });

  test('has items without an id in their order, with their owners', async () => {
    const board = await openStorage(db, 'board', { ads: { schema: withoutId } });
    const ads = collectionOf<object>(board, 'ads');
    await ads.insert({ title: 'Villa' });
    expect(await readPages(ads.list())).toEqual(
      ['Maison', 'Studio', 'Villa'].map((title) => ({ title })),
    );
    const owners = await storedItems(db, 'board', 'ads').orderBy('items.id').pluck('owner');
    expect(owners).toEqual(['owner of Maison', 'owner of Studio', null]);
  });

  test('has its files', async () => {
    const found = await store.findFile('4a33faaa-0ff4-4944-a8d0-7a8feeb79a30');
    expect(found).toMatchObject({ mediaType: 'application/octet-stream' });
    expect(Buffer.from(found?.bytes ?? []).toString()).toBe('some bytes');
    expect(await db.knex('item_files').pluck('owner')).toEqual(['user:ann']);
  });

  test.each([
    ['pets', [1n, 2n, 3n, 10n, 20n]],
    ['orders', [5n, 6n]],
  ])('never assigns an id of %s again that was given or removed', async (name, gone) => {
    const items = collectionOf<Pet>(store, name);
    for (const { id } of await readPages(items.list())) await items.delete(id);
    const assigned: bigint[] = [];
    for (let times = 0; times < 25; times += 1) {
      assigned.push((await readSerialized(items.insert({} as Pet)))?.id ?? 0n);
    }
    expect(new Set(assigned).size).toBe(25);
    expect(assigned.filter((id) => gone.includes(id))).toEqual([]);
  });

  test('has its users, who keep their ids, names and passwords', async () => {
    const { users } = store;
    expect(await readSerialized(users?.get('ann'))).toEqual({ id: 1n, username: 'ann' });
    expect(await readSerialized(users?.get('Ben'))).toEqual({ id: 7n, username: 'Ben' });
    const accounts = knexAccounts(db, 'store');
    expect(await accounts.findComparable('ben')).toMatchObject({ key: '2' });
    await users?.delete('Ben');
    const assigned: unknown[] = [];
    for (let at = 0; at < 8; at += 1) {
      assigned.push((await readSerialized(users?.insert({ username: `new${at}` })))?.id);
    }
    expect(assigned).toEqual([2n, 3n, 4n, 5n, 6n, 9n, 10n, 11n]);
  });

  test('has its credentials, clients and counts', async () => {
    const rows = await Promise.all(
      ['tokens', 'api_keys', 'clients', 'oauth_codes', 'sign_in_networks', 'event_counts'].map(
        async (table) => (await db.knex(table)).length,
      ),
    );
    expect(rows).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await db.knex('tokens').first('hash', 'user_key', 'scopes')).toEqual({
      hash: 'token of ann',
      user_key: 1,
      scopes: 'a b',
    });
  });

  test('remembers how far data migrations came', async () => {
    const walks = await db
      .knex('walks')
      .orderBy('task')
      .select('collection', 'task', 'walked_to', 'is_complete');
    expect(walks.map((walk) => ({ ...walk, walked_to: Number(walk.walked_to) }))).toEqual([
      { collection: 'orders', task: 'done.ts', walked_to: 5, is_complete: 1 },
      { collection: 'pets', task: 'rename.ts', walked_to: 10, is_complete: 0 },
    ]);
  });
});

/** Reads the columns and indexes of a database, in one order. */
const schemaOf = async (db: Database): Promise<unknown[]> => {
  const { knex } = db;
  if (isPostgres) {
    const columns = await knex('information_schema.columns')
      .whereRaw('table_schema = current_schema()')
      .orderBy(['table_name', 'column_name'])
      .select('table_name', 'column_name', 'data_type', 'is_nullable');
    const indexes = await knex('pg_indexes')
      .whereRaw('schemaname = current_schema()')
      .orderBy('indexname')
      .select('tablename', 'indexname', knex.raw("regexp_replace(indexdef, 'test_\\w+', '')"));
    return [...columns, ...indexes];
  }
  const found: unknown[] = [];
  for (const table of (await tablesOf(db)).sort()) {
    for (const pragma of ['table_xinfo', 'foreign_key_list']) {
      const rows: { name?: string; cid?: number }[] = await knex.raw(
        `pragma ${pragma}("${table}")`,
      );
      found.push(table, ...rows);
    }
  }
  const indexes = await knex('sqlite_master').where({ type: 'index' }).orderBy('name');
  return [...found, ...indexes.map(({ name, sql }) => [name, sql])];
};

test('a database that is taken over has the tables of a new one', async () => {
  const [former, empty] = [await newUrl(), await newUrl()];
  await execute(former, leftBy010);
  const [one, other] = [await openDatabase(former), await openDatabase(empty)];
  try {
    expect(await schemaOf(one)).toEqual(await schemaOf(other));
  } finally {
    await Promise.all([one, other].map(closeDatabase));
  }
});

test.each([
  [
    'before 0.1.0',
    "delete from knex_migrations where name > '0014'",
    /it was written by an older version of this program, so start version 0\.1\.0 on it first\.$/,
  ],
  [
    'newer',
    "insert into knex_migrations (name) values ('9999-later')",
    /it was written by a newer version of this program \(migration 9999-later; version .*\), so run that version\.$/,
  ],
])(
  'a database of a version that is %s is refused, and left as it is',
  async (_, change, message) => {
    const url = await newUrl();
    await execute(url, leftBy010);
    await execute(url, change);
    await expect(openDatabase(url)).rejects.toThrow(message);
    await execute(url, "insert into walks values ('s', 'c', 't', 'f', null, 0)");
  },
);

test('a database is taken over once, however many open it', async () => {
  const url = await newUrl();
  await execute(url, leftBy010);
  const opened = await Promise.all([openDatabase(url), openDatabase(url)]);
  const [first, second] = opened;
  if (first === undefined || second === undefined) throw new Error('Two were opened');
  const store = await openStore(first);
  await runTogether(first, ["delete from walks where task = 'done.ts'"]);
  expect(await readPages(collectionOf<Pet>(store, 'pets').list())).toHaveLength(5);
  const names: string[] = await second.knex('knex_migrations').orderBy('id').pluck('name');
  expect([names.length, names.at(-1)]).toEqual([18, '0018-disabled-users-and-replaced-keys']);
  await Promise.all(opened.map(closeDatabase));
});
