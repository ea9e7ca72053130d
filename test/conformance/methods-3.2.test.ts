/** QUERY and the methods of `additionalOperations`: W01 to W08. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../src/engine/document/api-document';
import { openApiFetch } from '../../src/package/fetch';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, faultsOf, type Question, recording } from './ask';

const responses = { 200: { description: 'Fine' } };
const json = { 'Content-Type': 'application/json' };
const filter = {
  type: 'object',
  required: ['limit'],
  properties: { limit: { type: 'integer', format: 'int64' } },
};
const query = {
  operationId: 'find',
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: filter },
      'text/*; charset="utf-8"': { schema: { type: 'string' } },
    },
  },
  responses,
};
const operation = (operationId: string, more: object = {}) => ({ operationId, responses, ...more });
const documentOf = (item: object, more: object = {}) => ({
  openapi: '3.2.0',
  paths: { '/a': item },
  ...more,
});
const item = {
  post: operation('add'),
  query,
  additionalOperations: { COPY: operation('copy'), 'M-SEARCH': operation('search') },
};
const takes = '"application/json", "text/*";charset="utf-8"';

const serve = async (pathItem: object = item, more: object = {}) => {
  const { handler, calls } = recording();
  const ids = ['add', 'find', 'copy', 'search', 'lower'];
  const handlers = Object.fromEntries(ids.map((id) => [id, handler]));
  const served = await serveDocument({ document: documentOf(pathItem, more), handlers });
  return { ...served, calls };
};

const messagesOf = (document: object) =>
  parseApiDocument('api.yaml', JSON.stringify({ info: { title: 'A', version: '1' }, ...document }))
    .diagnostics;

describe('W01 found by the method', () => {
  test.each<[method: string, status: number]>([
    ['QUERY', 200],
    ['COPY', 200],
    ['M-SEARCH', 200],
    ['SEARCH', 405],
    ['GET', 405],
  ])('W01 %s answers %d', async (method, status) => {
    const { url } = await serve();
    const body = '{"limit":1}';
    const given = method === 'QUERY' ? { headers: json, body } : {};
    expect((await ask(url, '/a', { method, ...given })).status).toBe(status);
  });

  test('W01 case matters', async () => {
    const reached: string[] = [];
    const named = (id: string) => () => {
      reached.push(id);
      return { status: 200 };
    };
    const additionalOperations = { COPY: operation('copy'), copy: operation('lower') };
    const text = JSON.stringify({
      info: { title: 'A', version: '1' },
      ...documentOf({ additionalOperations }),
    });
    const answer = await openApiFetch(
      parseApiDocument('api.yaml', text),
      { copy: named('copy'), lower: named('lower') },
      {},
      { log: { error: () => undefined } },
    );
    const statuses = [];
    for (const method of ['COPY', 'copy', 'Copy']) {
      statuses.push((await answer(new Request('http://a.test/a', { method }))).status);
    }
    expect([statuses, reached]).toEqual([
      [200, 200, 405],
      ['copy', 'lower'],
    ]);
  });
});

test.each<[method: string, status: number]>([
  ['OPTIONS', 204],
  ['PUT', 405],
])('W02 %s says what the path takes', async (method, status) => {
  const { url } = await serve();
  const response = await ask(url, '/a', { method });
  expect(response.status).toBe(status);
  expect(response.headers).toMatchObject({
    allow: 'COPY, M-SEARCH, OPTIONS, POST, QUERY',
    'accept-query': takes,
  });
});

test('W02 a path without QUERY has no Accept-Query', async () => {
  const { url } = await serve({ post: item.post });
  expect((await ask(url, '/a', { method: 'OPTIONS' })).headers['accept-query']).toBeUndefined();
});

test('W02 media types that are no text of a header are left out', async () => {
  const content = { 'text/é': {}, 'no type': {}, 'a/b; x="q\\"é"; *a=1; é=2': {} };
  const { url } = await serve({ query: { ...query, requestBody: { content } } });
  const { headers } = await ask(url, '/a', { method: 'OPTIONS' });
  expect(headers['accept-query']).toBe('"a/b";*a="1"');
});

test.each<[title: string, given: Question, status: number]>([
  ['no media type', { body: '{"limit":1}' }, 400],
  ['neither media type nor content', {}, 400],
  ['a media type that is not declared', { headers: { 'Content-Type': 'a/b' }, body: 'a' }, 415],
])('W03 a QUERY of %s', async (_title, given, status) => {
  const { url, calls } = await serve();
  const response = await ask(url, '/a', { method: 'QUERY', ...given });
  expect([response.status, response.headers['accept-query'], calls]).toEqual([status, takes, []]);
});

test('W03 the other methods of the path have no Accept-Query', async () => {
  const { url } = await serve({ query, post: { ...query, operationId: 'add' } });
  const response = await ask(url, '/a', { method: 'POST', headers: json, body: '' });
  expect([response.status, response.headers['accept-query']]).toEqual([400, undefined]);
});

describe('W04 content', () => {
  const requestBody = query.requestBody;
  const methods = [
    ['QUERY', { query }],
    ['COPY', { additionalOperations: { COPY: operation('copy', { requestBody }) } }],
  ] as const;

  test.each(methods)('W04 of %s is read and validated', async (method, pathItem) => {
    const { url, calls } = await serve(pathItem);
    const send = (body: string) => ask(url, '/a', { method, headers: json, body });
    const wrong = await send('{"limit":"x"}');
    expect([wrong.status, faultsOf(wrong)]).toEqual([400, ['body /limit']]);
    expect((await send('{"limit":9007199254740993}')).status).toBe(200);
    expect(calls[0]?.body).toEqual({ limit: 9007199254740993n });
    expect((await send('')).status).toBe(400);
  });

  test.each([
    ['QUERY', { query: operation('find') }],
    ['COPY', { additionalOperations: { COPY: operation('copy') } }],
  ])('W04 that %s does not declare is refused', async (method, pathItem) => {
    const { url } = await serve(pathItem);
    const refused = await ask(url, '/a', { method, headers: json, body: '{}' });
    expect([refused.status, (await ask(url, '/a', { method })).status]).toEqual([415, 200]);
  });
});

test.each(['3.0.4', '3.1.2'])('W05 %s has neither field', async (openapi) => {
  const { url, document } = await serve(item, { openapi });
  const statuses = [];
  for (const method of ['POST', 'QUERY', 'COPY']) {
    statuses.push((await ask(url, '/a', { method })).status);
  }
  expect(statuses).toEqual([200, 405, 405]);
  expect(document.diagnostics.map(({ rule, pointer }) => [rule, pointer])).toEqual([
    ['unknown-field', '/paths/~1a/query'],
    ['unknown-field', '/paths/~1a/additionalOperations'],
  ]);
});

test.each<[key: string, rule: string, message: RegExp]>([
  ['POST', 'key-pattern', /Move it to the field post of the path item\.$/],
  ['Query', 'key-pattern', /Move it to the field query of the path item\.$/],
  ['A B', 'key-pattern', /is not a method, and is not served/],
  ['CONNECT', 'method', /The method CONNECT does not reach this operation/],
  ['copy', 'method', /The method copy does not reach this operation/],
  ['__proto__', 'method', /The method __proto__ does not reach/],
])('W06 the key %s is reported', async (key, rule, message) => {
  const text = `{"post":${JSON.stringify(item.post)},"additionalOperations":{"${key}":${JSON.stringify(operation('copy'))}}}`;
  const found = messagesOf(documentOf(JSON.parse(text)));
  expect(found).toEqual([
    expect.objectContaining({
      rule,
      message: expect.stringMatching(message),
      pointer: `/paths/~1a/additionalOperations/${key}`,
    }),
  ]);
});

describe('W07 safe', () => {
  test('W07 no cache stores an answer that does not say so itself', async () => {
    const { url } = await serve();
    const response = await ask(url, '/a', { method: 'QUERY', headers: json, body: '{"limit":1}' });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('W07 mocks list what there is', async () => {
    const thing = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    };
    const answers = (schema: object) => ({
      description: 'Fine',
      content: { 'application/json': { schema } },
    });
    const list = { type: 'array', items: thing };
    const { url } = await serveDocument({
      document: {
        openapi: '3.2.0',
        paths: {
          '/things': {
            query: { ...query, responses: { 200: answers(list) } },
            post: {
              operationId: 'add',
              requestBody: { required: true, content: answers(thing).content },
              responses: { 201: answers(thing) },
            },
          },
          '/things/{id}': {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            get: { operationId: 'get', responses: { 200: answers(thing) } },
          },
        },
      },
      mocks: true,
    });
    const body = '{"id":"x","name":"Posted"}';
    await ask(url, '/things', { method: 'POST', headers: json, body });
    const listed = await ask(url, '/things', {
      method: 'QUERY',
      headers: json,
      body: '{"limit":1}',
    });
    expect(JSON.parse(listed.text)).toContainEqual({ id: 'x', name: 'Posted' });
    const refused = await ask(url, '/things', { method: 'QUERY', headers: json, body: '{}' });
    expect(errorOf(refused).code).toBe(400);
  });

  test('W07 a QUERY that takes no query is reported', () => {
    expect(messagesOf(documentOf({ query: operation('find') }))).toEqual([
      expect.objectContaining({ rule: 'request-body', pointer: '/paths/~1a/query' }),
    ]);
  });
});

describe('W08 wherever a path item stands', () => {
  const places = (document: object) => {
    const { operations, webhooks } = parseApiDocument(
      'api.yaml',
      JSON.stringify({ info: { title: 'A', version: '1' }, ...document }),
    );
    return [...operations, ...webhooks].flatMap(({ method, pointer, callbacks }) => [
      [method, pointer],
      ...callbacks.flatMap((callback) =>
        callback.operations.map((one) => [one.method, one.pointer]),
      ),
    ]);
  };
  const more = { query, additionalOperations: { COPY: operation('copy') } };

  test('W08 webhooks and callbacks', () => {
    const post = operation('add', { callbacks: { done: { '{$url}': more } } });
    const at = '/paths/~1a/post/callbacks/done/{$url}';
    expect(places(documentOf({ post }, { webhooks: { seen: more } }))).toEqual([
      ['post', '/paths/~1a/post'],
      ['query', `${at}/query`],
      ['COPY', `${at}/additionalOperations/COPY`],
      ['query', '/webhooks/seen/query'],
      ['COPY', '/webhooks/seen/additionalOperations/COPY'],
    ]);
  });

  test('W08 a path item that is referred to', () => {
    const document = documentOf(
      { $ref: '#/components/pathItems/Shared' },
      { components: { pathItems: { Shared: more } } },
    );
    expect(places(document)).toEqual([
      ['query', '/components/pathItems/Shared/query'],
      ['COPY', '/components/pathItems/Shared/additionalOperations/COPY'],
    ]);
  });

  test('W08 faults stand at their places', () => {
    const broken = {
      operationId: 'copy',
      security: [{ none: [] }],
      responses: { 200: { $ref: '#/components/responses/None' } },
    };
    const id = { name: 'id', in: 'path', required: true, schema: {} };
    const found = messagesOf(
      documentOf({
        post: operation('copy'),
        additionalOperations: {
          COPY: broken,
          MOVE: operation('move', { parameters: [id, { ...id, name: 'other' }] }),
        },
      }),
    );
    expect(new Set(found.map(({ rule, pointer }) => `${rule} ${pointer}`))).toEqual(
      new Set([
        'reference /paths/~1a/additionalOperations/COPY/responses/200/$ref',
        'unserved-operation /paths/~1a/additionalOperations/COPY',
        'security /paths/~1a/additionalOperations/COPY/security/0/none',
        'operation-id /paths/~1a/additionalOperations/COPY/operationId',
        'path-parameter /paths/~1a/additionalOperations/MOVE/parameters/0/name',
        'path-parameter /paths/~1a/additionalOperations/MOVE/parameters/1/name',
      ]),
    );
  });
});
