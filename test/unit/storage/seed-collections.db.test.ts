/** The moment at which the demo data comes; end-to-end tests find and count it. */

import { afterEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/storage/database/database';
import { seedCollections } from '../../../src/storage/storage';
import { collectionOf, openStorage } from '../../support/open-storage';
import { countItems } from '../../support/stored-items';
import { emptyTables } from '../../support/tables';
import { useTemporaryDatabase } from './temporary-database';

const items = {
  pets: [
    { name: 'Bello', status: 'sold', tags: [{ name: 'large' }] },
    { name: 'Minka', status: 'pending' },
  ],
  orders: [{ petId: 1n }, { petId: 2n }, { petId: 1n }],
};

const temporary = useTemporaryDatabase();

const seed = async (db: Database, given: Readonly<Record<string, readonly object[]>> = items) =>
  seedCollections(db, 'shop', await openStorage(db, 'shop'), given);

const counts = () =>
  Promise.all(['pets', 'orders'].map((name) => countItems(temporary.db, 'shop', name)));

afterEach(() => emptyTables(temporary.db));

describe('seedCollections', () => {
  test('adds the items once, also where two start together', async () => {
    const other = await temporary.openAnother();
    const seeded = await Promise.all([seed(temporary.db), seed(other)]);
    expect(seeded.toSorted()).toEqual([false, true]);
    expect(await seed(other)).toBe(false);
    expect(await counts()).toEqual([2, 3]);
  });

  test('loses no item by the id that another one gives: those are added before', async () => {
    const pets = [{ name: 'Rex' }, { id: 1n, name: 'Bello' }, { name: 'Minka' }];
    expect(await seed(temporary.db, { pets })).toBe(true);
    const storage = await openStorage(temporary.db, 'shop');
    const stored: object[] = [];
    for await (const item of collectionOf(storage, 'pets').list()) stored.push(item);
    expect(stored).toMatchObject([
      { id: 1n, name: 'Bello' },
      { id: 2n, name: 'Rex' },
      { id: 3n, name: 'Minka' },
    ]);
  });

  test('does not bring back what was deleted', async () => {
    await seed(temporary.db);
    await temporary.db.knex('items').delete();
    await temporary.reopen();
    expect(await seed(temporary.db)).toBe(false);
    expect(await counts()).toEqual([0, 0]);
  });

  test.each(['pets', 'orders'])('adds nothing where there are %s', async (name) => {
    const storage = await openStorage(temporary.db, 'shop');
    await collectionOf(storage, name).insert({ id: 77n });
    expect(await seed(temporary.db)).toBe(false);
    expect((await counts()).toSorted()).toEqual([0, 1]);
  });

  test('adds items where only another service has some', async () => {
    const other = await openStorage(temporary.db, 'another');
    await collectionOf(other, 'pets').insert({});
    expect(await seed(temporary.db)).toBe(true);
    expect(await counts()).toEqual([2, 3]);
    expect(await countItems(temporary.db, 'another', 'pets')).toBe(1);
  });

  test('adds all, or none', async () => {
    const unwritable = {
      get petId(): bigint {
        throw new Error('cannot be written');
      },
    };
    const failing = seed(temporary.db, { ...items, orders: [...items.orders, unwritable] });
    await expect(failing).rejects.toThrow('cannot be written');
    expect(await counts()).toEqual([0, 0]);
    expect(await seed(temporary.db)).toBe(true);
  });
});
