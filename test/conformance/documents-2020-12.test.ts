/** Documents of OpenAPI 3.1: what their references and identifiers mean to those who send requests. */

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, recording } from './ask';

const responses = { 200: { description: 'Fine' } };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Gives the statuses of bodies that are sent to an operation with the schema. */
const statusesOf = async (
  schema: unknown,
  components: object,
  bodies: readonly unknown[],
): Promise<number[]> => {
  const { url } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: { '/a': { post: { operationId: 'a', requestBody: json(schema), responses } } },
      components,
    },
    handlers: { a: recording().handler },
  });
  const statuses = [];
  for (const body of bodies) {
    const headers = { 'Content-Type': 'application/json' };
    const text = JSON.stringify(body);
    statuses.push((await ask(url, '/a', { method: 'POST', headers, body: text })).status);
  }
  return statuses;
};

const text = { type: 'string' };
const tree = {
  $id: 'https://a.test/tree',
  $dynamicAnchor: 'node',
  type: 'object',
  properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
};

describe('schemas', () => {
  test.each<[title: string, schema: unknown, schemas: object, fits: unknown, not: unknown]>([
    ['V29 false as a property', { properties: { a: false, b: true } }, {}, { b: 1 }, { a: 1 }],
    [
      'V30 a reference by an identifier',
      { $ref: 'https://a.test/x/text' },
      { A: { $id: 'https://a.test/x/list', $defs: { t: { $id: 'text', ...text } } } },
      'a',
      1,
    ],
    [
      'V30 references relative to an identifier',
      component('A'),
      {
        A: {
          $id: 'https://a.test/x/object',
          properties: { a: { $ref: '../b' }, c: { $ref: '#/$defs/c' } },
          $defs: { b: { $id: '/b', ...text }, c: { type: 'integer' } },
        },
      },
      { a: 'a', c: 1 },
      { a: 'a', c: 'a' },
    ],
    [
      'V31 an anchor',
      { $ref: '#short' },
      { A: { $defs: { b: { $anchor: 'short', maxLength: 1 } } } },
      'a',
      'ab',
    ],
    [
      'V31 an anchor of another identifier, whose name is one here, too',
      { $ref: 'https://a.test/a#it' },
      {
        A: { $id: 'https://a.test/a', $defs: { b: { $anchor: 'it', ...text } } },
        B: { $anchor: 'it' },
      },
      'a',
      1,
    ],
    [
      'V32 a dynamic reference within its own schema',
      component('Tree'),
      { Tree: tree },
      { children: [{ children: [] }] },
      { children: [1] },
    ],
    [
      'V32 a dynamic reference that leads to the schema around',
      component('Strict'),
      {
        Tree: tree,
        Strict: {
          $id: 'https://a.test/strict',
          $dynamicAnchor: 'node',
          $ref: 'tree',
          required: ['children'],
        },
      },
      { children: [{ children: [] }] },
      { children: [{}] },
    ],
    [
      'V34 keywords beside a reference',
      { ...component('A'), maxLength: 1 },
      { A: text },
      'a',
      'ab',
    ],
    [
      'V34 a reference to a reference with keywords beside it',
      component('B'),
      { A: text, B: { ...component('A'), maxLength: 1 } },
      'a',
      'ab',
    ],
    ['V34 a reference to a boolean', { ...component('A'), type: 'string' }, { A: true }, 'a', 1],
    [
      'V34 a reference into a keyword of the author’s choice',
      { $ref: '#/components/schemas/A/x%20y/a~1b' },
      { A: { 'x y': { 'a/b': { $ref: '#/components/schemas/B' } } }, B: text },
      'a',
      1,
    ],
  ])('%s', async (_title, schema, schemas, fits, not) => {
    expect(await statusesOf(schema, { schemas }, [fits, not])).toEqual([200, 400]);
  });
});

test('V33 a schema of another dialect stops the operations that need it, and no others', async () => {
  const { handler } = recording();
  const foreign = { $schema: 'http://json-schema.org/draft-07/schema#' };
  const { url } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: {
        '/a': { post: { operationId: 'a', requestBody: json(component('A')), responses } },
        '/b': { get: { operationId: 'b', responses } },
      },
      components: { schemas: { A: foreign } },
    },
    handlers: { a: handler, b: handler },
  });
  expect((await ask(url, '/a', { method: 'POST' })).status).toBe(501);
  expect((await ask(url, '/b')).status).toBe(200);
});

test('V25 a path item has the fields beside its reference, and those of its target', async () => {
  const operation = (operationId: string) => ({ operationId, responses });
  const parameters = [{ name: 'p', in: 'query', schema: { type: 'integer' } }];
  const { url } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: { '/a': { $ref: '#/components/pathItems/A', get: operation('own'), parameters } },
      components: { pathItems: { A: { get: operation('lost'), put: operation('target') } } },
    },
    handlers: { own: recording().handler, target: recording({ status: 200 }).handler },
  });
  const asked = ['GET /a', 'PUT /a', 'PUT /a?p=x'].map((line) => line.split(' '));
  const statuses = [];
  for (const [method = '', path = ''] of asked) {
    statuses.push((await ask(url, path, { method })).status);
  }
  expect(statuses).toEqual([200, 200, 400]);
});

test('V26 texts beside a reference replace those of its target', async () => {
  const { document } = await serveDocument({
    document: {
      openapi: '3.1.2',
      paths: {
        '/a': {
          get: {
            parameters: [{ $ref: '#/components/parameters/P', description: 'Own', required: true }],
            responses: { 200: { $ref: '#/components/responses/A', description: 'Own' } },
          },
        },
      },
      components: {
        parameters: { P: { name: 'p', in: 'query', description: 'Shared', schema: {} } },
        responses: { A: { description: 'Shared' } },
      },
    },
  });
  const [operation] = document.operations;
  expect(operation?.parameters).toMatchObject([{ description: 'Own', required: false }]);
  expect(operation?.responses).toMatchObject([{ description: 'Own' }]);
});

test('V23 webhooks are read, and not served', async () => {
  const { url, document } = await serveDocument({
    document: { openapi: '3.1.2', webhooks: { paid: { post: { requestBody: json(text) } } } },
  });
  expect(document.webhooks).toMatchObject([{ path: 'paid', method: 'post' }]);
  expect((await ask(url, '/paid', { method: 'POST' })).status).toBe(404);
});
