/** What a version before collections kept is there after an update: the database is opened, and nothing is filled again. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import type { ServiceStorage } from '../../../../src/storage/storage';
import { useNewDatabases } from '../../../support/new-database';
import { collectionOf, openStorage, type Pet, withoutId } from '../../../support/open-storage';
import { readPages, readSerialized } from '../../../support/read-serialized';
import { standInCodec } from '../../../support/stand-in-codec';
import { storedItems } from '../../../support/stored-items';
import { tablesOf } from '../../../support/tables';
import { makeEarlier } from './make-earlier';

const LAST = 9223372036854775807n;
const FIRST = -9223372036854775808n;

const newUrl = useNewDatabases();

const lastMigration = '0009-orders-by-id';

const pet = (id: bigint, status: Pet['status'], ...tags: string[]): Pet => ({
  ...{ id, name: 'Rex', photoUrls: [] },
  ...(status && { status }),
  ...(tags.length > 0 && { tags: tags.map((name) => ({ name })) }),
});

const pets = {
  one: [
    pet(FIRST, 'sold', 'a'),
    pet(1n, 'available', 'b', 'a'),
    pet(2n, undefined),
    pet(3n, 'sold'),
    pet(LAST, 'pending', 'b'),
  ],
  two: [pet(1n, 'sold', 'a'), pet(2n, 'sold')],
} as const;

const orders = [{ id: FIRST, petId: 1n }, { id: 7n }, { id: LAST, petId: LAST }];

const ads = [{ title: 'Maison' }, { title: 'Studio' }, { title: 'Villa' }];

const fileId = '00000000-0000-4000-8000-000000000000';
const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));

/** Columns that hold a value as text. */
const texts = (value: object) => ({
  document: standInCodec.write(value),
  format: standInCodec.format,
});

const counted = (service: string, status: string, shard: number, count: number) => ({
  ...{ service, status, shard, count },
});

/** Rows as the earlier version kept them. */
const rows: Readonly<Record<string, readonly object[]>> = {
  pets: Object.entries(pets).flatMap(([service, list]) =>
    list.map((one) => ({
      ...{ service, id: String(one.id), status: one.status ?? null, ...texts(one) },
    })),
  ),
  pet_tags: Object.entries(pets).flatMap(([service, list]) =>
    list.flatMap(({ id, tags = [] }) =>
      tags.map(({ name = '' }) => ({ service, pet_id: String(id), name })),
    ),
  ),
  files: [
    { id: fileId, service: 'one', pet_id: '1', media_type: 'image/png', bytes },
    {
      ...{ id: fileId.replace('4', '5'), service: 'two', pet_id: '1' },
      ...{ media_type: 'image/gif', bytes: Buffer.alloc(0) },
    },
  ],
  orders: orders.map((order) => ({ service: 'one', id: String(order.id), ...texts(order) })),
  ads: ads.map((ad, at) => ({
    ...{ key: 10 + at, service: 'three', author: `author of ${ad.title}`, ...texts(ad) },
  })),
  status_counts: [
    ...[counted('one', 'sold', 0, 3), counted('one', 'sold', 63, -1)],
    ...[counted('one', 'available', 5, 1), counted('one', 'pending', 5, 1)],
    ...[counted('one', 'gone', 5, 1), counted('one', 'gone', 6, -1), counted('two', 'sold', 1, 2)],
  ],
  id_counters: [
    { name: 'one/pets', next: '4', retired: '5' },
    { name: 'two/pets', next: '9007199254740993', retired: null },
    { name: 'one/orders', next: '7', retired: null },
  ],
  retired_ids: [
    { kind: 'one/pets', id: '5' },
    { kind: 'one/pets', id: '6' },
  ],
};

