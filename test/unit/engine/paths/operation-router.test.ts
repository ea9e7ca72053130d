/** Handlers and the operations that they serve, and the time that setting them up takes. */

import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import {
  handlersByOperation,
  operationRouter,
} from '../../../../src/engine/paths/operation-router';

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

type Document = ReturnType<typeof documentOf>;

/** A router that answers with what a request reached. */
const routerOf = (document: Document, handlers: ReadonlyMap<string, () => string>) => {
  const route = operationRouter<() => string, string, unknown>(
    document,
    handlersByOperation(document.operations, handlers),
    {
      operation: (work, { operation, path, handler }) => ({
        ...{ work, at: operation.path, path, handled: handler?.() },
      }),
      notFound: (work) => `${work}: not found`,
      methodNotAllowed: (work, { Allow }) => `${work}: ${Allow}`,
    },
  );
  return (request: string) => {
    const [method = '', path = ''] = request.split(' ');
    return route(method, path, 'work');
  };
};

test('each handler goes to the first operation of its id', async () => {
  const handlers = handlersOf('one', 'notFound', 'get /d', 'constructor', 'validationFail');
  const route = routerOf(document, handlers);
  expect([
    await route('GET /a'),
    await route('GET /b/1'),
    await route('GET /c'),
    await route('GET /d'),
  ]).toMatchObject([
    { at: '/a', handled: 'one' },
    { at: '/b/{x}', handled: undefined },
    { at: '/c', handled: 'notFound' },
    { at: '/d', handled: 'get /d' },
  ]);
  const served = handlersByOperation(document.operations, handlers);
  expect(idsAt(document.operations.filter((operation) => !served.has(operation)))).toEqual([
    ['two', '/a'],
    ['one', '/b/{x}'],
  ]);
});

test.each([['constructor'], ['__proto__'], ['404'], ['preRoutingHandler'], ['notImplemented']])(
  'an operation may be called %s',
  async (operationId) => {
    const named = documentOf({
      '/a': { get: { operationId, responses } },
      '/b': { get: { operationId: `${operationId} `, responses } },
    });
    const without = routerOf(named, new Map());
    expect(await without('GET /a')).toMatchObject({ at: '/a', handled: undefined });
    expect(await without('GET /c')).toBe('work: not found');
    const route = routerOf(named, handlersOf(operationId, `${operationId} `));
    expect([await route('GET /a'), await route('GET /b')]).toMatchObject([
      { at: '/a', handled: operationId },
      { at: '/b', handled: `${operationId} ` },
    ]);
  },
);

test.each([
  ['GET /b/%31', { work: 'work', at: '/b/{x}', path: { x: '%31' } }],
  ['HEAD /a', { at: '/a', path: {} }],
  ['get /a', 'work: GET, HEAD, OPTIONS, POST'],
  ['DELETE /a', 'work: GET, HEAD, OPTIONS, POST'],
  ['GET /e', 'work: not found'],
  ['GET /a/', 'work: not found'],
  ['GET *', 'work: not found'],
])('%s', async (request, expected) => {
  const reached = await routerOf(document, new Map())(request);
  if (typeof expected === 'string') expect(reached).toBe(expected);
  else expect(reached).toMatchObject(expected);
});

test('a document of 1,000 operations is set up at once', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `/p${index}`,
      { get: { operationId: `o${index}`, responses } },
    ]),
  );
  const large = documentOf(paths);
  const handlers = handlersOf(...large.operations.map(({ operationId }) => operationId));
  const begin = performance.now();
  const route = routerOf(large, handlers);
  // openapi-backend's own `init` takes 10 s.
  expect(performance.now() - begin).toBeLessThan(1000);
  expect(await route('GET /p999')).toMatchObject({ handled: 'o999' });
});
