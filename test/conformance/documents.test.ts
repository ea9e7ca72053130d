/** Serving of documents: ids and versions, and what a fault stops; chapter "Schema and document", D04, D10 and D13. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/api-document';
import { serveDocument } from '../support/serve-document';
import { patternOf, valuesOf } from '../support/text-cases';
import { ask, errorOf, recording } from './ask';
import { pathParameter, paths, responses, servePaths } from './serve-paths';

const cases = join(__dirname, 'documents.cases.txt');

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

  test.each(['3.0.0', '3.0.3', '3.0.99', '3.1.0', '3.1.2', '3.2.0'])(
    'D13 version %s is served',
    async (openapi) => {
      const { url } = await servePaths({ openapi, paths: paths({ '/a': { get: 'a' } }) }, 'a');
      expect((await ask(url, '/a')).status).toBe(200);
    },
  );

  test.each(['openapi: 3.3.0', 'openapi: 2.0.0', "swagger: '2.0'", '[]', 'text', ''])(
    'D13 refused: %s',
    (text) => {
      expect(() => parseApiDocument('specs/test.yaml', text)).toThrow(
        /^specs\/test\.yaml:1:\d+ error: .* openapi: 3\.[012]\.[0-9]\b|^specs\/test\.yaml:1:10 error: This is a Swagger 2\.0 document/,
      );
    },
  );
});

/** Asks the operation at fault and the one beside it. */
const serve = async (lost: object, rest: object = {}) => {
  const { handler, calls } = recording();
  const { url, document } = await serveDocument({
    document: {
      paths: {
        '/lost': { post: { operationId: 'lost', responses, ...lost } },
        '/kept': { get: { operationId: 'kept', responses } },
      },
      ...rest,
    },
    handlers: { lost: handler, kept: handler },
  });
  const answer = await ask(url, '/lost', { method: 'POST' });
  const kept = await ask(url, '/kept');
  return { answer, kept: kept.status, calls: calls.length, document };
};

describe('D10 an error stops what it touches', () => {
  test.each(
    valuesOf<[title: string, lost: object, rest: object, cause: string]>(
      cases,
      'what an error stops',
    ),
  )('D10 %s', async (_title, lost, rest, cause) => {
    const { answer, kept, calls } = await serve(lost, rest);
    expect(errorOf(answer)).toEqual({
      code: 501,
      type: 'not-implemented',
      message: expect.stringMatching(`^${patternOf(cause)}$`),
    });
    expect([kept, calls]).toEqual([200, 1]);
  });

  test('S06 security of the whole document that is no list stops what relies on it', async () => {
    const { answer, kept } = await serve({ security: [] }, { security: { key: [] } });
    expect([answer.status, kept]).toEqual([200, 501]);
  });

  test.each(valuesOf<[title: string, lost: object, rest: object]>(cases, 'what stops nothing'))(
    'D10 %s stop nothing',
    async (_title, lost, rest) => {
      const { answer, kept, document } = await serve(lost, rest);
      expect([answer.status, kept]).toEqual([200, 200]);
      expect(document.diagnostics.length).toBeGreaterThan(
        document.diagnostics.filter(({ rule }) => rule === 'unserved-operation').length,
      );
    },
  );
});

test('D10 an example that looks like a reference is data', async () => {
  const schema = { type: 'object', example: { $ref: '#/gone' } };
  const { answer } = await serve({ parameters: [{ name: 'p', in: 'query', schema }] });
  expect(answer.status).toBe(200);
});

test('D10 an operation without handler', async () => {
  const { url } = await servePaths({ paths: paths({ '/a': { get: 'a' } }) });
  expect(errorOf(await ask(url, '/a'))).toEqual({
    code: 501,
    type: 'not-implemented',
    message: 'a is not implemented',
  });
});

test('D13 a document without a title is served under its name', async () => {
  const { document } = await serve({}, { info: {} });
  expect(document.definition.info).toEqual({ title: 'test', version: '' });
});

test('D10 a document with nothing to serve says so', async () => {
  const { document } = await serveDocument({ document: { paths: {} } });
  expect(document.diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: The document has no operation, and every request is answered 404. Add one under `paths`.',
  ]);
});
