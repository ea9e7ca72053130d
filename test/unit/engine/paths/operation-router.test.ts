/** Handlers and the operations that they serve, and the time that setting them up takes. */

import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { type Match, operationRouter } from '../../../../src/engine/paths/operation-router';

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

const handlersOf = (...ids: string[]) => new Map(ids.map((id) => [id, () => id] as const));

const reached = (match: Match<() => string> | undefined) =>
  match && 'operation' in match ? [match.operation.path, match.handler?.()] : match;

test('each handler goes to the first operation of its id', () => {
  const handlers = handlersOf('one', 'notFound', 'get /d', 'constructor', 'validationFail');
  const router = operationRouter(document.operations, handlers);
  expect(
    ['/a', '/b/1', '/c', '/d'].map((path) => reached(router.matchOperation('GET', path))),
  ).toEqual([
    ['/a', 'one'],
    ['/b/{x}', undefined],
    ['/c', 'notFound'],
    ['/d', 'get /d'],
  ]);
  expect(idsAt(router.operationsWithoutHandler)).toEqual([
    ['two', '/a'],
    ['one', '/b/{x}'],
  ]);
  expect(router.handlersWithoutOperation).toEqual(['constructor', 'validationFail']);
});

test('names that every object has are no handlers', () => {
  const named = documentOf({
    '/a': { get: { operationId: 'constructor', responses } },
    '/b': { get: { operationId: '__proto__', responses } },
  });
  expect(operationRouter(named.operations, new Map()).operationsWithoutHandler).toHaveLength(2);
  const router = operationRouter(named.operations, handlersOf('__proto__'));
  expect(reached(router.matchOperation('GET', '/a'))).toEqual(['/a', undefined]);
  expect(reached(router.matchOperation('GET', '/b'))).toEqual(['/b', '__proto__']);
});

test('a match has the texts of the path, and a path without the method says its methods', () => {
  const { matchOperation } = operationRouter(document.operations, new Map());
  expect(matchOperation('GET', '/b/%31')).toMatchObject({ path: { x: '%31' } });
  expect(reached(matchOperation('HEAD', '/a'))).toEqual(['/a', undefined]);
  expect(matchOperation('DELETE', '/a')).toMatchObject({
    allowed: { Allow: 'GET, HEAD, OPTIONS, POST' },
  });
  expect(matchOperation('GET', '/e')).toBeUndefined();
});

test('a document of 1,000 operations is set up at once', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `/p${index}`,
      { get: { operationId: `o${index}`, responses } },
    ]),
  );
  const { operations } = documentOf(paths);
  const handlers = handlersOf(...operations.map(({ operationId }) => operationId));
  const begin = performance.now();
  const router = operationRouter(operations, handlers);
  // openapi-backend's own `init` takes 10 s.
  expect(performance.now() - begin).toBeLessThan(1000);
  expect(router.operationsWithoutHandler).toEqual([]);
});
