/** A database that version 0.3.0 left is taken over as it is; the fixtures beside this file were made by that version. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { knexAccounts } from '../../../../src/storage/identity/users';
import type { ServiceStorage } from '../../../../src/storage/storage';
import { isPostgres, useNewDatabases } from '../../../support/new-database';
import { collectionOf, fileSettings, openFilledStorage } from '../../../support/open-storage';
import { readPages, readSerialized } from '../../../support/read-serialized';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { tablesOf } from '../../../support/tables';
import { execute, leftBy030 } from './former-version';

const newUrl = useNewDatabases();

interface Pet {
  readonly id: bigint;
  readonly status?: string;
}

const openStore = (db: Database): Promise<ServiceStorage> =>
  openFilledStorage(db, {
    service: 'store',
    collections: {
      pets: { schema: 'Pet', lookups: ['status'] },
    },
    accounts: { schema: 'User' },
    schemaOf: () => ({
      codec: standInCodecOf<object>(),
      hasId: true,
      hasTextId: false,
      declaredValues: () => [],
      sortKind: () => 'sort',
      columns: () => new Map(),
      missingFields: [],
    }),
    files: fileSettings,
  });

describe('what version 0.3.0 left', () => {
  let db: Database;
  let store: ServiceStorage;

  beforeAll(async () => {
    const url = await newUrl();
    await execute(url, leftBy030);
    db = await openDatabase(url);
    store = await openStore(db);
  });

  afterAll(() => closeDatabase(db));

  test('has its items, and finds them', async () => {
    const rex = { id: 10n, name: 'Rex', status: 'sold' };
    const pets = collectionOf<Pet>(store, 'pets');
    expect(await readSerialized(pets.get(10n))).toEqual(rex);
    expect(await readPages(pets.find('status', ['sold']))).toEqual([rex]);
    expect(await readSerialized(pets.insert({} as Pet))).toMatchObject({ id: 11n });
  });

  test('has its users and keys', async () => {
    expect(await readSerialized(store.users?.get('ann'))).toEqual({ id: 1n, username: 'ann' });
    expect(await knexAccounts(db, 'store').find('ann')).toMatchObject({ disabledAt: 7 });
    expect(await db.knex('api_keys').pluck('label')).toEqual(['shop']);
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

test('has the tables of a new one', async () => {
  const [former, empty] = [await newUrl(), await newUrl()];
  await execute(former, leftBy030);
  const [one, other] = [await openDatabase(former), await openDatabase(empty)];
  try {
    expect(await schemaOf(one)).toEqual(await schemaOf(other));
  } finally {
    await Promise.all([one, other].map(closeDatabase));
  }
});

test.each([
  [
    'before 0.3.0',
    "delete from knex_migrations where name > '0017-device-codes'",
    /it was written by an older version of this program, so start version 0\.3\.0 on it first\.$/,
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
    await execute(url, leftBy030);
    await execute(url, change);
    await expect(openDatabase(url)).rejects.toThrow(message);
    await execute(url, "insert into walks values ('s', 'c', 't', null, 0)");
  },
);
