/** Messages that pass the proxy while they come, and the ends that are not orderly. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { upstreamPrefix } from '../../../../src/tool/proxy/pass-on';
import {
  modes,
  type Passage,
  type ProxyOptions,
  proxyServer,
} from '../../../../src/tool/proxy/proxy';
import { askAt } from '../../../support/ask';
import { listen } from '../../../support/listen';
import { openSocket, readUntil, sendRaw } from '../../../support/raw-socket';

type Mode = ProxyOptions['mode'];

const document = parseApiDocument(
  'things.yaml',
  readFileSync(join(__dirname, 'passing-on.yaml'), 'utf8').replace(
    'components:',
    'components:\n  securitySchemes: { basic: { type: http, scheme: basic } }',
  ),
);

const errors: string[] = [];
afterEach(() => expect(errors.splice(0)).toEqual([]));

interface Pair {
  readonly origin: string;
  /** Resolves to the next passage that is over. */
  readonly passed: Promise<Passage>;
}

/** Starts a proxy before an upstream. */
const proxyBefore = async (mode: Mode, upstream: string): Promise<Pair> => {
  let resolve: (passage: Passage) => void = () => undefined;
  const passed = new Promise<Passage>((done) => {
    resolve = done;
  });
  const server = proxyServer(document, {
    upstream: new URL(upstream),
    timeout: 60,
    mode,
    onPassed: (one) => resolve(one),
    onError: (message) => errors.push(message),
  });
  return { origin: await listen(server), passed };
};

const pair = async (mode: Mode, listener: RequestListener): Promise<Pair> =>
  proxyBefore(mode, await listen(createServer(listener)));

/** Begins a request; the response comes with its head. */
const begin = (origin: string, method: string, headers: Record<string, string> = {}) => {
  const sending = httpRequest(`${origin}/things`, { method, headers, agent: false });
  const head = once(sending, 'response').then(([response]) => response as IncomingMessage);
  return { sending, head };
};

const firstChunk = async (message: IncomingMessage): Promise<string> => {
  const [chunk] = await once(message, 'data');
  return String(chunk);
};

