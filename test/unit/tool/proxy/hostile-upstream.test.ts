/** Messages in bytes that nobody should send: each request gets an end, the proxy goes on, and what it checks is what it sends. */

import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { modes, type ProxyOptions, proxyServer } from '../../../../src/tool/proxy/proxy';
import { listen } from '../../../support/listen';
import { sendRaw } from '../../../support/raw-socket';

const document = parseApiDocument(
  'things.yaml',
  `
openapi: 3.0.3
info: { title: Things, version: '1' }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /closed:
    post:
      operationId: add
      security: [{ key: [] }]
      requestBody: { content: { text/plain: { schema: { type: string } } } }
      responses: { '200': { description: Done, content: { application/json: {} } }, 4XX: { description: Wrong } }
  /things:
    get:
      operationId: listThings
      responses:
        '200': { description: Things, content: { application/json: { schema: { type: array, items: { type: integer } } } } }
        '204': { description: None }
`,
);

const errors: string[] = [];
afterEach(() => expect(errors.splice(0)).toEqual([]));

/** Starts an upstream that answers each request in bytes of its own, and a proxy before it. */
const proxyBefore = async (
  mode: ProxyOptions['mode'],
  answers: readonly string[],
  end: (socket: Socket) => void,
  timeout = 60,
): Promise<string> => {
  let asked = 0;
  const upstream = createServer().removeAllListeners('connection');
  upstream.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined).on('end', () => socket.destroy());
    socket.once('data', () => {
      const bytes = answers[asked] ?? good;
      asked += 1;
      socket.write(Buffer.from(bytes, 'latin1'), () => end(socket));
    });
  });
  const server = proxyServer(document, {
    upstream: new URL(await listen(upstream)),
    mode,
    timeout,
    onPassed: () => undefined,
    onError: (message) => errors.push(message),
  });
  return listen(server);
};

const request = 'GET /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const json = 'Content-Type: application/json\r\n';
const good = `HTTP/1.1 200 OK\r\n${json}Content-Length: 2\r\n\r\n[]`;
const chunked = (rest: string) => `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n${rest}`;
const hint = (link: string) => `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n\r\n`;

