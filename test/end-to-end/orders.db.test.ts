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
const getOrder = (id: bigint | number | string, accept?: string) =>
  services().ask(`GET /petstore/store/order/${id}`, { accept });
const deleteOrder = (id: bigint | number | string) =>
  services().ask(`DELETE /petstore/store/order/${id}`);

const order = {
  id: 100,
  petId: 1,
  quantity: 2,
  shipDate: '2030-01-01T12:00:00.5+01:00',
  status: 'approved',
  complete: true,
};

describe('placeOrder', () => {
  test.each<[string, unknown]>([
    ['application/json', order],
    [
      'application/xml',
      '<order><complete>1</complete><id>100</id><petId>1</petId><quantity>2</quantity><shipDate>2030-01-01T12:00:00.5+01:00</shipDate><status>approved</status></order>',
    ],
    [
      'application/x-www-form-urlencoded',
      'id=100&petId=1&quantity=2&shipDate=2030-01-01T12:00:00.5%2B01:00&status=approved&complete=true',
    ],
  ])('keeps an order that comes as %s', async (type, body) => {
    expect(expectOk(await place(body, type))).toEqual(order);
    expect(expectOk(await getOrder(100))).toEqual(order);
  });

  test('answers the order in XML when it is fetched, though not when it is placed', async () => {
    expectOk(await place(order));
    const fetched = await getOrder(100, 'application/xml');
    expect(fetched.text).toMatch(/<order>.*<quantity>2<\/quantity>.*<complete>true<\/complete>/);
    const asked = { body: { ...order, id: 101 }, accept: 'application/xml' };
    await expectError(await services().ask('POST /petstore/store/order', asked), 406);
    await expectError(await getOrder(101), 404, 'Order not found');
  });

  test('does not overwrite an order whose id is given again', async () => {
    const before = (await getOrder(1)).text;
    await expectError(await place({ ...order, id: 1 }), 405, 'Invalid input');
    expect((await getOrder(1)).text).toBe(before);
  });

  test('assigns missing ids from a counter of its own', async () => {
    const { petId } = order;
    expect(expectOk(await place({ petId }))).toEqual({ id: 11, petId });
    expect(expectOk(await place({ petId }))).toEqual({ id: 12, petId });
    expectOk(await deleteOrder(12));
    expect(expectOk(await place({ petId }))).toEqual({ id: 13, petId });
  });

  test('takes a missing body as an order that says nothing', async () => {
    expect(expectOk(await place())).toEqual({ id: 11 });
    expect(expectOk(await place('', 'application/json'))).toEqual({ id: 12 });
    expect(expectOk(await place({}))).toEqual({ id: 13 });
    expect(expectOk(await getOrder(11))).toEqual({ id: 11 });
  });

  test('does not ask whether the pet exists', async () => {
    expect(expectOk(await place({ petId: 4711 }))).toEqual({ id: 11, petId: 4711 });
  });

  test('keeps 64 bits of the ids and 32 of the quantity', async () => {
    const ids = { id: 9_223_372_036_854_775_807n, petId: -9_223_372_036_854_775_808n };
    const placed = { ...ids, quantity: -2_147_483_648 };
    expect(expectOk(await place(placed))).toEqual(placed);
    expect(expectOk(await getOrder(ids.id))).toEqual(placed);
    expect(expectOk(await place({ quantity: 2_147_483_647 }))).toMatchObject({ id: 11 });
  });

  test.each<[string, object]>([
    ['an unknown status', { status: 'lost' }],
    ['a quantity beyond 32 bits', { quantity: 2_147_483_648 }],
    ['a quantity that is none', { quantity: 1.5 }],
    ['a day without a time', { shipDate: '2030-01-01' }],
    ['a day that no month has', { shipDate: '2030-02-30T12:00:00Z' }],
    ['a time without an offset', { shipDate: '2030-01-01T12:00:00' }],
    ['a text for a boolean', { complete: 'true' }],
    ['a list', []],
  ])('refuses %s', async (_, body) => {
    const answered = await place(body);
    await expectError(answered, 405, 'Invalid input');
    expect(answered.headers['allow']).toBe('OPTIONS, POST');
    await expectError(await getOrder(11), 404, 'Order not found');
  });

  test('drops what the document does not declare', async () => {
    expect(expectOk(await place({ id: 50, note: 'quick' }))).toEqual({ id: 50 });
    expect(expectOk(await getOrder(50))).toEqual({ id: 50 });
  });
});

describe('getOrderById', () => {
  test.each([1, 5])('finds %s', async (id) => {
    expect(expectOk(await getOrder(id))).toMatchObject({ id });
  });

  test.each([6, 7, 8, 9, 10])('refuses %s, though there is such an order', async (id) => {
    await expectError(await getOrder(id), 400, 'Invalid ID supplied');
  });

  test.each([0, -1, -9_223_372_036_854_775_808n, 11, 1000, 9_223_372_036_854_775_807n])(
    'finds nothing under %s',
    async (id) => {
      await expectError(await getOrder(id), 404, 'Order not found');
    },
  );

  test.each([0, -1, 11, 1000])('finds %s once it was placed', async (id) => {
    expectOk(await place({ id }));
    expect(expectOk(await getOrder(id))).toEqual({ id });
  });

  test.each(['abc', '1.0', '5.5', '0x1', '%31%30', '1e1', '9223372036854775808'])(
    'refuses %s',
    async (id) => {
      await expectError(await getOrder(id), 400, 'Invalid ID supplied');
    },
  );

  test('decodes the path once', async () => {
    expect(expectOk(await getOrder('%31'))).toMatchObject({ id: 1 });
    await expectError(await getOrder('%2531'), 400, 'Invalid ID supplied');
  });
});

describe('deleteOrder', () => {
  test.each([1, 6, 10])('deletes %s', async (id) => {
    const deleted = await deleteOrder(id);
    expect([deleted.status, deleted.text]).toEqual([200, '']);
    await expectError(await deleteOrder(id), 404, 'Order not found');
    expect(
      await storedItems(services().db, 'petstore', 'orders').where({ id: String(id) }),
    ).toEqual([]);
  });

  test.each([999, -999, 0, 11])('finds nothing under %s', async (id) => {
    await expectError(await deleteOrder(id), 404, 'Order not found');
  });

  test.each([1000, 1001, 9_223_372_036_854_775_807n, 9_223_372_036_854_775_808n, 'abc', '1.0'])(
    'refuses %s',
    async (id) => {
      await expectError(await deleteOrder(id), 400, 'Invalid ID supplied');
    },
  );

  test('refuses 1000 and more also where there is such an order', async () => {
    for (const id of [1000, 1001]) {
      expectOk(await place({ id }));
      await expectError(await deleteOrder(id), 400, 'Invalid ID supplied');
      expect(expectOk(await getOrder(id))).toEqual({ id });
    }
  });
});
