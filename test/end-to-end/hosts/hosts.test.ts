/** Every host that the engine has an adapter for gives the same responses to the same requests. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/engine';
import { hostNames, startHost } from './start-host';

const text = readFileSync(join(__dirname, 'hosts.yaml'), 'utf8');

interface Thing {
  readonly id: bigint;
  readonly name?: string;
}

async function* pagesOf(pages: number, fails: boolean): AsyncGenerator<Thing[]> {
  for (let page = 0; page < pages; page += 1) {
    yield Array.from({ length: 1000 }, (_, index) => ({ id: BigInt(page * 1000 + index) }));
  }
  if (fails) throw new Error('The source broke');
}

let returned = 0;

const handlers = {
  listThings: ({ query }: { query: { pages: number; fails: boolean } }) => ({
    status: 200,
    body: {
      [Symbol.asyncIterator]() {
        const pages = pagesOf(query.pages, query.fails);
        const end = async () => {
          returned += 1;
          return pages.return(undefined);
        };
        return { next: () => pages.next(), return: end };
      },
    },
  }),
  findThings: ({ body }: { body: { ids: bigint[] } }) => ({
    status: 200,
    body: body.ids.map((id) => ({ id })),
  }),
  copyThings: () => ({ status: 204 }),
  addThing: ({ body }: { body: Thing }) => ({
    status: 201,
    headers: {
      Location: `/v1/things/${body.id}`,
      Link: ['a', 'b'],
      'X-More': ['1', '2'],
      'set-cookie': ['a=1', 'b=2'],
      'content-type': 'application/vnd.thing+json',
      'cache-control': 'max-age=60',
      vary: 'Origin',
    },
    body,
  }),
  getThing: ({ path, header, cookie, fail }: Requested) => {
    if (path.id === 404n) throw fail(404);
    if (path.id === 405n) throw fail(404, { body: {}, headers: { 'cache-control': 'max-age=1' } });
    if (path.id === 500n) throw new Error('secret');
    return { status: 200, body: { id: path.id, name: header['X-Trace'] ?? String(cookie.seen) } };
  },
  resetForm: () => ({ status: 205, body: { a: 1 } }),
  getSnow: ({ path }: Requested) => ({ status: 200, body: `snow ${path.id}` }),
  deleteThing: () => ({ status: 204 }),
  putFile: ({ body }: { body: Uint8Array }) => ({ status: 200, body: String(body.length) }),
};

interface Requested {
  readonly path: { readonly id: bigint };
  readonly header: { readonly 'X-Trace'?: string };
  readonly cookie: { readonly seen?: boolean };
  fail(status: number, content?: object): Error;
}

const owner = { username: undefined, subject: 'me', scopes: [], credentialId: 'k' };
const securityHandlers = { apiKey: async (key: string) => (key === 'k' ? owner : undefined) };
const errors: string[] = [];
const options = {
  maxUploadBytes: 100_000,
  log: { error: (_fields: object, message: string) => void errors.push(message) },
};

interface Case {
  readonly name: string;
  readonly path: string;
  readonly init?: RequestInit & { readonly duplex?: 'half' };
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | RegExp;
}

const json = (body: string, more: object = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-key': 'k', ...more },
  body,
});
const form = new FormData();
form.append('id', '9007199254740993');
form.append('name', 'é');
const big = '9007199254740993';

const cases: readonly Case[] = [
  {
    name: 'JSON, exact',
    path: `/v1/things/${big}`,
    status: 200,
    body: `{"id":${big},"name":"undefined"}`,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  },
  {
    name: 'XML',
    path: `/v1/things/${big}`,
    init: { headers: { accept: 'application/xml', 'x-trace': 'a&b' } },
    status: 200,
    body: /<thing id="9007199254740993"><name>a&amp;b<\/name><\/thing>/,
  },
  {
    name: 'a cookie',
    path: '/v1/things/1',
    init: { headers: { cookie: 'seen=true' } },
    status: 200,
    body: '{"id":1,"name":"true"}',
  },
  {
    name: 'HEAD',
    path: '/v1/things/1',
    init: { method: 'HEAD' },
    status: 200,
    body: '',
    headers: { 'content-type': 'application/json' },
  },
  {
    name: 'OPTIONS',
    path: '/v1/things',
    init: { method: 'OPTIONS' },
    status: 204,
    body: '',
    headers: {
      allow: 'COPY, GET, HEAD, OPTIONS, POST, QUERY',
      'accept-query': '"application/json"',
    },
  },
  {
    name: 'a list in one page',
    path: '/v1/things',
    status: 200,
    body: /^\[\{"id":0\},.*\{"id":999\}\]$/,
  },
  {
    name: 'a list that is sent while it is made',
    path: '/v1/things?pages=20',
    status: 200,
    body: /^\[\{"id":0\},.*\{"id":19999\}\]$/,
  },
  {
    name: 'HEAD of such a list',
    path: '/v1/things?pages=20',
    init: { method: 'HEAD' },
    status: 200,
    body: '',
  },
  {
    name: 'a list whose source fails at once',
    path: '/v1/things?pages=0&fails=true',
    status: 500,
    body: /"code":500/,
  },
  {
    name: 'a JSON body',
    path: '/v1/things',
    init: json(`{"id":${big}}`),
    status: 201,
    body: `{"id":${big}}`,
    headers: {
      location: `/v1/things/${big}`,
      link: 'a, ?b',
      'x-more': '1, ?2',
      'set-cookie': 'a=1, b=2',
      'content-type': 'application/vnd.thing\\+json',
      'cache-control': 'max-age=60',
      vary: 'Accept, Origin',
    },
  },
  {
    name: 'an XML body',
    path: '/v1/things',
    init: {
      ...json(`<thing id="${big}"/>`),
      headers: { 'content-type': 'application/xml', 'x-key': 'k' },
    },
    status: 201,
    body: `{"id":${big}}`,
  },
  {
    name: 'a form',
    path: '/v1/things',
    init: {
      method: 'POST',
      headers: { 'x-key': 'k' },
      body: new URLSearchParams({ id: big, name: 'é' }),
    },
    status: 201,
    body: `{"id":${big},"name":"é"}`,
  },
  {
    name: 'multipart',
    path: '/v1/things',
    init: { method: 'POST', headers: { 'x-key': 'k' }, body: form },
    status: 201,
    body: `{"id":${big},"name":"é"}`,
  },
  {
    name: 'a compressed body',
    path: '/v1/things',
    init: {
      ...json(''),
      body: gzipSync('{"id":7}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-key': 'k' },
    },
    status: 201,
    body: '{"id":7}',
  },
  {
    name: 'a body of unknown length',
    path: '/v1/things',
    init: { ...json(''), body: new Blob(['{"id":', '8}']).stream(), duplex: 'half' },
    status: 201,
    body: '{"id":8}',
  },
  {
    name: 'bytes',
    path: '/v1/files',
    init: {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(70_000),
    },
    status: 200,
    body: '70000',
  },
  {
    name: 'QUERY',
    path: '/v1/things',
    init: { ...json(`{"ids":[${big}]}`), method: 'QUERY' },
    status: 200,
    body: `[{"id":${big}}]`,
  },
  {
    name: 'QUERY of a media type that is not declared',
    path: '/v1/things',
    init: { method: 'QUERY', headers: { 'content-type': 'text/csv' }, body: 'a' },
    status: 415,
    headers: { 'accept-query': '"application/json"' },
  },
  {
    name: 'QUERY without media type',
    path: '/v1/things',
    init: { method: 'QUERY', body: new Uint8Array([123, 125]) },
    status: 400,
  },
  { name: 'literal text beside a name', path: '/v1/snow-☃-5', status: 200, body: 'snow 5' },
  { name: 'another spelling', path: '/v1/%73now%2D%e2%98%83-5', status: 200, body: 'snow 5' },
  { name: 'COPY', path: '/v1/things', init: { method: 'COPY' }, status: 204, body: '' },
  { name: 'no content', path: '/v1/things/1', init: { method: 'DELETE' }, status: 204, body: '' },
  {
    name: 'no credentials',
    path: '/v1/things',
    init: { method: 'POST' },
    status: 401,
    headers: { 'www-authenticate': /./.source },
  },
  { name: 'reset content', path: '/v1/form', init: { method: 'DELETE' }, status: 205, body: '' },
  { name: 'a wrong parameter', path: '/v1/things/x', status: 400, body: /"path":"id"/ },
  {
    name: 'a wrong body',
    path: '/v1/things',
    init: json('{"id":1,"name":"much too long"}'),
    status: 400,
    body: /"path":"\/name"/,
  },
  { name: 'broken JSON', path: '/v1/things', init: json('{'), status: 400 },
  {
    name: 'a missing body',
    path: '/v1/things',
    init: { method: 'POST', headers: { 'x-key': 'k' } },
    status: 400,
  },
  {
    name: 'a media type that is not declared',
    path: '/v1/things',
    init: { ...json('a'), headers: { 'content-type': 'text/csv', 'x-key': 'k' } },
    status: 415,
  },
  {
    name: 'a body that is too large',
    path: '/v1/files',
    init: {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(100_001),
    },
    status: 413,
  },
  { name: 'a path without operation', path: '/v1/nothing', status: 404, body: /route-not-found/ },
  {
    name: 'OPTIONS of such a path',
    path: '/v1/nothing',
    init: { method: 'OPTIONS' },
    status: 404,
    body: /route-not-found/,
  },
  {
    name: 'a method that the path has not',
    path: '/v1/files',
    init: { method: 'POST' },
    status: 405,
    headers: { allow: 'OPTIONS, PUT' },
  },
  {
    name: 'nothing that Accept allows',
    path: '/v1/things/1',
    init: { headers: { accept: 'image/png' } },
    status: 406,
  },
  { name: 'a declared failure', path: '/v1/things/404', status: 404, body: /No such thing/ },
  {
    name: 'a declared failure with headers',
    path: '/v1/things/405',
    status: 404,
    headers: { 'cache-control': 'max-age=1' },
  },
  { name: 'a handler that throws', path: '/v1/things/500', status: 500, body: /^(?!.*secret)/ },
  { name: 'an operation without handler', path: '/v1/later', status: 501 },
  { name: 'the document', path: '/v1/openapi.json', status: 200, body: /"openapi":"3\.2\.0"/ },
];

const service = () => ({
  document: parseApiDocument('things.yaml', text),
  handlers,
  securityHandlers,
  options,
});

describe.each(hostNames)('%s', (host) => {
  const { ask } = startHost(host, service);

  test.each(cases)('$name', async ({ path, init = {}, status, headers = {}, body = /^/ }) => {
    // A stream can be sent once.
    const sent =
      init.body instanceof ReadableStream ? new Blob(['{"id":', '8}']).stream() : init.body;
    const response = await ask(path, { ...init, ...(sent !== undefined && { body: sent }) });
    const read = await response.text();
    expect(response.status).toBe(status);
    if (typeof body === 'string') expect(read).toBe(body);
    else expect(read).toMatch(body);
    for (const [name, value] of Object.entries(headers)) {
      expect(response.headers.get(name)).toMatch(
        new RegExp(value === /./.source ? value : `^${value}$`),
      );
    }
  });

  test('each cookie has a line of its own', async () => {
    const { headers } = await ask('/v1/things', json('{"id":1}'));
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('a list whose source fails later is cut off, and is not taken for whole', async () => {
    errors.length = 0;
    const response = await ask('/v1/things?pages=20&fails=true', {});
    await expect(response.text()).rejects.toThrow();
    expect(errors).toEqual(['A response was cut off']);
  });

  test('a caller that leaves ends the source of a list', async () => {
    const before = returned;
    const response = await ask('/v1/things?pages=100000', {});
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    while (returned === before) await new Promise((resolve) => setImmediate(resolve));
    expect(returned).toBe(before + 1);
  });
});
