import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { allowOrigins } from '../../../../src/server/routes/allow-origins';
import { askAt } from '../../../support/ask';
import { listen } from '../../../support/listen';

const document = parseApiDocument(
  'api.yaml',
  `
openapi: 3.2.0
info: { title: A, version: '1' }
paths:
  /a:
    get: { deprecated: true, x-sunset: 2027-06-30, externalDocs: { url: 'https://a.example' }, responses: { '200': { description: A } } }
    query: { requestBody: { content: { application/json: {} } }, responses: { '200': { description: A } } }
    additionalOperations: { COPY: { responses: { '200': { description: A } } } }
`,
);

test.each(['QUERY', 'COPY'])('a preflight says that a page may send %s', async (method) => {
  const layer = allowOrigins(document, ['https://a.example']);
  const url = await listen(createServer(layer((_request, response) => response.end())));
  const { status, headers } = await askAt(url)('OPTIONS /a', {
    headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': method },
  });
  expect([status, headers['access-control-allow-methods']]).toEqual([
    ...[204, 'COPY, GET, HEAD, OPTIONS, QUERY'],
  ]);
  const asked = await askAt(url)(`${method} /a`, { headers: { Origin: 'https://a.example' } });
  expect(asked.headers['access-control-expose-headers']).toMatch(/^Link,Sunset,.*\bAccept-Query\b/);
});
