/** Programs that use the engine oddly, and senders that leave: each request gets an answer, the log says why, and nothing is kept. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { fastify } from 'fastify';
import { openApiService } from '../../../src/engine/operation/service';
import { joinModules } from '../../../src/host/handler-modules';
import { makeHandlers, prepareService } from '../../../src/host/prepared-service';
import { nodeListener } from '../../../src/http/exchange';
import { bodyMemory } from '../../../src/http/request';
import { HttpError, openApiRouter, parseApiDocument, schemaContext } from '../../../src/package';
import { type FastifyOptions, openApiPlugin } from '../../../src/package/fastify';
import { type FetchOptions, openApiFetch } from '../../../src/package/fetch';
import { listenerOf, serveService } from '../../../src/tool/serve/served-service';

const document = parseApiDocument(
  'things.yaml',
  `
openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
paths:
  /things:
    get:
      operationId: listThings
      responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: { type: integer } } } } } }
    post:
      operationId: addThing
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: The thing, content: { application/json: {} } }, default: { description: Other } }
`,
);

const told: string[] = [];
const log = {
  error: (fields: { err?: Error }, message: string) =>
    void told.push(fields.err === undefined ? message : `${message}: ${fields.err.message}`),
};
beforeEach(() => void told.splice(0));

let returned = 0;
const endless = {
  [Symbol.asyncIterator]: () => ({
    next: async () => ({ done: false, value: Array.from({ length: 1000 }, (_, index) => index) }),
    async return() {
      returned += 1;
      return { done: true, value: undefined };
    },
  }),
};
const handlers = {
  listThings: () => ({ status: 200, body: endless }),
  addThing: ({ body }: { body: unknown }) => ({ status: 201, body }),
};

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

const portOf = async (server: Server): Promise<number> => {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":1}' };

const post = async (listener: RequestListener): Promise<Response> => {
  const port = await portOf(createServer(listener));
  return fetch(`http://127.0.0.1:${port}/v1/things`, init);
};

const request = (options: RequestInit & { duplex?: 'half' } = init) =>
  new Request('http://things.test/v1/things', { ...init, ...options });

/** Answers a request at both hosts that the engine has. */
const answers = async (given: object, options: FetchOptions) => [
  await post(
    await openApiRouter(document, { ...handlers, ...given }, {}, { log, ...options } as object),
  ),
  await (await openApiFetch(document, { ...handlers, ...given }, {}, { log, ...options }))(
    request(),
  ),
];

const noStatus = /addThing answered without a status: return an object such as/;

test.each<[what: string, answer: () => unknown, logged: RegExp]>([
  ['nothing', () => undefined, noStatus],
  ['null', () => null, noStatus],
  ['no status', () => ({ body: {} }), noStatus],
  ['a text as status', () => ({ status: '201', body: {} }), noStatus],
  ['no status of HTTP', () => ({ status: 999 }), /addThing answered 999, which is not declared/],
  ['a header that is none', () => ({ status: 201, headers: { 'a b': 'c' }, body: {} }), /a b/],
  [
    'an error that is none',
    () => {
      throw new HttpError(9999, 'declared', 'x');
    },
    /response to an error failed.*(9999|status)/,
  ],
])('a handler that answers %s', async (_what, addThing, logged) => {
  for (const response of await answers({ addThing }, {})) expect(response.status).toBe(500);
  expect(told.filter((line) => logged.test(line))).toHaveLength(2);
});

interface Failing {
  fail(status: number, content: object): Error;
}

/** In the order of a response of the Fetch API. */
const own = { 'cache-control': 'max-age=60', 'x-content-type-options': 'a' };

describe('replaceError', () => {
  const addThing = () => {
    throw new HttpError(409, 'declared', 'Taken');
  };

  test.each<[what: string, replacement: unknown]>([
    ['a number', 7],
    ['null', null],
    ['an empty object', {}],
    ['a status that is none', { status: 7, headers: {}, body: '' }],
    ['a header that is none', { status: 400, headers: { 'a b': 'c' }, body: '' }],
    [
      'an error with a header that is none',
      new HttpError(400, 'declared', 'x', { headers: { a: 'b\nc' } }),
    ],
  ])('that gives %s is done without', async (_what, replacement) => {
    const options = { replaceError: () => replacement as undefined };
    for (const response of await answers({ addThing }, options)) expect(response.status).toBe(409);
    expect(told).toEqual([
      expect.stringMatching(/^replaceError failed/),
      expect.stringMatching(/^replaceError failed/),
    ]);
  });

  test('may take its time', async () => {
    const options = { replaceError: async () => new HttpError(410, 'declared', 'Gone') };
    for (const response of await answers({ addThing }, options)) expect(response.status).toBe(410);
  });
});

