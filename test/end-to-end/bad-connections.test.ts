/** Hostile bytes on the wire: what is no HTTP is refused or cut off, and the next caller is served. */

import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { httpServer } from '../../src/server/http/http-server';
import { expectOk } from '../support/expect-ok';
import { openSocket, sendRaw } from '../support/raw-socket';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';
import { fullText, tableOf } from '../support/text-cases';

const cases = join(__dirname, 'bad-connections.cases.txt');

const limit = 20_000;
const services = useServices({ MAX_BODY_BYTES: String(limit), MAX_UPLOAD_BYTES: String(limit) });

afterEach(async () => {
  expectOk(await services().ask('GET /petstore/store/order/1'));
});

const lines = (...texts: string[]) => `${texts.join('\r\n')}\r\n\r\n`;
const host = 'Host: localhost';
const close = 'Connection: close';
const get = lines('GET /petstore/store/order/1 HTTP/1.1', host);
const lastGet = lines('GET /petstore/store/order/1 HTTP/1.1', host, close);

const order = ['POST /petstore/store/order HTTP/1.1', host, 'Content-Type: application/json'];
/** What messages of the cases name. */
const named = {
  order: order.join('\r\n'),
  last: lastGet,
  hidden: lines('DELETE /petstore/store/order/1 HTTP/1.1', host, close),
  bytes: Buffer.from(Array.from({ length: 600 }, (_, index) => index % 256)).toString('latin1'),
};
/** Sends a message of the cases. */
const send = (message: string) =>
  sendRaw(services().origin, Buffer.from(fullText(message, named), 'latin1'));

/** An order with the headers and bytes after them. */
const post = (headers: readonly string[], body: string) => lines(...order, ...headers) + body;

const ordersKept = async () => storedItems(services().db, 'petstore', 'orders').select();

const inner = /\bat .+:\d+|node_modules|\.[jt]s:\d/;

describe('what is no request is refused once, and nothing comes of it:', () => {
  test.each(tableOf(cases, 'what is no request'))('%s', async (_, message = '') => {
    const before = await ordersKept();
    const { statuses, text } = await send(message);
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    expect(text).not.toMatch(inner);
    expect(await ordersKept()).toEqual(before);
  });

  test.each([
    'gzip, chunked',
    'identity, chunked',
    'x,chunked',
    'xchunked',
    'gzip\r\nTransfer-Encoding: chunked',
    'gzip',
    'identity',
    '',
  ])('the transfer coding "%s" is not implemented', async (coding) => {
    const before = await ordersKept();
    const { statuses } = await sendRaw(
      services().origin,
      post([`Transfer-Encoding: ${coding}`], 'b\r\n{"petId":1}\r\n0\r\n\r\n'),
    );
    expect(statuses).toEqual([501]);
    expect(await ordersKept()).toEqual(before);
  });

  test.each(tableOf(cases, 'answered in our own form'))(
    '%s is answered in our own form',
    async (_, message = '') => {
      const { statuses, text } = await send(message);
      expect(statuses).toEqual([400]);
      expect(text).toMatch(/^Connection: close\r$/m);
      expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
        code: 400,
        type: 'malformed-request',
        message: expect.any(String),
      });
    },
  );

  test('too many headers are named as such', async () => {
    const flood = lines('GET / HTTP/1.1', host, `X-Flood: ${'x'.repeat(20_000)}`);
    const { statuses, text } = await sendRaw(services().origin, flood);
    expect(statuses).toEqual([431]);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      code: 431,
      type: 'malformed-request',
      message: expect.any(String),
    });
  });
});

describe('no request hides behind another:', () => {
  test.each(tableOf(cases, 'one behind another'))('%s', async (_, message = '') => {
    const before = await ordersKept();
    const { statuses } = await send(message);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(await ordersKept()).toEqual(before);
  });
});

describe('what is unusual and yet HTTP is answered:', () => {
  test.each(tableOf(cases, 'unusual and yet HTTP'))('%s', async (_, want, message = '') => {
    const { statuses, text } = await send(message);
    expect([statuses.join(' '), text]).toEqual([want, text]);
  });

  test.each(tableOf(cases, 'no fault of the server'))(
    '%s is no fault of the server',
    async (_, message = '') => {
      const { statuses, text } = await send(message);
      expect([statuses.filter((status) => status >= 500), text]).toEqual([[], text]);
    },
  );

  test('a client that has closed its half gets an answer or a close', async () => {
    const { statuses } = await sendRaw(services().origin, get, { halfClose: true });
    expect([[], [200]]).toContainEqual(statuses);
  });
});

