import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Ad } from '../../../../handlers/ads/types';
import { openStorage } from '../../../../src/server/storage/storage';
import { readKept } from '../../../support/kept-values';
import { standInCodec } from '../../../support/stand-in-codec';
import { openTemporaryDatabase, type TemporaryDatabase } from './temporary-database';

let temporary: TemporaryDatabase;

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
});

afterAll(() => temporary.remove());

const AD: Ad = {
  title: 'Maison',
  propertyType: 'À la vente',
  publicationStatus: 'Publiée',
  propertyStatus: 'Loué',
  description: 'd',
  price: 0.1,
  availabilityDate: '2025-01-01T00:00:00Z',
  userName: 'u',
};

describe('openStorage', () => {
  test('asks for a codec when it is first used, and once', async () => {
    const asked: string[] = [];
    const storage = openStorage(temporary.db, (service, schema) => {
      asked.push(`${service} ${schema}`);
      return standInCodec;
    });
    const { orders, ads } = storage.forService('lazy');
    expect(asked).toEqual([]);
    await orders.add({});
    await orders.add({});
    await ads.add(AD, 'somebody');
    expect(asked).toEqual(['lazy Order', 'lazy Ad']);
  });

  test('takes part in a transaction', async () => {
    const storage = openStorage(temporary.db, () => standInCodec);
    const failing = temporary.db.transaction(async (trx) => {
      await storage.within(trx).forService('rolled back').orders.add({ id: 1n });
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await storage.forService('rolled back').orders.find(1n)).toBeUndefined();
  });
});

describe('orders', () => {
  const LAST = 9223372036854775807n;
  const ordersOf = (name: string) =>
    openStorage(temporary.db, () => standInCodec).forService(name).orders;

  test('are kept exactly, and never overwritten', async () => {
    const orders = ordersOf('exact');
    const given = { id: LAST, petId: -LAST, quantity: 2147483647, complete: false };
    expect(await readKept(orders.add(given))).toEqual(given);
    expect(await readKept(orders.add({ id: LAST }))).toBeUndefined();
    expect(await readKept(orders.find(LAST))).toEqual(given);
    expect(await readKept(orders.add({}))).toEqual({ id: 1n });
  });

  test('are removed once, and their ids never assigned again', async () => {
    const orders = ordersOf('removed');
    await orders.add({});
    expect(await orders.remove(1n)).toBe(true);
    expect(await orders.remove(1n)).toBe(false);
    expect(await readKept(orders.find(1n))).toBeUndefined();
    expect(await readKept(orders.add({}))).toEqual({ id: 2n });
  });

  test('have a sequence of ids of their own', async () => {
    const { pets, orders } = openStorage(temporary.db, () => standInCodec).forService('two');
    await pets.add({ name: 'n', photoUrls: [] });
    expect(await readKept(orders.add({}))).toEqual({ id: 1n });
  });
});

describe('ads', () => {
  test('are kept as the schema writes them, with their author', async () => {
    const { ads } = openStorage(temporary.db, () => standInCodec).forService('s');
    const given = Object.assign({ ...AD }, { xUndeclared: 1 });
    expect(await readKept(ads.add(given, 'agent'))).toEqual(AD);
    const rows = await temporary.db
      .knex('ads')
      .where({ service: 's' })
      .select('author', 'document');
    expect(rows).toEqual([{ author: 'agent', document: JSON.stringify(AD) }]);
  });
});
