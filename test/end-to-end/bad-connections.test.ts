/** Hostile bytes on the wire: what is no HTTP is refused or cut off, and the next caller is served. */

import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { httpServer } from '../../src/server/http/http-server';
import { expectOk } from '../support/expect-ok';
import { openSocket, sendRaw } from '../support/raw-socket';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';

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

/** An order with the headers and bytes after them. */
const post = (headers: readonly string[], body: string) =>
  lines('POST /petstore/store/order HTTP/1.1', host, 'Content-Type: application/json', ...headers) +
  body;

const ordersKept = async () => storedItems(services().db, 'petstore', 'orders').select();

const inner = /\bat .+:\d+|node_modules|\.[jt]s:\d/;

describe('what is no request is refused once, and nothing comes of it:', () => {
  const body = '{"petId":1}';
  const chunked = 'Transfer-Encoding: chunked';
  const sized = `Content-Length: ${body.length}`;
  const inChunk = `b\r\n${body}\r\n0\r\n\r\n`;

  test.each<[string, string | Uint8Array]>([
    ['nothing but line breaks and a word', '\r\n\r\nhello\r\n\r\n'],
    ['bytes', Buffer.from(Array.from({ length: 600 }, (_, index) => index % 256))],
    ['the start of a TLS handshake', Buffer.from('16030100f5010000f10303', 'hex')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', lines('GET /petstore/store/order/1 HTTP/9.9', host)],
    ['a method in lower case', lines('get / HTTP/1.1', host)],
    ['an unknown method', lines('ADOPT /petstore/pet/1 HTTP/1.1', host, close)],
    ['a blank in the target', lines('GET /petstore/pet/1 2 HTTP/1.1', host)],
    ['a target without a slash', lines('GET petstore/pet/1 HTTP/1.1', host, close)],
    ['no Host', lines('GET /petstore/store/order/1 HTTP/1.1', close)],
    ['two Hosts', lines('GET / HTTP/1.1', host, host)],
    ['two Hosts of HTTP/1.0', lines('GET / HTTP/1.0', host, 'host: other')],
    ['a Host of two words', lines('GET / HTTP/1.1', 'Host: a b')],
    ['a Host with a path', lines('GET / HTTP/1.1', 'Host: a/b')],
    ['no version', 'GET /livez\r\n\r\n'],
    ['HTTP/2 without its preface', lines('GET /livez HTTP/2.0', host)],
    ['a target of a scheme alone', lines('GET http:// HTTP/1.1', host)],
    ['a target with half an address', lines('GET http://[::1/livez HTTP/1.1', host)],
    ['a target of a port beyond all', lines('GET http://a:99999/livez HTTP/1.1', host)],
    ['a target of a host that is none', lines('GET http://%/livez HTTP/1.1', host)],
    ['a target without a host', lines('GET http:///livez HTTP/1.1', host)],
    ['a target of a user', lines('GET http://user@localhost/livez HTTP/1.1', host)],
    ['a target of another scheme', lines('GET ftp://localhost/livez HTTP/1.1', host)],
    ['an asterisk', lines('GET * HTTP/1.1', host)],
    ['chunks of HTTP/1.0', post([chunked], inChunk).replace('1.1', '1.0')],
    ['a blank before the colon', lines('GET / HTTP/1.1', host, 'Accept : */*', close)],
    ['a header without a name', lines('GET / HTTP/1.1', host, ': x', close)],
    ['a header without a colon', lines('GET / HTTP/1.1', host, 'x', close)],
    ['U+0000 in a header', lines('GET / HTTP/1.1', host, 'Accept: a\u0000b', close)],
    ['a bare CR in a header', lines('GET / HTTP/1.1', host, 'Accept: a\rb', close)],
    ['both a length and chunks', post([sized, chunked], inChunk)],
    ['chunks and then a length', post([chunked, sized], inChunk)],
    ['two lengths', post([sized, 'Content-Length: 5'], body)],
    ['two lengths in one', post([`${sized}, 5`], body)],
    ['a length with a sign', post([`Content-Length: +${body.length}`], body)],
    ['a negative length', post(['Content-Length: -1'], body)],
    ['a hexadecimal length', post(['Content-Length: 0xb'], body)],
    ['a length beyond 64 bits', post(['Content-Length: 99999999999999999999'], body)],
    ['a coding after chunks', post(['Transfer-Encoding: chunked, identity'], inChunk)],
    ['a folded coding', post(['Transfer-Encoding:\r\n chunked', close], inChunk)],
    ['a chunk size that is none', post([chunked], `zz\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk size with a sign', post([chunked], `-b\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk size beyond 64 bits', post([chunked], `${'f'.repeat(17)}\r\n${body}`)],
    ['a chunk longer than it says', post([chunked], `5\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk without its line break', post([chunked], `b\r\n${body}0\r\n\r\n`)],
    ['chunk extensions without an end', post([chunked], `b;${'x'.repeat(40_000)}`)],
    ['headers of 20 KB', lines('GET / HTTP/1.1', host, `X-Flood: ${'x'.repeat(20_000)}`)],
    ['10,000 headers', lines('GET / HTTP/1.1', host, ...Array(10_000).fill('X: y'))],
    ['a target of 20 KB', lines(`GET /${'x'.repeat(20_000)} HTTP/1.1`, host)],
    ['an expectation that nobody meets', lines('GET / HTTP/1.1', host, 'Expect: x', close)],
  ])('%s', async (_, bytes) => {
    const before = await ordersKept();
    const { statuses, text } = await sendRaw(services().origin, bytes);
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
      post([`Transfer-Encoding: ${coding}`], inChunk),
    );
    expect(statuses).toEqual([501]);
    expect(await ordersKept()).toEqual(before);
  });

  test.each([
    ['a fault of the parser', 'GET / HTTP/9.9\r\n\r\n'],
    ['two Hosts', lines('GET / HTTP/1.1', host, host)],
    ['no Host', lines('GET / HTTP/1.1')],
    ['no version', 'GET /livez\r\n\r\n'],
    ['a broken absolute target', lines('GET http://[ HTTP/1.1', host)],
  ])('%s is answered in our own form', async (_, bytes) => {
    const { statuses, text } = await sendRaw(services().origin, bytes);
    expect(statuses).toEqual([400]);
    expect(text).toMatch(/^Connection: close\r$/m);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      code: 400,
      type: 'malformed-request',
      message: expect.any(String),
    });
  });

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
  const hidden = lines('DELETE /petstore/store/order/1 HTTP/1.1', host, close);

  test.each<[string, string]>([
    [
      'a length and chunks',
      post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
    ],
    ['two lengths', post(['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden)],
    ['two Hosts', lines('GET / HTTP/1.1', host, host) + hidden],
    ['a coding', post(['Transfer-Encoding: gzip, chunked'], `0\r\n\r\n${hidden}`)],
    [
      'a length in the body of a GET',
      `${lines('GET /petstore/store/order/1 HTTP/1.1', host, close, `Content-Length: ${hidden.length}`)}${hidden}`,
    ],
    [
      'an upgrade',
      `${lines('GET /petstore/store/order/1 HTTP/1.1', host, 'Connection: Upgrade, close', 'Upgrade: h2c')}${hidden}`,
    ],
  ])('%s', async (_, bytes) => {
    const before = await ordersKept();
    const { statuses } = await sendRaw(services().origin, bytes);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(await ordersKept()).toEqual(before);
  });
});

describe('what is unusual and yet HTTP is answered:', () => {
  test.each<[string, string, readonly number[]]>([
    [
      'several requests at once, in order',
      get + lines('GET /petstore/store/order/6 HTTP/1.1', host) + lastGet,
      [200, 400, 200],
    ],
    ['a bad request after a good one', `${get}nonsense\r\n\r\n`, [200, 400]],
    ['HTTP/1.0', 'GET /petstore/store/order/1 HTTP/1.0\r\n\r\n', [200]],
    [
      'a target in absolute form',
      lines('GET http://localhost/petstore/store/order/1 HTTP/1.1', host, close),
      [200],
    ],
    [
      'an absolute target beside another host',
      lines('GET http://127.0.0.1/petstore/store/order/99 HTTP/1.1', 'Host: a.example', close),
      [404],
    ],
    ['a method that no path has', lines('PROPFIND /petstore/pet/1 HTTP/1.1', host, close), [405]],
    [
      'a body of a GET',
      `${lines('GET /petstore/store/order/1 HTTP/1.1', host, 'Content-Length: 3')}abc${lastGet}`,
      [200, 200],
    ],
    [
      'chunks with extensions and trailers',
      post(['Transfer-Encoding: chunked', close], 'b;a=b\r\n{"petId":1}\r\n0\r\nX: y\r\n\r\n'),
      [200],
    ],
    [
      'an expectation of 100',
      post(['Content-Length: 11', 'Expect: 100-continue', close], '{"petId":1}'),
      [100, 200],
    ],
    ['empty lines first', `\r\n\r\n${lastGet}`, [200]],
  ])('%s', async (_, bytes, statuses) => {
    const response = await sendRaw(services().origin, bytes);
    expect([response.statuses, response.text]).toEqual([statuses, response.text]);
  });

  test.each<[string, string]>([
    ['OPTIONS *', lines('OPTIONS * HTTP/1.1', host, close)],
    ['CONNECT', lines('CONNECT localhost:80 HTTP/1.1', host, close)],
    ['a target that is no URL', lines('GET //[ HTTP/1.1', host, close)],
    ['a target of bytes', lines('GET /\u00ff\u00fe HTTP/1.1', host, close)],
  ])('%s is no fault of the server', async (_, bytes) => {
    const { statuses, text } = await sendRaw(services().origin, Buffer.from(bytes, 'latin1'));
    expect([statuses.filter((status) => status >= 500), text]).toEqual([[], text]);
  });

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
  const huge = 'Content-Length: 17000000000';
  const expects = 'Expect: 100-continue';
  const head = (target: string, ...headers: string[]) =>
    lines(`POST ${target} HTTP/1.1`, host, ...headers);
  const order = '/petstore/store/order';
  const json = 'Content-Type: application/json';

  test.each<[string, string, number]>([
    ['too large', head(order, json, huge), 413],
    ['too large, which asks before', head(order, json, huge, expects), 413],
    [
      'of another type, which asks before',
      head(order, 'Content-Type: image/png', 'Content-Length: 9', expects),
      415,
    ],
    [
      'of another charset, which asks before',
      head(order, `${json}; charset=x`, 'Content-Length: 9', expects),
      415,
    ],
    [
      'of another coding, which asks before',
      head(order, json, 'Content-Encoding: zstd', 'Content-Length: 9', expects),
      415,
    ],
    [
      'without credentials, which asks before',
      head('/petstore/user', json, 'Content-Length: 9', expects),
      401,
    ],
    ['without an operation, which asks before', head('/nowhere', json, huge, expects), 404],
    ['too large, without credentials', head('/petstore/user', json, huge), 401],
  ])(
    '%s is answered once, without waiting for it, and the connection ends',
    async (...[, bytes, status]) => {
      const { statuses } = await sendRaw(services().origin, bytes);
      expect(statuses).toEqual([status]);
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
  test.each<[string, string, number]>([
    ['localhost', lines('GET /livez HTTP/1.1', 'Host: localhost:8080', close), 200],
    ['its address', lines('GET /livez HTTP/1.1', 'Host: 127.0.0.1', close), 200],
    ['that of IPv6', lines('GET /livez HTTP/1.1', 'Host: [::1]:1', close), 200],
    ['upper case', lines('GET /livez HTTP/1.1', 'Host: LocalHost', close), 200],
    ['nothing', lines('GET /livez HTTP/1.1', 'Host:', close), 200],
    ['the name of another site', lines('GET /livez HTTP/1.1', 'Host: evil.example:8080'), 421],
    [
      'a target of another site',
      lines('GET http://evil.example/livez HTTP/1.1', 'Host: localhost'),
      421,
    ],
  ])('the server is called %s', async (_, bytes, status) => {
    expect((await sendRaw(services().origin, bytes)).statuses).toEqual([status]);
  });
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

  test.each<[string, readonly string[]]>([
    ['none', []],
    ['a longer one', [`X-Request-Id: ${'x'.repeat(129)}`]],
    ['one of two words', ['X-Request-Id: a b']],
    ['an escape sequence', ['X-Request-Id: \u001b[31m']],
    ['quotes', ['X-Request-Id: a"b']],
    ['two', ['X-Request-Id: a', 'X-Request-Id: b']],
  ])('is made where there is %s', async (_, headers) => {
    const given = lines('GET /petstore/nowhere HTTP/1.1', host, close, ...headers);
    expect(idOf((await sendRaw(services().origin, given)).text)).toMatch(made);
  });

  test.each<[string, string]>([
    ['an operation', lastGet],
    ['a page', lines('GET / HTTP/1.1', host, close)],
    ['the documentation', lines('GET /petstore/docs/ HTTP/1.1', host, close)],
    ['the sign-in', lines('GET /petstore/oauth/authorize HTTP/1.1', host, close)],
    ['what is no request', 'nonsense\r\n\r\n'],
    ['two Hosts', lines('GET / HTTP/1.1', host, host)],
  ])('stands in the response of %s', async (_, bytes) => {
    expect(idOf((await sendRaw(services().origin, bytes)).text)).toMatch(made);
  });
});
