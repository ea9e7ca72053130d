/** Serving of documents: their faults, ids and versions; chapter "Schema and document", D04, D10 and D13. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/document';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, recording } from './ask';
import { pathParameter, paths, responses, servePaths } from './serve-paths';

test.each([
  ['fits', 5, [200, 5n]],
  ['does not fit is reported and left out', 'five', [200, undefined]],
])('D04 a default that %s', async (_title, value, want) => {
  const { handler, calls } = recording();
  const limit = {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', format: 'int64', default: value },
  };
  const { url, document } = await serveDocument({
    document: { paths: { '/a': { get: { operationId: 'a', parameters: [limit], responses } } } },
    handlers: { a: handler },
  });
  const response = await ask(url, '/a');
  const query: { limit?: unknown } | undefined = calls[0]?.query;
  expect([response.status, query?.limit]).toEqual(want);
  expect(document.diagnostics).toHaveLength(want[1] === undefined ? 1 : 0);
});

describe('D10 a reference that leads nowhere', () => {
  const gone = { $ref: '#/components/schemas/Gone' };
  const content = { 'application/json': { schema: gone } };
  const lost = (faulty: object): object => ({ get: { operationId: 'lost', responses, ...faulty } });
  const cause =
    'The reference #/components/schemas/Gone cannot be resolved: the document has nothing there';

  test.each<[title: string, operation: object]>([
    ['in a parameter', { parameters: [{ name: 'p', in: 'query', schema: gone }] }],
    ['in a response', { responses: { 200: { description: 'A', content } } }],
    [
      'in a response header',
      { responses: { 200: { description: 'A', headers: { 'X-A': { schema: gone } } } } },
    ],
    ['in a request body', { requestBody: { content } }],
    [
      'deep inside a component',
      {
        responses: {
          200: {
            description: 'A',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Holder' } } },
          },
        },
      },
    ],
  ])('D10 %s loses the operation and no other', async (_title, faulty) => {
    const { url, reached } = await servePaths(
      {
        paths: { '/lost': lost(faulty), ...paths({ '/kept': { get: 'kept' } }) },
        components: { schemas: { Holder: { items: { properties: { a: gone } } } } },
      },
      'lost',
      'kept',
    );
    const answer = await ask(url, '/lost');
    expect(errorOf(answer)).toEqual({ code: 501, type: 'not-implemented', message: cause });
    expect((await ask(url, '/kept')).status).toBe(200);
    expect(reached).toEqual([['kept', {}]]);
  });

  test('D10 a response by a dangling reference', async () => {
    const { url } = await servePaths(
      { paths: { '/lost': lost({ responses: { 200: { $ref: '#/x' } } }) } },
      'lost',
    );
    expect(errorOf(await ask(url, '/lost'))).toMatchObject({ code: 501 });
  });

  test('D10 an operation without handler', async () => {
    const { url } = await servePaths({ paths: paths({ '/a': { get: 'a' } }) });
    expect(errorOf(await ask(url, '/a'))).toEqual({
      code: 501,
      type: 'not-implemented',
      message: 'a is not implemented',
    });
  });
});

describe('schemas at fault', () => {
  const get = (schema: object): object => ({
    paths: {
      '/a': {
        get: { operationId: 'a', parameters: [{ name: 'p', in: 'query', schema }], responses },
      },
    },
  });

  test.each([
    ['D02 a list as type', { type: ['string', 'null'] }],
    ['D02 a number as exclusiveMinimum', { exclusiveMinimum: 5 }],
    ['D02 a pattern that is none', { items: { pattern: '(' } }],
  ])('%s loses the operation', async (_title, schema) => {
    const { url, reached } = await servePaths(get(schema), 'a');
    expect(errorOf(await ask(url, '/a'))).toMatchObject({ code: 501, type: 'not-implemented' });
    expect(reached).toEqual([]);
  });

  test('D10 an example that looks like a reference is data', async () => {
    const { url } = await servePaths(get({ type: 'object', example: { $ref: '#/gone' } }), 'a');
    expect((await ask(url, '/a')).status).toBe(200);
  });
});

describe('D13 ids, extensions and versions', () => {
  test('D13 operationIds are case-sensitive', async () => {
    const { url, reached } = await servePaths(
      { paths: paths({ '/a': { get: 'one' }, '/b': { get: 'One' } }) },
      'one',
      'One',
    );
    await ask(url, '/a');
    await ask(url, '/b');
    expect(reached).toEqual([
      ['one', {}],
      ['One', {}],
    ]);
  });

  test.each([
    'notFound',
    'notImplemented',
    'methodNotAllowed',
    'validationFail',
    'unauthorizedHandler',
    'preRoutingHandler',
    'postResponseHandler',
    '404',
    '404-notFound',
    'constructor',
    '__proto__',
    'toString',
  ])('D13 the operationId %s is one like any other', async (operationId) => {
    const { url, reached } = await servePaths(
      { paths: paths({ '/a': { get: operationId }, '/b': { get: 'b' } }) },
      operationId,
    );
    const statuses = [];
    for (const path of ['/a', '/b', '/c']) statuses.push((await ask(url, path)).status);
    expect(statuses).toEqual([200, 501, 404]);
    expect(reached).toEqual([[operationId, {}]]);
  });

  test('D13 a repeated operationId serves its first operation alone', async () => {
    const { url, reached } = await servePaths(
      { paths: paths({ '/a': { get: 'one' }, '/b/{x}': { get: 'one' } }) },
      'one',
    );
    expect((await ask(url, '/a')).status).toBe(200);
    expect((await ask(url, '/b/1')).status).toBe(501);
    expect(reached).toEqual([['one', {}]]);
  });

  test('D13 an operation without operationId', async () => {
    const { url } = await servePaths({ paths: { '/a': { get: { responses } } } });
    expect((await ask(url, '/a')).status).toBe(501);
  });

  test('D13 extensions stand anywhere', async () => {
    const x = { 'x-any': [{ $ref: 1 }] };
    const parameters = [{ ...pathParameter('id'), ...x }];
    const get = {
      operationId: 'a',
      parameters,
      responses: { 200: { description: 'A', ...x }, ...x },
      ...x,
    };
    const { url, document } = await servePaths(
      { ...x, paths: { '/a/{id}': { get, ...x }, ...x }, components: { ...x } },
      'a',
    );
    expect((await ask(url, '/a/1')).status).toBe(200);
    expect(document.diagnostics).toEqual([]);
  });

  test.each(['3.0.0', '3.0.3', '3.0.99'])('D13 version %s is served', async (openapi) => {
    const { url } = await servePaths({ openapi, paths: paths({ '/a': { get: 'a' } }) }, 'a');
    expect((await ask(url, '/a')).status).toBe(200);
  });

  test.each(['openapi: 3.1.0', 'openapi: 2.0.0', "swagger: '2.0'", '[]', 'text', ''])(
    'D13 refused: %s',
    (text) => {
      expect(() => parseApiDocument('specs/test.yaml', text)).toThrow(
        /^specs\/test\.yaml:1:\d+ error: .* openapi: 3\.0\.3\b|^specs\/test\.yaml:1:10 error: This is a Swagger 2\.0 document/,
      );
    },
  );
});