describe('what an earlier version kept', () => {
  let db: Database;
  let one: ServiceStorage;
  let two: ServiceStorage;
  let three: ServiceStorage;

  beforeAll(async () => {
    const url = await newUrl();
    await makeEarlier(url, lastMigration, rows);
    db = await openDatabase(url);
    one = await openStorage(db, 'one');
    two = await openStorage(db, 'two');
    three = await openStorage(db, 'three', { ads: { schema: withoutId } });
  });

  afterAll(() => closeDatabase(db));

  const petsOf = (storage: ServiceStorage) => collectionOf<Pet>(storage, 'pets');

  test('needs no index filled again', () => {
    expect([one, two, three].map(({ maintenance }) => maintenance)).toEqual([[], [], []]);
  });

  test.each(['one', 'two'] as const)('has the pets of %s, found as before', async (service) => {
    const stored = petsOf(service === 'one' ? one : two);
    const all: readonly Pet[] = pets[service];
    expect(await readPages(stored.list())).toEqual(all);
    for (const given of all)
      expect(await readSerialized(stored.get(given.id ?? 0n))).toEqual(given);
    for (const status of ['sold', 'available', 'pending', 'gone']) {
      const wanted = all.filter((given) => given.status === status);
      expect([status, await readPages(stored.find('status', [status]))]).toEqual([status, wanted]);
    }
    for (const tag of ['a', 'b']) {
      const wanted = all.filter(({ tags = [] }) => tags.some(({ name }) => name === tag));
      expect([tag, await readPages(stored.find('tags.name', [tag]))]).toEqual([tag, wanted]);
    }
  });

  test('has what was counted', async () => {
    expect(await petsOf(one).count('status')).toEqual({ sold: 2, available: 1, pending: 1 });
    expect(await petsOf(two).count('status')).toEqual({ sold: 2 });
  });

  test('has the orders and no others', async () => {
    const stored = collectionOf<object>(one, 'orders');
    expect(await readPages(stored.list())).toEqual(orders);
    for (const order of orders) expect(await readSerialized(stored.get(order.id))).toEqual(order);
    expect(await readPages(collectionOf(two, 'orders').list())).toEqual([]);
  });

  test('has the ads in their order, with their owners, and new ones behind them', async () => {
    const stored = collectionOf<object>(three, 'ads');
    expect(await readPages(stored.list())).toEqual(ads);
    const owners = await storedItems(db, 'three', 'ads').orderBy('items.id').select('owner');
    expect(owners).toEqual(ads.map(({ title }) => ({ owner: `author of ${title}` })));
    await stored.insert({ title: 'New' });
    expect(await readPages(stored.list())).toEqual([...ads, { title: 'New' }]);
  });

  test('has the files, which go with their pets', async () => {
    const found = await one.findFile(fileId);
    expect(found?.mediaType).toBe('image/png');
    expect(Buffer.compare(found?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
    expect(await two.findFile(fileId)).toBeUndefined();
    const other = fileId.replace('4', '5');
    expect(await two.findFile(other)).toMatchObject({ mediaType: 'image/gif' });
    expect(await petsOf(two).delete(1n)).toBe(true);
    expect(await two.findFile(other)).toBeUndefined();
    expect(await one.findFile(fileId)).toBeDefined();
  });

  test('has the ids that are assigned next, and those that never are', async () => {
    const added = async (name: 'pets' | 'orders', storage: ServiceStorage) =>
      Reflect.get((await readSerialized(collectionOf(storage, name).insert({}))) ?? {}, 'id');
    expect([await added('pets', one), await added('pets', one)]).toEqual([4n, 7n]);
    expect(await added('pets', two)).toBe(9007199254740993n);
    // One of them has 7.
    expect([await added('orders', one), await added('orders', one)]).toEqual([8n, 9n]);
  });

  test('is changed and counted on', async () => {
    const stored = petsOf(one);
    await stored.update(1n, ({ tags: _, ...rest }) => ({ ...rest, status: 'sold' }));
    expect(await readPages(stored.find('tags.name', ['a']))).toEqual([pets.one[0]]);
    expect(await stored.count('status')).toMatchObject({ sold: 3, pending: 1 });
    expect(await readPages(stored.find('status', ['available']))).toEqual([]);
  });

  test('is in the tables of collections alone', async () => {
    const former = ['pets', 'pet_tags', 'orders', 'ads', 'files', 'status_counts'];
    expect((await tablesOf(db)).filter((table) => former.includes(table))).toEqual([]);
  });
});
