/** Messages in bytes that nobody should send: each request gets an end, the proxy goes on, and what it checks is what it sends. */

import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { modes, type ProxyOptions, proxyServer } from '../../../../src/tool/proxy/proxy';
import { listen } from '../../../support/listen';
import { sendRaw } from '../../../support/raw-socket';
import { fullText, tableOf } from '../../../support/text-cases';

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

const cases = join(__dirname, 'hostile-upstream.cases.txt');

/** The statuses that the client gets, and the bytes of an upstream. */
const answers = tableOf(cases, 'answers of an upstream');
const answerOf = (text: string): string =>
  fullText(text, { good, json: `HTTP/1.1 200 OK\r\n${json.trimEnd()}` });

const statusesOf = async (origin: string) => (await sendRaw(origin, request)).statuses;

describe.each(modes)('mode %s', (mode) => {
  test.each(answers)('%s', async (_name, statuses = '', text = '') => {
    const origin = await proxyBefore(mode, [answerOf(text)], (socket) => socket.end());
    // A response that is kept back becomes a 502; one that has begun is cut off.
    const broken = mode === 'report' ? '200' : '502';
    expect((await statusesOf(origin)).join(' ')).toBe(statuses.replace('broken', broken));
    expect(await statusesOf(origin)).toEqual([200]);
  });

  test.each(answers)('%s, and a reset', async (_name, _statuses, text = '') => {
    const bytes = answerOf(text);
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

  test.each(tableOf(cases, 'requests'))('%s', async (_name, expected = '', text = '') => {
    const bytes = fullText(text, { post: post('', '').trimEnd() });
    const statusesIn = async (mode: ProxyOptions['mode']) =>
      (await sendRaw(await echoing(mode), bytes)).statuses;
    const annotated = (await statusesIn('annotate')).filter((status) => status !== 100);
    expect([...annotated, ...(await statusesIn('block'))].join(' ')).toBe(expected);
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
