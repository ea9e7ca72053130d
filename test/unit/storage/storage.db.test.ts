import { describe, expect, test } from '@jest/globals';
import type { CollectionDeclaration } from '../../../src/storage/collections/register-collections';
import {
  collectionOf,
  fileSettings,
  openFilledStorage,
  openStorage,
  withoutId,
} from '../../support/open-storage';
import { readPages, readSerialized } from '../../support/read-serialized';
import { standInCodecOf } from '../../support/stand-in-codec';
import { storedItems } from '../../support/stored-items';
import { useTemporaryDatabase } from './temporary-database';

const temporary = useTemporaryDatabase();

describe('openServiceStorage', () => {
  test('opens what is declared, users among it', async () => {
    const declared: CollectionDeclaration[] = [];
    const [toys, accounts] = [{ schema: 'Toy' }, { schema: 'User' }];
    const storage = await openFilledStorage(temporary.db, {
      ...{ service: 'toys', collections: { toys }, accounts, files: fileSettings },
      schemaOf(declaration) {
        declared.push(declaration);
        return {
          codec: standInCodecOf<object>(),
          hasId: true,
          hasTextId: false,
          declaredValues: () => [],
          sortKind: () => 'sort',
          columns: () => new Map(),
          missingFields: [],
        };
      },
    });
    expect(declared).toEqual([toys, accounts]);
    expect(Object.keys(storage.collections)).toEqual(['toys']);
    await storage.users?.insert({ username: 'ann' });
    expect((await storage.users?.get('ann'))?.read()).toMatchObject({ username: 'ann' });
    expect((await openStorage(temporary.db, 'no users')).users).toBeUndefined();
  });

  test('fails where a schema is not there', async () => {
    const opened = openFilledStorage(temporary.db, {
      ...{ service: 's', collections: { toys: { schema: 'Toy' } }, accounts: undefined },
      schemaOf: ({ schema }) => {
        throw new Error(`There is no schema ${schema}`);
      },
      files: fileSettings,
    });
    await expect(opened).rejects.toThrow('There is no schema Toy');
  });
});

describe('transaction', () => {
  test('changes several collections, and gives what the work gives', async () => {
    const storage = await openStorage(temporary.db, 'all');
    const done = await storage.transaction(async ({ pets, orders }) => {
      await pets?.insert({ id: 1n, status: 'pending' });
      const placed = await orders?.insert({ petId: 1n });
      await pets?.update(1n, (pet) => ({ ...pet, status: 'sold' }));
      const sold = await readPages(collectionOf(storage, 'pets').find('status', ['sold']));
      return { placed: placed?.read(), soldOutside: sold.length };
    });
    expect(done).toEqual({ placed: { id: 1n, petId: 1n }, soldOutside: 0 });
    const pets = collectionOf(storage, 'pets');
    expect(await readPages(pets.find('status', ['sold']))).toEqual([{ id: 1n, status: 'sold' }]);
    expect(await pets.count('status')).toEqual({ sold: 1 });
  });

  test('changes none where the work fails', async () => {
    const storage = await openStorage(temporary.db, 'none');
    const [pets, orders] = [collectionOf(storage, 'pets'), collectionOf(storage, 'orders')];
    await pets.insert({ status: 'pending' });
    const failing = storage.transaction(async (collections) => {
      await collections['orders']?.insert({ petId: 1n });
      await collections['pets']?.update(1n, (pet) => ({ ...pet, status: 'sold' }));
      await collections['pets']?.insert({ status: 'sold' });
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await readPages(orders.list())).toEqual([]);
    expect(await readPages(pets.list())).toEqual([{ id: 1n, status: 'pending' }]);
    expect(await pets.count('status')).toEqual({ pending: 1 });
    expect(await readSerialized(orders.insert({}))).toEqual({ id: 1n });
  });

  test('lets many that change the same two items in other orders do so one after the other', async () => {
    const storage = await openStorage(temporary.db, 'many');
    const things = collectionOf<{ id: bigint; count: number }>(storage, 'pets');
    for (const id of [1n, 2n]) await things.insert({ id, count: 0 });
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        storage.transaction(async (collections) => {
          const inside = collectionOf<{ id: bigint; count: number }>({ collections }, 'pets');
          for (const id of at % 2 === 0 ? [1n, 2n] : [2n, 1n]) {
            await inside.update(id, (thing) => ({ ...thing, count: thing.count + 1 }));
          }
        }),
      ),
    );
    expect(await readPages(things.list())).toEqual([
      { id: 1n, count: 20 },
      { id: 2n, count: 20 },
    ]);
  });
});

describe('items without an id', () => {
  const declared = { ads: { schema: withoutId, lookups: ['title'], counts: ['title'] } };

  test('are kept as the schema writes them, in the order in which they came', async () => {
    const ads = collectionOf<object>(await openStorage(temporary.db, 'ads', declared), 'ads');
    const titles = Array.from({ length: 5 }, (_, at) => `title ${at}`);
    for (const title of titles) {
      const given = Object.assign({ title }, { xUndeclared: 1 });
      expect(await readSerialized(ads.insert(given, `owner of ${title}`))).toEqual({ title });
      // Their keys are made of milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await readPages(ads.list())).toEqual(titles.map((title) => ({ title })));
    expect(await readPages(ads.find('title', ['title 3']))).toEqual([{ title: 'title 3' }]);
    expect(await ads.count('title')).toMatchObject({ 'title 0': 1, 'title 4': 1 });
    const rows = await storedItems(temporary.db, 'ads', 'ads')
      .orderBy('items.id')
      .select('owner', 'document');
    expect(rows).toEqual(
      titles.map((title) => ({
        owner: `owner of ${title}`,
        document: JSON.stringify({ title }),
      })),
    );
  });

  test('may have a property that is called id', async () => {
    const ads = collectionOf<object>(await openStorage(temporary.db, 'more ads', declared), 'ads');
    for (const id of [5n, 5n, 'five']) await ads.insert({ id });
    const found = (await readPages(ads.list())).map((ad) => Reflect.get(ad, 'id'));
    expect(found.map(String).sort()).toEqual(['5', '5', 'five']);
    const owners = await storedItems(temporary.db, 'more ads', 'ads').pluck('owner');
    expect(owners).toEqual([null, null, null]);
  });

  test('come together, and each is kept', async () => {
    const ads = collectionOf<object>(await openStorage(temporary.db, 'busy', declared), 'ads');
    await Promise.all(Array.from({ length: 60 }, (_, at) => ads.insert({ title: `${at}` })));
    expect(await readPages(ads.list())).toHaveLength(60);
  });
});