describe.each(modes)('mode %s', (mode) => {
  const streamed = mode === 'report' ? 'application/json' : 'application/jsonl';

  test('a response passes while it comes, at the speed of its reader', async () => {
    let upstream: ServerResponse | undefined;
    const { origin, passed } = await pair(mode, (_request, response) => {
      upstream = response;
      response.writeHead(200, { 'Content-Type': streamed }).write('1\n');
    });
    const { sending, head } = begin(origin, 'GET');
    sending.end();
    const response = await head;
    expect(await firstChunk(response)).toBe('1\n');
    upstream?.end(`${' '.repeat(3_000_000)}2\n`);
    let length = 0;
    for await (const chunk of response) {
      length += chunk.length;
      await setImmediate();
    }
    expect(length).toBe(3_000_002);
    expect((await passed).ofResponse.unchecked).toBe('The body is longer than 1 MiB');
  });

  test('a client that leaves ends the request of the upstream', async () => {
    const { promise, resolve } = deferred<void>();
    const { origin, passed } = await pair(mode, (_request, response) => {
      response.once('close', resolve);
      response.writeHead(200, { 'Content-Type': streamed }).write('1\n');
    });
    const { sending, head } = begin(origin, 'GET');
    sending.end();
    await firstChunk(await head);
    sending.destroy();
    await promise;
    expect((await passed).problem).toBe('The client left');
  });

  test('a client that leaves before the answer ends the request of the upstream', async () => {
    const asked = deferred<void>();
    const left = deferred<void>();
    const { origin, passed } = await pair(mode, (_request, response) => {
      response.once('close', left.resolve);
      asked.resolve();
    });
    const { sending, head } = begin(origin, 'GET');
    head.catch(() => undefined);
    sending.end();
    await asked.promise;
    sending.destroy();
    await left.promise;
    expect((await passed).problem).toBe('The client left');
  });

  test('an upstream that dies in the middle cuts the response off', async () => {
    const { origin, passed } = await pair(mode, (request, response) => {
      response.writeHead(200, { 'Content-Type': streamed, 'Content-Length': '100' }).write('1\n');
      response.once('drain', () => undefined);
      setImmediate().then(() => request.socket.destroy());
    });
    await expect(askAt(origin)('GET /things')).rejects.toThrow();
    expect((await passed).problem).toBe('The upstream server broke off its response');
  });

  test('an upstream that cannot be reached', async () => {
    const closed = createServer();
    const gone = await listen(closed);
    closed.close();
    const { origin } = await proxyBefore(mode, gone);
    const { status, headers, text: body } = await askAt(origin)('GET /things');
    expect(status).toBe(502);
    expect(headers['content-type']).toBe('application/problem+json');
    const detail =
      'The upstream server cannot be reached, or does not answer in HTTP (ECONNREFUSED).';
    expect(JSON.parse(body)).toMatchObject({ status: 502, detail });
  });

  test('an upstream that speaks no HTTP', async () => {
    const server = createServer();
    server.on('connection', (socket: Socket) => socket.end('hello\r\n\r\n'));
    const { origin } = await proxyBefore(mode, await listen(server));
    expect((await askAt(origin)('GET /things')).status).toBe(502);
  });

  test('an upload is passed on byte by byte, with its trailers; those of the response come back', async () => {
    const { origin } = await pair(mode, async (request, response) => {
      const body = await buffer(request);
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', Trailer: 'X-End' });
      response.write(body);
      response.addTrailers({ 'X-End': request.trailers['x-sum'] ?? 'none' });
      response.end();
    });
    const { sending, head } = begin(origin, 'POST', {
      'Content-Type': 'application/octet-stream',
      Trailer: 'X-Sum',
    });
    const body = Buffer.alloc(5_000_000, 'abc');
    sending.write(body);
    sending.addTrailers({ 'X-Sum': '7' });
    sending.end();
    const response = await head;
    expect((await buffer(response)).equals(body)).toBe(true);
    expect(response.trailers).toEqual({ 'x-end': '7' });
  });

  test('the body of a request that waits for 100 Continue comes when it is asked for', async () => {
    const { origin } = await pair(mode, async (request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      response.end(await text(request));
    });
    const socket = openSocket(origin);
    socket.write(
      'POST /things HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/octet-stream\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
    );
    expect(await readUntil(socket, /\r\n\r\n$/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    expect(await readUntil(socket, /hello/)).toMatch(/^HTTP\/1\.1 200 OK/);
    socket.destroy();
  });

  test('an upstream that answers before the body has come', async () => {
    const { origin, passed } = await pair(mode, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end('early');
    });
    const { sending, head } = begin(origin, 'POST', { 'Content-Type': 'application/octet-stream' });
    sending.on('error', () => undefined);
    sending.write('a');
    if (mode === 'block') sending.end();
    expect(await text(await head)).toBe('early');
    sending.end();
    const reason = mode === 'block' ? undefined : 'The response came before the end of the body';
    expect((await passed).ofRequest.unchecked).toBe(reason);
  });

  test('WebSocket is refused', async () => {
    const { origin } = await pair(mode, () => undefined);
    const { statuses, text: all } = await sendRaw(
      origin,
      'GET /things HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(statuses).toEqual([501]);
    expect(all).toContain('WebSocket connections are not passed on.');
  });
});

const deferred = <Value>() => {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

test.each(['annotate', 'report'] as const)(
  'in mode %s a request passes while it comes',
  async (mode) => {
    const begun = deferred<string>();
    const { origin } = await pair(mode, async (request, response) => {
      begun.resolve(await firstChunk(request));
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      response.end(await text(request));
    });
    const { sending, head } = begin(origin, 'POST', { 'Content-Type': 'application/octet-stream' });
    sending.write('a');
    expect(await begun.promise).toBe('a');
    sending.end('b');
    expect(await text(await head)).toBe('b');
  },
);

test('in mode block nothing is asked of a client that is refused, and its body is not awaited', async () => {
  const { origin } = await pair('block', () => undefined);
  const head =
    'POST /closed HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n';
  expect((await sendRaw(origin, head)).statuses).toEqual([401]);
});

test.each(['annotate', 'block'] as const)(
  'in mode %s a response that breaks off while it is kept back becomes a 502',
  async (mode) => {
    const { origin } = await pair(mode, (request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('[1');
      setImmediate().then(() => request.socket.destroy());
    });
    expect((await askAt(origin)('GET /things')).status).toBe(502);
  },
);

test('early hints are passed on, if they can be', async () => {
  const { origin } = await pair('annotate', (_request, response) => {
    const head = 'HTTP/1.1 103 Early Hints\r\nLink: ';
    const end = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n[]';
    response.socket?.end(
      `${head}</style.css>; rel=preload\r\n\r\n${head}nonsense <<\r\n\r\n${end}`,
    );
  });
  const { text: all } = await sendRaw(
    origin,
    'GET /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect(all).toMatch(
    /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/style\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
  );
});

test('headers for one connection stay, those about the way are added', async () => {
  const { origin } = await pair('report', (request, response) => {
    const { connection: _, 'x-forwarded-host': host, ...headers } = request.headers;
    response.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      Connection: 'X-Own, close',
      'X-Own': '1',
      'Keep-Alive': 'timeout=9',
    });
    response.end(JSON.stringify({ ...headers, target: request.url, host }));
  });
  const { headers, text: seen } = await askAt(origin)('GET /things?a=%20', {
    headers: {
      Connection: 'X-Hop, close',
      'X-Hop': '1',
      TE: 'trailers',
      Via: '1.0 other',
      'X-Forwarded-For': '10.0.0.1',
      'X-Kept': 'é',
    },
  });
  expect(JSON.parse(seen)).toEqual({
    host: new URL(origin).host,
    via: '1.0 other, 1.1 spec-first',
    'x-forwarded-for': '10.0.0.1, 127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-kept': 'é',
    target: '/things?a=%20',
  });
  expect(headers).not.toHaveProperty('x-own');
  expect(headers).not.toHaveProperty('keep-alive');
});

test.each([
  ['http://a', '/v1', ''],
  ['http://a/', '', ''],
  ['http://a/v1', '/v1', ''],
  ['http://a/v1/', '/v1', ''],
  ['http://a/api', '/v1', '/api'],
  ['http://a/api/v1', '/v1', '/api'],
  ['http://a/api', '', '/api'],
])('the path before targets, at %s for a document at %s, is "%s"', (url, basePath, prefix) => {
  expect(upstreamPrefix(new URL(url), basePath)).toBe(prefix);
});