describe('a body that does not come whole', () => {
  test.each<[string, string]>([
    ['with its length', post(['Content-Length: 100'], '{"petId":1}')],
    ['in chunks', post(['Transfer-Encoding: chunked'], 'b\r\n{"petId":1}\r\n')],
  ])('%s has no effect when its connection ends', async (_, bytes) => {
    const before = await ordersKept();
    const { statuses } = await sendRaw(services().origin, bytes, { halfClose: true });
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(await ordersKept()).toEqual(before);
  });

  test('has no effect when its connection is reset', async () => {
    const before = await ordersKept();
    const socket = openSocket(services().origin);
    await once(socket, 'connect');
    socket.write(post(['Content-Length: 100', 'Expect: 100-continue'], ''));
    // The server has read the headers and waits for the body.
    await once(socket, 'data');
    socket.write('{"petId":1}');
    socket.resetAndDestroy();
    expectOk(await services().ask('GET /petstore/store/order/1'));
    expect(await ordersKept()).toEqual(before);
  });

  test('does not hold the server for long: there are times within which it must come', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxHeadersCount } = httpServer(
      () => undefined,
    );
    for (const milliseconds of [headersTimeout, requestTimeout, keepAliveTimeout]) {
      expect(milliseconds).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThanOrEqual(120_000);
    }
    expect(headersTimeout).toBeLessThanOrEqual(requestTimeout);
    expect(maxHeadersCount).not.toBe(0);
  });
});

describe('a body that is refused by its head', () => {
  test.each(tableOf(cases, 'refused by its head'))(
    '%s is answered once, without waiting for it, and the connection ends',
    async (_, status, message = '') => {
      expect((await send(message)).statuses.map(String)).toEqual([status]);
    },
  );

  test('lets its sender read the response before the connection ends', async () => {
    const more = post(['Content-Length: 3000000'], 'x'.repeat(3_000_000));
    const { statuses } = await sendRaw(services().origin, more + lastGet);
    expect(statuses).toEqual([413]);
  });
});

test('a thousand connections that say nothing do not keep others out', async () => {
  const { origin, ask } = services();
  const sockets = Array.from({ length: 1000 }, () => openSocket(origin));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expectOk(await ask('GET /petstore/store/order/1'));
  for (const socket of sockets) socket.destroy();
});

describe('on an address of this machine alone', () => {
  test.each(tableOf(cases, 'names of this machine'))(
    'the server is called %s',
    async (_, status, message = '') => {
      expect((await send(message)).statuses.map(String)).toEqual([status]);
    },
  );
});

describe('an expectation that is not met', () => {
  test.each<[string, string, number]>([
    ['alone', lines('GET /livez HTTP/1.1', host, 'Expect: x'), 417],
    ['with two Hosts', lines('GET /livez HTTP/1.1', host, host, 'Expect: x'), 400],
  ])('%s is refused, and ends the connection', async (_, bytes, status) => {
    const { statuses } = await sendRaw(services().origin, bytes + get);
    expect(statuses).toEqual([status]);
  });
});

describe('the id of a request', () => {
  const idOf = (text: string) => /^x-request-id: (.*)\r$/im.exec(text)?.[1];
  const made = /^(?:[\da-f]{12}-[\da-z]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

  test.each<[string, string]>([
    ['of a trace', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['of a proxy', 'Root=1-67891233/abc:1~2_3@x.y+z'],
    ['of 128 characters', 'x'.repeat(128)],
  ])('%s is taken', async (_, id) => {
    const given = lines('GET /petstore/nowhere HTTP/1.1', host, close, `X-Request-Id: ${id}`);
    expect(idOf((await sendRaw(services().origin, given)).text)).toBe(id);
  });

  test.each(tableOf(cases, 'ids that are made'))(
    'is made where there is %s',
    async (_, header = '') => {
      const headers = header === '' ? [] : [fullText(header)];
      const given = lines('GET /petstore/nowhere HTTP/1.1', host, close, ...headers);
      expect(idOf((await sendRaw(services().origin, given)).text)).toMatch(made);
    },
  );

  test.each(tableOf(cases, 'ids of what'))(
    'stands in the response of %s',
    async (_, message = '') => {
      expect(idOf((await send(message)).text)).toMatch(made);
    },
  );
});
