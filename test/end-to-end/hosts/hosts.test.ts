/** Every host that the engine has an adapter for gives the same responses to the same requests. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
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
  readonly body?: string;
  /** The pattern of a body. */
  readonly matches?: string;
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

const written: Readonly<Record<string, Omit<Case, 'name'>>> = parse(
  readFileSync(join(__dirname, 'hosts.cases.yaml'), 'utf8'),
);

const cases: readonly Case[] = [
  ...Object.entries(written).map(([name, one]) => ({ name, ...one })),
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
    name: 'QUERY without media type',
    path: '/v1/things',
    init: { method: 'QUERY', body: new Uint8Array([123, 125]) },
    status: 400,
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
];

const service = () => ({
  document: parseApiDocument('things.yaml', text),
  handlers,
  securityHandlers,
  options,
});

describe.each(hostNames)('%s', (host) => {
  const { ask } = startHost(host, service);

  test.each(cases)('$name', async (one) => {
    const { path, init = {}, status, headers = {}, body, matches = '' } = one;
    // A stream can be sent once.
    const sent =
      init.body instanceof ReadableStream ? new Blob(['{"id":', '8}']).stream() : init.body;
    const response = await ask(path, { ...init, ...(sent !== undefined && { body: sent }) });
    const read = await response.text();
    expect(response.status).toBe(status);
    if (body !== undefined) expect(read).toBe(body);
    expect(read).toMatch(new RegExp(matches));
    for (const [name, value] of Object.entries(headers)) {
      expect(response.headers.get(name)).toMatch(new RegExp(value === '.' ? value : `^${value}$`));
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
