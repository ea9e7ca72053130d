/** A test of a server asks QUERY and additional methods as it asks all others. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testServer } from '../../../src/contract';
import { parseApiDocument } from '../../../src/engine';
import { listen } from '../../support/listen';
import { serveDocument } from '../../support/serve-document';

const text = readFileSync(join(__dirname, 'more-methods.yaml'), 'utf8');

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
