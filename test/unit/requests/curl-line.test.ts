/** The lines of curl on the documentation page: credentials, headers, bodies, and what a shell would read into them. */

import { expect, test } from '@jest/globals';
import { parseApiDocument, schemaContext } from '../../../src/engine';
import { curlLine } from '../../../src/requests/curl-line';
import { exampleOf, sampler } from '../../../src/schema/samples/shown-value';

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

test.each([
  ['get: { security: [{ inHeader: [] }]', "curl 'http://a/things' -H 'X-Key: KEY'"],
  [
    'get: { requestBody: { content: { application/json: { example: 1 } } }',
    "curl -X GET 'http://a/things' -H 'Content-Type: application/json' -d '1'",
  ],
  ['head: { security: [{ inQuery: [] }]', "curl -I 'http://a/things?key=KEY'"],
  ['delete: { security: [{ inCookie: [] }]', "curl -X DELETE 'http://a/things' -b 'session=KEY'"],
  ['get: { security: [{ basic: [] }]', "curl 'http://a/things' -u USER:PASSWORD"],
  ['get: { security: [{ digest: [] }]', "curl 'http://a/things' -H 'Authorization: Bearer TOKEN'"],
  [
    'get: { security: [{ certificate: [], oauth: [] }]',
    "curl 'http://a/things' -H 'Authorization: Bearer TOKEN'",
  ],
  ['get: { security: [{}, { basic: [] }]', "curl 'http://a/things'"],
  [
    'get: { parameters: [{ name: X-A, in: header, required: true, schema: { type: string, enum: ["it\'s"] } }, { name: q, in: query, required: true, schema: { type: array, items: { type: integer } }, example: [1, 2] }, { name: r, in: query, schema: { type: string } }]',
    "curl 'http://a/things?q=1&q=2' -H 'x-a: it'\\''s'",
  ],
  [
    'get: { parameters: [{ name: q, in: query, required: true, schema: { type: string, not: {} } }]',
    "curl 'http://a/things?q='",
  ],
  [
    'get: { parameters: [{ name: q, in: query, required: true, schema: { type: integer, default: many, minimum: 7 }, examples: { a: { value: some }, b: { value: 8 } } }, { name: r, in: query, required: true, schema: { type: integer, minimum: 7 }, example: 5 }]',
    "curl 'http://a/things?q=8&r=7'",
  ],
  [
    'get: { parameters: [{ name: q, in: query, required: true, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } }, example: [a|b] }]',
    "curl 'http://a/things?q=q'",
  ],
  [
    "post: { requestBody: { content: { application/xml: {}, application/json: { example: [1, it's] } } }",
    "curl -X POST 'http://a/things' -H 'Content-Type: application/json' -d '[\n  1,\n  \"it'\\''s\"\n]'",
  ],
  [
    'post: { requestBody: { content: { text/plain: { schema: { type: string, const: "a b" } } } }',
    "curl -X POST 'http://a/things' -H 'Content-Type: text/plain' -d 'a b'",
  ],
  [
    'post: { requestBody: { content: { multipart/form-data: { schema: { type: object, required: [a, n], properties: { a: { type: string, const: "x y" }, n: { type: integer, format: int64, const: 9007199254740993 } } } } } }',
    "curl -X POST 'http://a/things' -F 'a=x y' -F 'n=9007199254740993'",
  ],
  [
    'post: { requestBody: { content: { multipart/form-data: { schema: { type: array, items: { type: integer }, minItems: 1 } } } }',
    "curl -X POST 'http://a/things' -H 'Content-Type: multipart/form-data' -d '[\n  1\n]'",
  ],
])('%s', (operation, line) => {
  expect(lineOf(`${operation}, ${responses} }`)).toBe(line);
});

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
