/** The lines of curl on the documentation page: credentials, headers, bodies, and what a shell would read into them. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseApiDocument, schemaContext } from '../../../src/engine';
import { curlLine } from '../../../src/requests/service-markdown';
import { exampleOf, sampler } from '../../../src/schema/samples/shown-value';
import { readText, tableOf } from '../../support/text-cases';

const lineOf = (operation: string, path = '/things'): string => {
  const document = parseApiDocument(
    'things.yaml',
    `openapi: 3.1.0
info: { title: Things, version: '1' }
paths: { '${path}': { ${operation} } }
components:
  securitySchemes:
    inHeader: { type: apiKey, in: header, name: X-Key }
    inQuery: { type: apiKey, in: query, name: key }
    inCookie: { type: apiKey, in: cookie, name: session }
    basic: { type: http, scheme: Basic }
    digest: { type: http, scheme: digest }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: /t, scopes: {} } } }
    certificate: { type: mutualTLS }
`,
  );
  const [found] = document.operations;
  if (found === undefined) throw new Error('The document has no operation');
  const tools = schemaContext(document);
  return curlLine(document, found, 'http://a', sampler(tools), tools);
};

const responses = "responses: { '200': { description: Done } }";

test.each(tableOf(join(__dirname, 'curl-line.cases.txt'), 'lines of curl'))(
  '%s',
  (operation = '', line = '') => {
    expect(lineOf(`${readText(operation)}, ${responses} }`)).toBe(readText(line));
  },
);

test('parameters of the path are filled in; one that is not declared stays', () => {
  const parameters =
    'parameters: [{ name: a, in: path, required: true, schema: { type: string, const: "x/y" } }]';
  const operation = `get: { ${parameters}, ${responses} }`;
  expect(lineOf(operation, '/{a}/{b}')).toBe("curl 'http://a/x%2Fy/{b}'");
  expect(lineOf(operation, '/☃ %7E%/{a}')).toBe("curl 'http://a/%E2%98%83%20%7E%25/x%2Fy'");
});

test('bytes are shown as text, and what cannot be sampled as nothing', () => {
  const document = parseApiDocument(
    'things.yaml',
    "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}",
  );
  const content = {
    pointer: '',
    key: 'application/json',
    schema: undefined,
    itemSchema: undefined,
    encoding: {},
    prefixEncoding: [],
    itemEncoding: undefined,
  };
  const example = {
    pointer: '',
    name: undefined,
    value: { file: new TextEncoder().encode('text') },
  };
  const sample = sampler(schemaContext(document));
  expect(exampleOf({ ...content, examples: [example] }, sample)).toBe('{\n  "file": "text"\n}');
  expect(exampleOf({ ...content, examples: [] }, () => undefined)).toBe('');
});
