/** Collections beyond what the pet store shows of them over HTTP (test/end-to-end/: change-pets, find-pets and pet-ids). */

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from '../../../../src/storage/collections/collection';
import type { ItemPages } from '../../../../src/storage/collections/item-pages';
import type { ServiceStorage } from '../../../../src/storage/storage';
import { collectionOf, openStorage, type Pet } from '../../../support/open-storage';
import { readPages, readSerialized } from '../../../support/read-serialized';
import { useTemporaryDatabase } from '../temporary-database';

const LAST = 9223372036854775807n;
const FIRST = -9223372036854775808n;

const temporary = useTemporaryDatabase();
let storage: ServiceStorage;
let pets: Collection<Pet>;
let services = 0;

const petsOf = async (name: string): Promise<Collection<Pet>> =>
  collectionOf(await openStorage(temporary.db, name), 'pets');

const pet = (more: Partial<Pet> = {}): Pet => ({ name: 'Rex', photoUrls: [], ...more });
const tagged = (...names: (string | undefined)[]): Pet =>
  pet({ tags: names.map((name) => ({ name })) });

const serviceName = () => `service ${services}`;

beforeEach(async () => {
  services += 1;
  storage = await openStorage(temporary.db, serviceName());
  pets = collectionOf(storage, 'pets');
});

/** The id of an item that was stored. */
const insertedId = async (over: Collection<Pet>, more: Partial<Pet> = {}): Promise<bigint> => {
  const stored = await readSerialized(over.insert(pet(more)));
  if (stored?.id === undefined) throw new Error('The item was not stored');
  return stored.id;
};

describe('insert', () => {
  test('keep and find more values than one statement can carry', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `tag ${index}`);
    await pets.insert({ ...tagged(...names), id: 1n });
    expect(await readPages(pets.find('tags.name', ['tag 19999']))).toHaveLength(1);
  });

  test('never overwrite, also where fifty want the same id', async () => {
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, at) => pets.insert({ ...tagged(`${at}`), id: 5n })),
    );
    const winners = added.flatMap((one) => (one === undefined ? [] : [one.read()]));
    expect(winners).toHaveLength(1);
    expect(await readSerialized(pets.get(5n))).toEqual(winners[0]);
    const all = Array.from({ length: 50 }, (_, at) => `${at}`);
    expect(await readPages(pets.find('tags.name', all))).toEqual(winners);
  });

  test('keep the items of services apart', async () => {
    await pets.insert(pet({ id: 1n, status: 'sold', tags: [{ name: 'a' }] }));
    const others = await petsOf(`another than ${serviceName()}`);
    expect(await others.get(1n)).toBeUndefined();
    expect(await readPages(others.list())).toEqual([]);
    expect(await readPages(others.find('status', ['sold']))).toEqual([]);
    expect(await readPages(others.find('tags.name', ['a']))).toEqual([]);
    expect(await others.count('status')).toEqual({});
    expect(await others.delete(1n)).toBe(false);
  });

  test('survive a restart, counters and retired ids included', async () => {
    const name = 'a service that restarts';
    const before = await petsOf(name);
    await before.insert(pet());
    await before.insert(pet({ id: 2n }));
    await before.delete(2n);
    await temporary.reopen();
    const after = await petsOf(name);
    expect(await readSerialized(after.get(1n))).toEqual(pet({ id: 1n }));
    // A process that ends may leave a gap.
    expect(await insertedId(after)).toBeGreaterThan(2n);
  });
});

const idsIn = async (pages: ItemPages<Pet>) => (await readPages(pages)).map(({ id }) => id);

