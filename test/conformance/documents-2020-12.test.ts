/** Documents of OpenAPI 3.1: what their references and identifiers mean to those who send requests. */

import { expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, recording } from './ask';

const responses = { 200: { description: 'Fine' } };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const text = { type: 'string' };

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
