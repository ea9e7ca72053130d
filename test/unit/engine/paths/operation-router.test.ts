/** Which handlers and operations find each other, and how fast that is. */

import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { parseApiDocument } from '../../../../src/engine/document/document';
import { operationRouter } from '../../../../src/engine/paths/operation-router';

const responses = { '200': { description: 'A' } };

const documentOf = (paths: object) =>
  parseApiDocument(
    'a.yaml',
    stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths }),
  );

const document = documentOf({
  '/a': { get: { operationId: 'one', responses }, post: { operationId: 'two', responses } },
  '/b/{x}': { get: { operationId: 'one', responses } },
  '/c': { get: { operationId: 'notFound', responses } },
  '/d': { get: { responses } },
});

const idsAt = (operations: Iterable<{ readonly operationId: string; readonly path: string }>) =>
  [...operations].map(({ operationId, path }) => [operationId, path]);

test('each handler goes to the first operation of its id', () => {
  const handlers = new Map([
    ['one', 1],
    ['notFound', 2],
    ['get /d', 3],
    ['constructor', 4],
    ['validationFail', 5],
  ]);
  const router = operationRouter(document, handlers);
  expect([...router.handlers].map(([{ path }, handler]) => [path, handler])).toEqual([
    ['/a', 1],
    ['/c', 2],
    ['/d', 3],
  ]);
  expect(idsAt(router.operationsWithoutHandler)).toEqual([
    ['two', '/a'],
    ['one', '/b/{x}'],
  ]);
  expect(router.handlersWithoutOperation).toEqual(['constructor', 'validationFail']);
});

test('the document stays as it is', () => {
  const before = structuredClone(document.definition);
  operationRouter(document, new Map([['one', 1]]));
  expect(document.definition).toEqual(before);
});

test('a document of 1,000 operations is set up at once', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `/p${index}`,
      { get: { operationId: `o${index}`, responses } },
    ]),
  );
  const large = documentOf(paths);
  const handlers = new Map(large.operations.map(({ operationId }) => [operationId, operationId]));
  const begin = performance.now();
  const router = operationRouter(large, handlers);
  // openapi-backend's own `init` takes 10 s.
  expect(performance.now() - begin).toBeLessThan(1000);
  expect(router.handlers.size).toBe(1000);
});
