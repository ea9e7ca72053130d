/** Formats without a codec, odd base paths and other HTTP schemes: what real documents ask for beside the usual. */

import { describe, expect, test } from '@jest/globals';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { ask, callerOf, errorOf, recording } from './ask';

const object = { type: 'object', properties: { pages: { type: 'array', items: {} } } };
const list = { type: 'array', items: object };
const bytes = { type: 'string', format: 'binary' };
const json = 'application/json';

const contentOf = (entries: Readonly<Record<string, object>>) => ({
  content: Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, { schema }])),
});

describe('B08 a format that no codec speaks', () => {
  const text = 'a;b\n1;2\n';
  const given = recording({ status: 200, body: text });
  const givenBytes = recording({ status: 200, body: Buffer.from(text) });
  const serve = (taken: Readonly<Record<string, object>>, sent = taken, more = {}) =>
    serveDocument({
      document: {
        paths: {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: contentOf(taken),
              responses: { 200: { description: 'As it came', ...contentOf(sent) }, ...more },
            },
          },
        },
      },
      handlers: { a: Object.values(sent)[0] === bytes ? givenBytes.handler : given.handler },
    });
  const post = (url: string, type: string, headers = {}): Promise<Answered> =>
    ask(url, '/a', { method: 'POST', headers: { 'content-type': type, ...headers }, body: 'a;b' });

  test.each<[key: string, schema: object, want: string | Buffer]>([
    ['text/csv', { type: 'string' }, 'a;b'],
    ['text/csv', bytes, Buffer.from('a;b')],
    ['application/pdf', bytes, Buffer.from('a;b')],
    ['application/jwt', { type: 'string', maxLength: 8 }, 'a;b'],
    ['application/yaml', { type: 'string' }, 'a;b'],
    ['application/jsonl', { type: 'string' }, 'a;b'],
    ['image/svg+xml', { type: 'string' }, 'a;b'],
    ['image/svg+xml', bytes, Buffer.from('a;b')],
    ['application/octet-stream', {}, Buffer.from('a;b')],
  ])('B08 %s %j comes and goes as it is', async (key, schema, want) => {
    const { url } = await serve({ [key]: schema });
    const { calls } = schema === bytes ? givenBytes : given;
    calls.length = 0;
    const response = await post(url, key);
    expect([response.status, response.text]).toEqual([200, text]);
    expect(calls.map(({ body }) => body)).toEqual([want]);
  });

  test('B08 text is still held to its schema', async () => {
    const { url } = await serve({ 'application/jwt': { type: 'string', maxLength: 2 } });
    expect((await post(url, 'application/jwt')).status).toBe(400);
  });

  const unusable: readonly (readonly [key: string, schema: object])[] = [
    ['text/csv', list],
    ['text/csv', object],
    [
      'text/csv; header=absent',
      { type: 'array', items: { properties: { a: { type: 'integer' } } } },
    ],
    ['application/jsonl', object],
    ['application/msgpack', object],
    ['application/pdf', { oneOf: [object, list] }],
    ['text/plain', object],
    ['text/html', { type: 'integer' }],
  ];

  test.each(unusable)(
    'B04 %s %j cannot be read: as if it were not declared',
    async (key, schema) => {
      const { url } = await serve(
        { [key]: schema, [json]: list },
        { 'text/plain': { type: 'string' } },
      );
      const response = await post(url, key);
      expect([response.status, errorOf(response).message]).toEqual([
        415,
        'The body must be one of application/json',
      ]);
      expect(response.headers['accept']).toBe(json);
    },
  );

  test('B04 nor can it where it is declared alone', async () => {
    const { url } = await serve({ 'text/csv': list }, { 'text/plain': { type: 'string' } });
    expect(errorOf(await post(url, 'text/csv'))).toMatchObject({
      code: 415,
      message: 'No body that this operation declares can be read here',
    });
  });

  test('B04 nor behind a range', async () => {
    const { url } = await serve({ '*/*': object }, { 'text/plain': { type: 'string' } });
    expect((await post(url, 'application/msgpack')).status).toBe(415);
    expect((await post(url, json)).status).toBe(400);
  });

  test.each(unusable)('R05 %s %j cannot be written, and is not offered', async (key, schema) => {
    const { url } = await serve({ [json]: {} }, { [key]: schema, 'text/css': { type: 'string' } });
    const answers = (accept: string) =>
      ask(url, '/a', { method: 'POST', headers: { accept } }).then(
        ({ status, headers, text: body }) => [status, headers['content-type'], body],
      );
    expect(await answers('*/*')).toEqual([200, 'text/css; charset=utf-8', text]);
    expect(await answers(key)).toEqual([406, json, expect.stringContaining('one of text/css"')]);
  });

  test.each(unusable)('R05 %s %j as the only answer is 501', async (key, schema) => {
    const { url, errors } = await serve({ [json]: {} }, { [key]: schema });
    expect(errorOf(await ask(url, '/a', { method: 'POST' }))).toEqual({
      code: 501,
      type: 'not-implemented',
      message: `${key} cannot be written for this schema`,
    });
    expect(errors).toHaveLength(1);
  });

  test('R05 a status whose body cannot be written is answered without one', async () => {
    const msgpack = { description: 'Odd', ...contentOf({ 'application/msgpack': object }) };
    const { url } = await serveDocument({
      document: {
        paths: {
          '/a': {
            get: {
              operationId: 'a',
              responses: { 200: { description: 'Fine' }, 201: msgpack },
            },
          },
        },
      },
      handlers: { a: recording({ status: 201, body: { pages: [] } }).handler },
    });
    const { status, headers, text: body } = await ask(url, '/a');
    expect([status, headers['content-type'], body]).toEqual([201, undefined, '']);
  });
});

test.each(['/v:1', '/a(b)*', '/{x}+', '/a!b', '/a?b'])(
  'D12 a base path is no pattern: %s',
  async (path) => {
    const { handler, calls } = recording({ status: 200 });
    const responses = { 200: { description: 'Reached' } };
    const { url, document } = await serveDocument({
      document: {
        servers: [{ url: `http://localhost${path}`, variables: { x: { default: 'x' } } }],
        paths: { '/a': { get: { operationId: 'a', responses } } },
      },
      handlers: { a: handler },
    });
    expect(new URL(url).pathname).toBe(document.basePath);
    expect((await ask(url, '/a')).status).toBe(200);
    expect(calls).toHaveLength(1);
  },
);

test.each([
  ['Token good', 200],
  ['token good', 200],
  ['Token bad', 401],
  ['Bearer good', 401],
  [undefined, 401],
])('S09 another HTTP scheme: %s', async (authorization, status) => {
  const { handler } = recording({ status: 200 });
  const { url } = await serveDocument({
    document: {
      security: [{ own: [] }],
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'In' } } } } },
      components: { securitySchemes: { own: { type: 'http', scheme: 'Token' } } },
    },
    handlers: { a: handler },
    securityHandlers: {
      http: { token: async (text) => (text === 'good' ? callerOf('x') : undefined) },
    },
  });
  const response = await ask(url, '/a', { headers: authorization ? { authorization } : {} });
  expect(response.status).toBe(status);
  expect(response.headers['www-authenticate']).toBe(
    status === 401 ? 'token realm="test"' : undefined,
  );
});