describe('no id comes twice', () => {
  test('however many processes assign them at the same time', async () => {
    const other = collectionOf<Pet>(
      await openStorage(await temporary.openAnother(), serviceName()),
      'pets',
    );
    const adding = Array.from({ length: 120 }, (_, at) => insertedId(at % 2 ? pets : other));
    expect(new Set(await Promise.all(adding)).size).toBe(120);
  });

  test('also where those ahead were given and removed, in whatever way', async () => {
    const assigned = [await insertedId(pets)];
    const given = Array.from({ length: 40 }, (_, at) => BigInt(at + 2));
    for (const id of given) {
      if (id % 2n === 0n) await pets.insert({ ...pet(), id });
      else {
        await storage.transaction(async ({ pets: inside }) => inside?.insert({ ...pet(), id }));
      }
    }
    for (const id of given) expect(await pets.delete(id)).toBe(true);
    for (let times = 0; times < 3; times += 1) {
      assigned.push(await insertedId(pets));
      await storage.transaction(async (inside) => {
        assigned.push(await insertedId(collectionOf<Pet>({ collections: inside }, 'pets')));
      });
    }
    expect(new Set(assigned).size).toBe(7);
    expect(assigned.filter((id) => given.includes(id))).toEqual([]);
  });

  test('also where many who wait are given a block, and then a lone one comes', async () => {
    const many = await Promise.all(Array.from({ length: 50 }, () => insertedId(pets)));
    for (const id of many) await pets.delete(id);
    const lone: bigint[] = [];
    for (let times = 0; times < 60; times += 1) lone.push(await insertedId(pets));
    expect(new Set([...many, ...lone]).size).toBe(110);
    expect(lone).toEqual([...lone].sort((one, two) => Number(one - two)));
  });
});

test('lists have all items, ordered by id', async () => {
  expect(await idsIn(pets.list())).toEqual([]);
  for (const id of [LAST, 9n, 10n, -1n, FIRST]) await pets.insert(pet({ id }));
  expect(await idsIn(pets.list())).toEqual([FIRST, -1n, 9n, 10n, LAST]);
});

describe('find', () => {
  test.each([
    ['several', ['sold', 'available'], [FIRST, 2n, 9n, 10n, LAST]],
    ['none', [], []],
    ['one named twice', ['sold', 'sold'], [FIRST, 2n, 10n]],
  ])('by %s of the values is ordered by id', async (_, statuses, wanted) => {
    for (const id of [LAST, 9n]) await pets.insert(pet({ id, status: 'available' }));
    for (const id of [10n, 2n, FIRST]) await pets.insert(pet({ id, status: 'sold' }));
    await pets.insert(pet({ id: 3n }));
    expect(await idsIn(pets.find('status', statuses))).toEqual(wanted);
  });

  test.each([
    ['any of two values, each item once', ['a', 'b'], [1n, 2n, 3n]],
    ['a value in another case', ['A'], []],
    ['a value with a quote', ["' or 1=1"], [4n]],
    ['a pattern, which is plain text', ['%'], []],
    ['a prototype name', ['__proto__'], [5n]],
    ['8000 values', ['b', ...Array.from({ length: 7999 }, (_, at) => `b${at}`)], [1n, 3n]],
  ])('by %s', async (_, names, wanted) => {
    const all = [tagged('a', 'b', 'a'), tagged('a'), tagged('b', undefined), tagged("' or 1=1")];
    for (const one of [...all, tagged('__proto__')]) await pets.insert(one);
    expect(await idsIn(pets.find('tags.name', names))).toEqual(wanted);
  });

  test.each<[string, unknown, unknown]>([
    ['an int64', LAST, LAST],
    ['a boolean', false, false],
    ['a number', 0.5, 0.5],
    ['a list', ['x', 'y'], 'y'],
  ])('knows a value that is %s', async (_, field, value) => {
    const declared = { things: { schema: 'Thing', lookups: ['field'] } };
    const opened = await openStorage(temporary.db, serviceName(), declared);
    const things = collectionOf<{ id: bigint; field: unknown }>(opened, 'things');
    const given = { id: 1n, field };
    await things.insert(given);
    await things.insert({ id: 2n, field: null });
    expect(await readPages(things.find('field', [value]))).toEqual([given]);
    expect(await readPages(things.find('field', ['null', 'undefined', '']))).toEqual([]);
  });
});

test('count names the values that some item has, and those that the schema lists', async () => {
  const declaredValues = (path: string) => (path === 'status' ? ['available', 'sold'] : []);
  const opened = await openStorage(temporary.db, serviceName(), undefined, { declaredValues });
  const counted = collectionOf<Pet>(opened, 'pets');
  expect(await counted.count('status')).toEqual({ available: 0, sold: 0 });
  for (const status of ['sold', 'sold', 'pending', undefined] as const) {
    await counted.insert(pet({ status }));
  }
  expect(await counted.count('status')).toEqual({ available: 0, sold: 2, pending: 1 });
  expect(await pets.count('status')).toEqual({ sold: 2, pending: 1 });
});