/** The bytes of an upstream, and the statuses that the client gets. */
const cases: readonly (readonly [string, string, readonly number[]])[] = [
  ['an open quote in early hints', hint('</x>; rel="preload') + good, [200]],
  ['a quote too many in early hints', hint('</x>; rel=preload"') + good, [200]],
  ['early hints that take long to look at', hint(`</x>${'; a=b'.repeat(60)};"`) + good, [200]],
  ['good early hints', hint('</x>; rel="preload"; as=style; crossorigin') + good, [103, 200]],
  ['bytes beyond ASCII in early hints', hint('</\xff>; rel=\xe9') + good, [200]],
  ['100 Continue that nobody waits for', `HTTP/1.1 100 Continue\r\n\r\n${good}`, [200]],
  ['a control character in the reason phrase', good.replace('OK', 'O\x01K'), [200]],
  ['bytes beyond ASCII in the reason phrase', good.replace('OK', '\xff\x80'), [200]],
  ['no reason phrase', good.replace(' OK', ''), [200]],
  ['bytes beyond ASCII in a header', good.replace(json, `${json}X-A: \xff\x80\r\n`), [200]],
  ['a control character in a header', good.replace(json, `${json}X-A: a\x01\r\n`), [502]],
  ['a header without a name', good.replace(json, `${json}: a\r\n`), [502]],
  ['a name that is no token', good.replace(json, `${json}X(A: a\r\n`), [502]],
  ['a status below 100', good.replace('200', '099'), [502]],
  ['101 as the last answer', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', [502]],
  ['another protocol', 'HTTP/1.1 101 A\r\nConnection: upgrade\r\nUpgrade: b\r\n\r\nx', [502]],
  ['a length beside chunks', chunked('Content-Length: 2\r\n\r\n2\r\n[]\r\n0\r\n\r\n'), [502]],
  ['two lengths', good.replace(json, `${json}Content-Length: 3\r\n`), [502]],
  ['a negative length', good.replace('Length: 2', 'Length: -2'), [502]],
  ['another transfer coding', chunked('\r\n').replace('chunked', 'gzip, chunked'), [502]],
  ['Trailer beside a length', good.replace(json, `${json}Trailer: X-A\r\n`), [200]],
  ['a trailer that is no token', chunked('\r\n2\r\n[]\r\n0\r\nX(: a\r\n\r\n'), []],
  ['a chunk without a size', chunked('\r\nzz\r\n[]\r\n'), []],
  ['a body that is longer than it says', `${good}xxx`, [200]],
  ['two answers', good + good.replace('200', '500'), [200]],
  ['a length of 204', 'HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n', [204]],
  ['a length and a Trailer of 304', 'HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n', [304]],
  ['a head that is too long', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(99_999)}\r\n\r\n`, [502]],
  ['a head that breaks off', 'HTTP/1.1 200 OK\r\nX-A: a', [502]],
  ['nothing', '', [502]],
  ['no HTTP', 'hello\r\n\r\n', [502]],
  ['a body that breaks off', good.replace('Length: 2', 'Length: 9'), []],
  ['chunks that break off', chunked('\r\n9\r\n[]'), []],
];

const statusesOf = async (origin: string) => (await sendRaw(origin, request)).statuses;

describe.each(modes)('mode %s', (mode) => {
  test.each(cases)('%s', async (_name, bytes, statuses) => {
    const origin = await proxyBefore(mode, [bytes], (socket) => socket.end());
    // A response that is kept back becomes a 502; one that has begun is cut off.
    const [broken] = mode === 'report' ? [200] : [502];
    expect(await statusesOf(origin)).toEqual(statuses.length > 0 ? statuses : [broken]);
    expect(await statusesOf(origin)).toEqual([200]);
  });

  test.each(cases)('%s, and a reset', async (_name, bytes) => {
    const origin = await proxyBefore(mode, [bytes, good], (socket) => socket.resetAndDestroy());
    await statusesOf(origin);
    expect((await statusesOf(origin)).length).toBeLessThan(2);
  });

  test('interim responses without an end', async () => {
    const storm = hint('</x>; rel=preload').repeat(5000);
    const origin = await proxyBefore(mode, [storm], () => undefined);
    expect((await statusesOf(origin)).at(-1)).toBe(502);
  });

  test.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nX-A: '],
    ['interim responses alone', hint('</x>').repeat(3)],
  ])('%s, and no end', async (_name, bytes) => {
    const origin = await proxyBefore(mode, [bytes], () => undefined, 0.05);
    expect((await statusesOf(origin)).at(-1)).toBe(504);
  });
});

test.each(['annotate', 'block'] as const)(
  'in mode %s a response that is kept back, and does not go on, becomes a 502',
  async (mode) => {
    const bytes = good.replace('Length: 2', 'Length: 9');
    const origin = await proxyBefore(mode, [bytes], () => undefined, 0.05);
    const { statuses, text } = await sendRaw(origin, request);
    expect(statuses).toEqual([502]);
    expect(text).toContain('The upstream server broke off its response');
  },
);

test('what the client gets of odd heads', async () => {
  const answers = [
    'HTTP/1.1 204 N\x01\xe9\r\nContent-Length: 5\r\nX-A: \xe9\r\n\r\n',
    'HTTP/1.1 304 Same\r\nTrailer: X\r\nContent-Length: 5\r\n\r\n',
    chunked('Trailer: X-A\r\n\r\n2\r\n[]\r\n0\r\nX-A: 1\r\nSet-Cookie: a=b\r\nHost: b\r\n\r\n'),
  ];
  const origin = await proxyBefore('report', answers, (socket) => socket.end());
  const texts: string[] = [];
  for (const _ of answers) texts.push((await sendRaw(origin, request)).text);
  expect(texts[0]).toMatch(/^HTTP\/1\.1 204 N\?\xe9\r\nX-A: \xe9\r\n/);
  expect(texts[0]).not.toContain('Content-Length');
  expect(texts[1]).not.toMatch(/Content-Length|Trailer/);
  expect(texts[2]).toMatch(/Trailer: X-A\r\n[\s\S]*\r\n\r\n2\r\n\[\]\r\n0\r\nX-A: 1\r\n\r\n$/);
});

test('HTTP/1.0 gets neither early hints nor chunks', async () => {
  const bytes = hint('</x>; rel=preload') + chunked('Trailer: X\r\n\r\n2\r\n[]\r\n0\r\n\r\n');
  const origin = await proxyBefore('report', [bytes], (socket) => socket.end());
  const { statuses, text } = await sendRaw(origin, 'GET /things HTTP/1.0\r\n\r\n');
  expect(statuses).toEqual([200]);
  expect(text).toMatch(/\r\n\r\n\[\]$/);
});

const post = (headers: string, body = 'Content-Length: 1\r\n\r\na') =>
  `POST /closed HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\n${headers}${body}`;
const chunks = (trailers = '') =>
  `Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${trailers}\r\n`;

describe('requests', () => {
  /** Starts a proxy before an upstream that answers with what it was sent. */
  const echoing = async (mode: ProxyOptions['mode']): Promise<string> => {
    const upstream = createServer((asked, response) => {
      asked.resume().on('end', () => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify([asked.rawHeaders, asked.rawTrailers].map(String)));
      });
    });
    const settings = { timeout: 60, onPassed: () => undefined };
    return listen(
      proxyServer(document, {
        ...settings,
        upstream: new URL(await listen(upstream)),
        mode,
        onError: (message) => errors.push(message),
      }),
    );
  };

  test.each([
    ['a good one', post('X-Key: k\r\n'), [200, 200]],
    ['a key for one connection', post('X-Key: k\r\nConnection: x-key\r\n'), [200, 401]],
    ['a type for one connection', post('X-Key: k\r\nConnection: content-type\r\n'), [200, 415]],
    [
      'another transfer coding',
      post('X-Key: k\r\n', chunks()).replace('ed', 'ed, gzip'),
      [400, 400],
    ],
    [
      'two transfer codings',
      post('X-Key: k\r\n', chunks()).replace('chu', 'gzip, chu'),
      [501, 501],
    ],
    ['two hosts', post('Host: b\r\nX-Key: k\r\n'), [400, 400]],
    ['two media types', post('Content-Type: a/b\r\nX-Key: k\r\n'), [200, 400]],
    ['one media type twice', post('Content-Type: text/plain\r\nX-Key: k\r\n'), [200, 200]],
    ['a body that was not asked for', post('Expect: 100-continue\r\n'), [200, 401]],
    [
      'a wrong type, not asked for',
      post('Expect: 100-continue\r\nX-Key: k\r\n').replace('text/plain', 'a/b'),
      [200, 415],
    ],
  ])('%s', async (_name, bytes, expected) => {
    for (const [index, mode] of (['annotate', 'block'] as const).entries()) {
      const { statuses } = await sendRaw(await echoing(mode), bytes);
      expect(statuses.filter((status) => status !== 100)).toEqual([expected[index]]);
      if (mode === 'block') expect(statuses).not.toContain(100);
    }
  });

  test.each(modes)('trailers that count for nothing are left out in mode %s', async (mode) => {
    const trailers = 'Host: b\r\nx-key: other\r\nX-Sum: 7\r\nAuthorization: b\r\n';
    const bytes = post('X-Key: k\r\nTrailer: X-Sum\r\n', chunks(trailers));
    const { text } = await sendRaw(await echoing(mode), bytes);
    expect(text).toContain('"X-Sum,7"]');
    expect(text).toContain('Trailer,X-Sum');
  });

  test('a Trailer without trailers does not go out', async () => {
    const { statuses, text } = await sendRaw(await echoing('report'), post('Trailer: X-Sum\r\n'));
    expect(statuses).toEqual([200]);
    expect(text).not.toContain('Trailer');
  });
});
