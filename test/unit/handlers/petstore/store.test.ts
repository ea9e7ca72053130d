import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { storeHandlers } from '../../../../handlers/petstore/store';
import { openStorage, type ServiceStorage } from '../../../../src/server/storage/storage';
import { readKept } from '../../../support/kept-values';
import { standInCodec } from '../../../support/stand-in-codec';
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../server/storage/temporary-database';
import { handlerRequest } from '../handler-request';
import { plainReply } from '../plain-reply';

let temporary: TemporaryDatabase;
let services = 0;
let storage: ServiceStorage;
let handlers: ReturnType<typeof storeHandlers>;

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
});

beforeEach(() => {
  services += 1;
  storage = openStorage(temporary.db, () => standInCodec).forService(`petstore ${services}`);
  handlers = storeHandlers(storage);
});

afterAll(() => temporary.remove());

describe('getInventory', () => {
  test('names every status, those without pets included', async () => {
    const reply = await plainReply(handlers.getInventory(handlerRequest({})));
    expect(reply).toEqual({ status: 200, body: { available: 0, pending: 0, sold: 0 } });
  });

  test('counts pets by status, and not those without', async () => {
    for (const status of ['sold', 'sold', undefined] as const) {
      await storage.pets.add({ name: 'n', photoUrls: [], status });
    }
    const reply = await plainReply(handlers.getInventory(handlerRequest({})));
    expect(reply).toEqual({ status: 200, body: { available: 0, pending: 0, sold: 2 } });
  });
});

describe('placeOrder', () => {
  test.each([
    ['an empty order', {}, { id: 1n }],
    ['an order for a pet that does not exist', { petId: 77n }, { id: 1n, petId: 77n }],
    ['an order with an id', { id: -5n, complete: true }, { id: -5n, complete: true }],
  ])('takes %s', async (_, body, wanted) => {
    const reply = await plainReply(handlers.placeOrder(handlerRequest({ body })));
    expect(reply).toEqual({ status: 200, body: wanted });
  });

  test('fails with 405 where the id is in use, and overwrites nothing', async () => {
    await storage.orders.add({ id: 1n, quantity: 1 });
    const request = handlerRequest({ body: { id: 1n, quantity: 2 } });
    await expect(handlers.placeOrder(request)).rejects.toThrow('declared 405');
    expect(await readKept(storage.orders.find(1n))).toEqual({ id: 1n, quantity: 1 });
  });
});

describe('getOrderById and deleteOrder', () => {
  test('give the order, end it, and fail with 404 from then on', async () => {
    await storage.orders.add({ id: 3n });
    const request = handlerRequest({ path: { orderId: 3n } });
    expect(await plainReply(handlers.getOrderById(request))).toEqual({
      status: 200,
      body: { id: 3n },
    });
    expect(await plainReply(handlers.deleteOrder(request))).toEqual({ status: 200 });
    await expect(handlers.getOrderById(request)).rejects.toThrow('declared 404');
    await expect(handlers.deleteOrder(request)).rejects.toThrow('declared 404');
  });
});