test.each<[whose: string, given: object, options: FetchOptions]>([
  ['after', {}, { after: ({ response }) => ({ ...response, headers: { vary: '*', ...own } }) }],
  ['fail', { addThing: ({ fail }: Failing) => Promise.reject(fail(409, { headers: own })) }, {}],
  [
    'an HttpError',
    {
      addThing: () => {
        throw new HttpError(409, 'declared', 'Taken', { headers: own });
      },
    },
    {},
  ],
  [
    'replaceError',
    { addThing: () => Promise.reject(new Error('no')) },
    { replaceError: () => ({ status: 409, headers: own, body: undefined }) },
  ],
])(
  'headers of %s have any spelling, and stand in place of ours',
  async (_whose, given, options) => {
    for (const { headers } of await answers(given, options)) {
      expect([...headers].filter(([name]) => Object.hasOwn(own, name))).toEqual(
        Object.entries(own),
      );
    }
  },
);

test('a body that something else has read is told of', async () => {
  const router = await openApiRouter(document, handlers, {}, { log });
  expect((await post(express().use(express.json()).use(router))).status).toBe(500);
  const used = request();
  await used.text();
  expect((await (await openApiFetch(document, handlers, {}, { log }))(used)).status).toBe(500);
  expect(told).toHaveLength(2);
  for (const line of told) expect(line).toMatch(/remove what reads it, such as express\.json\(\)/);
});

test('a log that fails costs the connection, and not the process', async () => {
  const broken = {
    error: () => {
      throw new Error('full');
    },
  };
  const { error } = console;
  const printed: unknown[] = [];
  console.error = (line) => void printed.push(line);
  const addThing = () => {
    throw new Error('x');
  };
  const router = await openApiRouter(document, { addThing }, {}, { log: broken });
  const service = openApiService(document, {
    handlers: new Map([['addThing', addThing]]),
    securityHandlers: {},
    tools: schemaContext(document),
    validateResponses: false,
    maxBodyBytes: 1000,
    maxUploadBytes: 1000,
    maxBodyNames: 10,
    bodies: bodyMemory(1000),
    log: broken,
  });
  const loaded = { exist: true, modules: [{ file: 'a.js', exported: { addThing } }] };
  const modules = joinModules({ ...loaded, failed: [], behind: [], migrations: [] }, '');
  const openData = () => Promise.reject(new Error('Nothing is kept'));
  const settings = { docs: false, log: broken, originOf: () => '', openData, keepsData: false };
  const prepared = await prepareService(document, modules, {
    ...{ originOf: () => '', validateResponses: false, listsInvalid: false, demoData: false },
    ...{ mockMissingHandlers: true, mockCredentials: true },
  });
  const handled = await makeHandlers(prepared, undefined, { log: broken, clock: Date.now });
  const listener = listenerOf([await serveService(handled, settings)], settings);
  for (const served of [router, express().use('/v1', nodeListener(service)), listener]) {
    await expect(post(served)).rejects.toThrow();
  }
  console.error = error;
  expect(printed).toEqual(Array(3).fill(new Error('full')));
});

test.each<[what: string, given: unknown, options: object, message: RegExp]>([
  ['a definition', { openapi: '3.1.0' }, {}, /must be a path, or what loadApiDocument/],
  ['no document', undefined, {}, /must be a path/],
  [
    'a limit that is a text',
    document,
    { maxBodyBytes: '1mb' },
    /maxBodyBytes must be a whole number, not 1mb/,
  ],
  [
    'a limit that is no number',
    document,
    { maxBodiesBytes: Number.NaN },
    /maxBodiesBytes .* not NaN/,
  ],
])('%s is refused at the start', async (_what, given, options, message) => {
  await expect(openApiRouter(given as typeof document, {}, {}, options)).rejects.toThrow(message);
});

test.each<[name: string, options: object, message: RegExp]>([
  ['a slip', { mok: true }, /^There is no option mok\. There are variables, .*\.$/],
  [
    'a longer slip',
    { maxBodyByte: 1 },
    /^There is no option maxBodyByte\. Did you mean maxBodyBytes\?$/,
  ],
  ['another case', { MOCKS: true }, /^There is no option MOCKS\. Did you mean mocks\?$/],
  ['an option of another place', { handlers: {} }, /^There is no option handlers\./],
])('%s among the options is refused in every host', async (_name, options, message) => {
  await expect(openApiRouter(document, handlers, {}, options)).rejects.toThrow(message);
  await expect(openApiFetch(document, handlers, {}, options)).rejects.toThrow(message);
  const asked = fastify().register(openApiPlugin, { document, handlers, log, ...options });
  if ('handlers' in options) await expect(asked).resolves.toBeDefined();
  else await expect(asked).rejects.toThrow(message);
});

test.each<[options: object, message: RegExp]>([
  [{ documnet: document, handlers }, /^There is no option documnet\. Did you mean document\?$/],
  [{ document, handlrs: handlers }, /^There is no option handlrs\. Did you mean handlers\?$/],
])('a slip in an option of Fastify is refused: %#', async (options, message) => {
  await expect(fastify().register(openApiPlugin, options as FastifyOptions)).rejects.toThrow(
    message,
  );
});