describe('what is not declared', () => {
  test.each([
    ['find', 'lookup', 'name'],
    ['count', 'count', 'tags.name'],
  ] as const)('makes %s throw: no %s of %s', async (method, kind, path) => {
    const using = async () =>
      method === 'find' ? readPages(pets.find(path, ['a'])) : pets.count(path);
    await expect(using()).rejects.toThrow(`${serviceName()}/pets declares no ${kind} of ${path}`);
  });

  test('makes attach throw', async () => {
    const orders = collectionOf<{ id: bigint }>(storage, 'orders');
    await orders.insert({ id: 1n });
    const attached = orders.attach(1n, new Uint8Array(), (order) => order);
    await expect(attached).rejects.toThrow(`${serviceName()}/orders declares no files`);
  });
});

describe('changes', () => {
  test('replace the item, but for its id, and what it is found by', async () => {
    await pets.insert(pet({ id: LAST, status: 'sold', tags: [{ name: 'old' }] }));
    const next = pet({ id: LAST, name: 'Max', tags: [{ name: 'new' }] });
    expect(await readSerialized(pets.update(LAST, () => ({ ...next, id: 2n })))).toEqual(next);
    expect(await readSerialized(pets.get(LAST))).toEqual(next);
    expect(await readSerialized(pets.get(2n))).toBeUndefined();
    expect(await readPages(pets.find('status', ['sold']))).toEqual([]);
    expect(await readPages(pets.find('tags.name', ['old']))).toEqual([]);
    expect(await readPages(pets.find('tags.name', ['new']))).toEqual([next]);
    expect(await pets.count('status')).toEqual({});
  });

  test('that throw change nothing', async () => {
    await pets.insert(pet({ id: 1n, status: 'sold' }));
    const failing = pets.update(1n, () => {
      throw new Error('no change');
    });
    await expect(failing).rejects.toThrow('no change');
    expect(await readSerialized(pets.get(1n))).toEqual(pet({ id: 1n, status: 'sold' }));
    expect(await pets.count('status')).toEqual({ sold: 1 });
  });

  const many = Array.from({ length: 600 }, (_, at) => `t${at}`);

  test.each<[string, string[], string[]]>([
    ['none, then some', [], ['a', 'b']],
    ['some, then none', ['a', 'b'], []],
    ['some of them again, one of them twice', ['a', 'b', 'c'], ['d', 'b', 'b', 'a']],
    ['the same', ['a', 'b'], ['b', 'a']],
    ['many, then others', many, ['t1', 'u']],
  ])(
    'keep the values of the item as it is now, and none of one that is deleted: %s',
    async (_, ...tags) => {
      const rows = (): Promise<string[]> =>
        temporary.db
          .knex('item_index')
          .join('collection_indexes', 'collection_indexes.key', 'item_index.index_key')
          .join('collections', 'collections.key', 'collection_indexes.collection')
          .where({ service: serviceName(), path: 'tags.name' })
          .pluck('value');
      const [before = pet(), after = pet()] = tags.map((names) => ({
        ...tagged(...names),
        id: 1n,
      }));
      await pets.insert({ ...tagged('z'), id: 2n });
      await pets.insert(before);
      await pets.update(1n, () => after);
      expect((await rows()).sort()).toEqual([...new Set(tags[1]), 'z'].sort());
      await pets.delete(1n);
      expect(await rows()).toEqual(['z']);
    },
  );

  test('that arrive together are all kept, and leave the rest', async () => {
    const before = pet({ id: 1n, status: 'pending', tags: [{ id: LAST, name: 'a' }] });
    await pets.insert(before);
    await Promise.all([
      pets.update(1n, (item) => ({ ...item, name: 'Max' })),
      pets.update(1n, (item) => ({ ...item, status: 'sold' })),
    ]);
    const after: Pet = { ...before, name: 'Max', status: 'sold' };
    expect(await readSerialized(pets.get(1n))).toEqual(after);
    expect(await readPages(pets.find('tags.name', ['a']))).toEqual([after]);
    expect(await pets.count('status')).toEqual({ sold: 1 });
  });
});
