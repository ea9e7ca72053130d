/** A test of a server asks QUERY and additional methods as it asks all others. */

import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { testServer } from '../../../src/contract';
import { parseApiDocument } from '../../../src/engine';
import { listen } from '../../support/listen';
import { serveDocument } from '../../support/serve-document';

const text = `
openapi: 3.2.0
info: { title: Things, version: '1' }
paths:
  /things:
    query:
      operationId: find
      requestBody:
        required: true
        content:
          application/json: { schema: { type: object, required: [limit], properties: { limit: { type: integer, minimum: 1 } } } }
      responses:
        '200': { description: Things, content: { application/json: { schema: { type: array, items: { type: string } } } } }
        '400': { description: No query }
    additionalOperations:
      COPY:
        operationId: copy
        parameters: [{ name: Depth, in: header, schema: { type: integer, minimum: 0, maximum: 1 } }]
        responses: { '204': { description: Copied }, '400': { description: No depth } }
      LOCK:
        operationId: lock
        requestBody: { content: { application/json: { schema: { type: boolean } } } }
        responses: { '204': { description: Locked }, '400': { description: No lock } }
  /forms:
    query:
      operationId: fill
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: integer } } } } } }
      responses: { '204': { description: Filled }, '400': { description: No form } }
`;

test('a server that keeps to its document has no failure, and each operation is reached', async () => {
  const { url, document } = await serveDocument({ document: text, mocks: true });
  const { failures, coverage } = await testServer({ document, url, depth: 'normal' });
  expect(failures).toEqual([]);
  expect(coverage.percent).toBe(100);
  expect(coverage.operations.map(({ endpoint }) => endpoint)).toEqual([
    'QUERY /things',
    'COPY /things',
    'LOCK /things',
    'QUERY /forms',
  ]);
});

test('what they take beyond the document is found', async () => {
  const server = createServer((request, response) => {
    const isQuery = request.method === 'QUERY';
    response.writeHead(isQuery ? 200 : 204, isQuery ? { 'Content-Type': 'application/json' } : {});
    request.resume().on('end', () => response.end(isQuery ? '[]' : undefined));
  });
  const url = await listen(server);
  const document = parseApiDocument('things.yaml', text);
  const { failures } = await testServer({ document, url });
  const found = failures.map(({ operation, rule }) => `${operation} ${rule}`);
  expect(found).toEqual(
    expect.arrayContaining([
      'find invalid-accepted',
      'find undeclared-media-type-accepted',
      'find undeclared-method-accepted',
      'copy invalid-accepted',
      'lock invalid-accepted',
    ]),
  );
});

test('methods that the client cannot send are not tested, and the report says so', async () => {
  const lower = text.replace('COPY:', 'copy:').replace('LOCK:', 'CONNECT:');
  const { url, document } = await serveDocument({ document: lower, mocks: true });
  const { failures, coverage } = await testServer({ document, url });
  expect(failures).toEqual([]);
  expect(
    coverage.operations.map(({ endpoint, statuses }) => [endpoint, statuses[0]?.reason]),
  ).toEqual([
    ['QUERY /things', undefined],
    ['copy /things', 'skipped: the client cannot send the method copy'],
    ['CONNECT /things', 'skipped: the client cannot send the method CONNECT'],
    ['QUERY /forms', undefined],
  ]);
});