test('options of a host are its own', async () => {
  const basePath = await openApiFetch(document, handlers, {}, { log, basePath: '/v2' });
  const moved = new Request('http://things.test/v2/things', init);
  expect((await basePath(moved)).status).toBe(201);
  await expect(
    openApiRouter(document, handlers, {}, { basePath: '/v2' } as object),
  ).rejects.toThrow(/^There is no option basePath\./);
  await fastify().register(openApiPlugin, {
    document,
    handlers,
    log,
    prefix: '/v2',
    logLevel: 'warn',
  });
});

describe('of a request of the Fetch API', () => {
  const open = (options: FetchOptions = {}) =>
    openApiFetch(document, handlers, {}, { log, ...options });

  test('an endless body is ended once it is refused', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel() {
        isCancelled = true;
      },
    });
    const response = await (await open({ maxBodyBytes: 10_000 }))(
      request({ body, duplex: 'half' }),
    );
    expect([response.status, isCancelled]).toEqual([413, true]);
  });

  test.each([
    ['before', true],
    ['while it is read', false],
  ])('the sender leaves %s', async (_when, isBefore) => {
    const leaving = new AbortController();
    let isCancelled = false;
    const body = new ReadableStream({
      pull: () => {
        if (!isBefore) setImmediate(() => leaving.abort());
        return new Promise(() => undefined);
      },
      cancel() {
        isCancelled = true;
      },
    });
    const { signal } = leaving;
    if (isBefore) leaving.abort();
    const response = await (await open())(request({ body, duplex: 'half', signal }));
    expect([response.status, isCancelled]).toEqual([400, true]);
  });

  test('the sender leaves while the response is sent', async () => {
    const leaving = new AbortController();
    const get = new Request('http://things.test/v1/things', { signal: leaving.signal });
    const { body } = await (await open())(get);
    const before = returned;
    leaving.abort(new Error('left'));
    await expect(body?.getReader().read()).rejects.toThrow('left');
    expect(returned).toBe(before + 1);
  });

  test.each(['0', 'x', '1'])('a length of %s is not believed', async (length) => {
    const headers = { ...init.headers, 'content-length': length };
    expect((await (await open())(request({ headers }))).status).toBe(201);
  });
});

test('middleware that wraps writeHead need not know a list of headers', async () => {
  const router = await openApiRouter(document, handlers, {}, { log });
  const response = await post((incoming, outgoing) => {
    const writeHead = outgoing.writeHead.bind(outgoing);
    // As on-headers before 1.1 does.
    outgoing.writeHead = (status: number, headers?: unknown) => {
      for (const [name, value] of Object.values(headers ?? {})) outgoing.setHeader(name, value);
      return writeHead(status);
    };
    router(incoming, outgoing);
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    201,
    'application/json',
  ]);
});

test('HTTP/2 announces a body by no header', async () => {
  const router = await openApiRouter(document, handlers, {}, { log });
  const server = createHttp2Server((incoming, outgoing) =>
    Reflect.apply(router, undefined, [incoming, outgoing]),
  );
  const session = connect(`http://127.0.0.1:${await portOf(server)}`);
  const stream = session.request({ ':method': 'POST', ':path': '/v1/things', ...init.headers });
  stream.end(init.body);
  expect(await text(stream)).toBe(init.body);
  session.close();
});

test('a base path may be spelled in any way, and be any that a URL has', async () => {
  const moved = parseApiDocument(
    'things.yaml',
    document.text.replace('url: /v1', 'url: /caf%c3%a9~%7E'),
  );
  expect(moved.basePath).toBe('/caf%C3%A9~~');
  const app = fastify();
  await app.register(openApiPlugin, { document: moved, handlers, log });
  const url = '/c%61f%c3%a9%7e~/things';
  const { headers, body: payload } = init;
  expect((await app.inject({ url, method: 'POST', headers, payload })).statusCode).toBe(201);
  const answer = await openApiFetch(moved, handlers, {}, { log });
  expect((await answer(new Request(`http://things.test${url}`, init))).status).toBe(201);
  const elsewhere = new Request('http://things.test/caf%C3%A9/things', init);
  expect((await answer(elsewhere)).status).toBe(404);
});

test('a plugin of Fastify has the prefix that it is registered with, and sends the headers of hooks', async () => {
  const app = fastify();
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', 'ran'));
  await app.register(openApiPlugin, { document, handlers, log, prefix: '/api/v2' });
  const response = await app.inject({
    url: '/api/v2/things',
    method: 'POST',
    headers: init.headers,
    payload: init.body,
  });
  expect([response.statusCode, response.body, response.headers['x-hook']]).toEqual([
    201,
    init.body,
    'ran',
  ]);
  expect((await app.inject({ url: '/v1/things' })).statusCode).toBe(404);
});
