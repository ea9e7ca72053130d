/** Orders: placed, fetched, deleted, with the odd rules of their ids. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';

const services = useServices();
beforeEach(() => services().reset());

const place = (body?: unknown, type?: string) =>
  services().ask('POST /petstore/store/order', { body, type });
const getOrder = (id: bigint | number) => services().ask(`GET /petstore/store/order/${id}`);
const deleteOrder = (id: bigint | number) => services().ask(`DELETE /petstore/store/order/${id}`);

const order = {
  id: 100,
  petId: 4711,
  quantity: 2,
  shipDate: '2030-01-01T12:00:00.5+01:00',
  status: 'approved',
  complete: true,
};

describe('placeOrder', () => {
  test('keeps an order as it is, also of a pet that does not exist', async () => {
    expect(expectOk(await place(order))).toEqual(order);
    expect(expectOk(await getOrder(100))).toEqual(order);
  });

  test('does not overwrite an order whose id is given again', async () => {
    const before = (await getOrder(1)).text;
    await expectError(await place({ ...order, id: 1 }), 405, 'Invalid input');
    expect((await getOrder(1)).text).toBe(before);
  });

  test('takes a missing body as an order that says nothing, and counts by itself', async () => {
    expect(expectOk(await place())).toEqual({ id: 11 });
    expect(expectOk(await place('', 'application/json'))).toEqual({ id: 12 });
    expectOk(await deleteOrder(12));
    expect(expectOk(await place({}))).toEqual({ id: 13 });
    expect(expectOk(await getOrder(11))).toEqual({ id: 11 });
  });

  test('keeps 64 bits of the ids and 32 of the quantity', async () => {
    const ids = { id: 9_223_372_036_854_775_807n, petId: -9_223_372_036_854_775_808n };
    const placed = { ...ids, quantity: -2_147_483_648 };
    expect(expectOk(await place(placed))).toEqual(placed);
    expect(expectOk(await getOrder(ids.id))).toEqual(placed);
    // The largest id that was given is no reason to go on there.
    const { id } = expectOk(await place({ quantity: 2_147_483_647 })) as { readonly id: number };
    expect(id).toBeLessThan(100);
  });
});

describe('getOrderById', () => {
  test.each([1, 5])('finds %s', async (id) => {
    expect(expectOk(await getOrder(id))).toMatchObject({ id });
  });

  test.each([6, 7, 8, 9, 10])('refuses %s, though there is such an order', async (id) => {
    await expectError(await getOrder(id), 400, 'Invalid ID supplied');
    expectOk(await deleteOrder(id));
  });

  test.each([-9_223_372_036_854_775_808n, -1n, 0n, 11n, 1000n, 9_223_372_036_854_775_807n])(
    'finds %s once it was placed',
    async (id) => {
      await expectError(await getOrder(id), 404, 'Order not found');
      expectOk(await place({ id }));
      expect(await getOrder(id)).toMatchObject({ status: 200, text: `{"id":${id}}` });
    },
  );
});

describe('deleteOrder', () => {
  test.each([1, 6, 10])('deletes %s', async (id) => {
    const deleted = await deleteOrder(id);
    expect([deleted.status, deleted.text]).toEqual([200, '']);
    await expectError(await deleteOrder(id), 404, 'Order not found');
    const kept = storedItems(services().db, 'petstore', 'orders').where({ id: String(id) });
    expect(await kept).toEqual([]);
  });

  test.each([999, -999, 0, 11])('finds nothing under %s', async (id) => {
    await expectError(await deleteOrder(id), 404, 'Order not found');
  });

  test.each([1000n, 1001n, 9_223_372_036_854_775_807n])(
    'refuses %s, also where there is such an order',
    async (id) => {
      await expectError(await deleteOrder(id), 400, 'Invalid ID supplied');
      expectOk(await place({ id }));
      await expectError(await deleteOrder(id), 400, 'Invalid ID supplied');
      expectOk(await getOrder(id));
    },
  );
});
