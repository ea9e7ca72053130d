/** Formats without a codec, odd base paths and other HTTP schemes: what real documents ask for beside the usual. */

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, callerOf, witness } from './ask';

const list = { type: 'array', items: { type: 'object' } };

describe('B08 a format that no codec speaks', () => {
  const given = witness({ status: 200, body: 'a;b\n1;2\n' });
  const serve = (key: string, schema: object) =>
    serveDocument({
      document: {
        paths: {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: { content: { [key]: { schema } } },
              responses: { 200: { description: 'As it came', content: { [key]: { schema } } } },
            },
          },
        },
      },
      handlers: { a: given.handler },
    });

  test.each<[key: string, schema: object, want: string | Buffer]>([
    ['text/csv', list, Buffer.from('a;b')],
    ['application/pdf', { type: 'object', required: ['pages'] }, Buffer.from('a;b')],
    ['text/plain', { type: 'object' }, Buffer.from('a;b')],
    ['text/csv', { type: 'string' }, 'a;b'],
    ['application/jwt', { type: 'string', maxLength: 8 }, 'a;b'],
    ['application/octet-stream', {}, Buffer.from('a;b')],
  ])('B08 %s %j comes and goes as it is', async (key, schema, want) => {
    const { url } = await serve(key, schema);
    given.calls.length = 0;
    const response = await ask(url, '/a', {
      method: 'POST',
      headers: { 'content-type': key },
      body: 'a;b',
    });
    expect([response.status, response.body]).toEqual([200, 'a;b\n1;2\n']);
    expect(given.calls.map(({ body }) => body)).toEqual([want]);
  });

  test('B08 text is still held to its schema', async () => {
    const { url } = await serve('application/jwt', { type: 'string', maxLength: 2 });
    const headers = { 'content-type': 'application/jwt' };
    expect((await ask(url, '/a', { method: 'POST', headers, body: 'a;b' })).status).toBe(400);
  });
});

test.each(['/v:1', '/a(b)*', '/{x}+', '/a!b', '/a?b'])(
  'D12 a base path is no pattern: %s',
  async (path) => {
    const { handler, calls } = witness({ status: 200 });
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
  const { handler } = witness({ status: 200 });
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
