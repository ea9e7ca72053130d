/** The document for Swagger UI: this server, every scope, and forms that start with the document's examples. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { usableJson } from '../../../../../src/document/document-texts';
import {
  type ApiDocument,
  parseApiDocument,
} from '../../../../../src/engine/document/api-document';
import type { Operation } from '../../../../../src/model/operation';
import {
  browserEdits,
  type DemoCredentials,
  knownScopes,
} from '../../../../../src/server/docs/swagger-ui/browser-document';
import { browserScript } from '../../../../../src/server/docs/swagger-ui/browser-page';
import { valuesOf } from '../../../../support/text-cases';
import { documentOf } from '../document-of';

const cases = join(__dirname, 'browser-document.cases.txt');

/** The document as the page reads it. */
const browserDocument = (
  document: ApiDocument,
  demo?: DemoCredentials,
  isMocked: (operation: Operation) => boolean = () => false,
) => JSON.parse([...usableJson(document, browserEdits(document, isMocked, demo))].join(''));

test.each([
  ['elsewhere', 'servers: [{ url: https://api.example/v1 }, { url: /other }]', '/v1'],
  ['at the root', 'servers: [{ url: / }]', '/'],
  ['nowhere', '', '/'],
])('a document that is served %s is tried out here', (_, servers, want) => {
  expect(browserDocument(documentOf(servers))).toMatchObject({ servers: [{ url: want }] });
});

test('mocks are marked, also behind a reference', () => {
  const document = documentOf(`
paths:
  /a: { get: { operationId: a, responses: {} }, put: { operationId: b, responses: {}, summary: Put } }
  /b: { $ref: '#/paths/~1a' }
`);
  const isMocked = ({ path, method }: Operation) => path === '/a' || method === 'get';
  const a = { get: { summary: 'Mock: no handler yet' }, put: { summary: 'Mock: Put' } };
  expect(browserDocument(document, undefined, isMocked).paths).toMatchObject({ '/a': a });
});

test('the dates of a deprecation are said, of mocks too', () => {
  const document = documentOf(`
paths:
  /a:
    get: { deprecated: true, x-deprecated-since: 2026-01-01, x-sunset: 2027-06-30, description: Gets, responses: {} }
    put: { deprecated: true, responses: {} }
`);
  const { get, put } = browserDocument(document, undefined, () => true).paths['/a'];
  expect(get.description).toBe('Deprecated: since 2026-01-01, gone after 2027-06-30.\n\nGets');
  expect([get.summary, put.description]).toEqual(['Mock: no handler yet', undefined]);
});

test('scopes that are required can be asked for, declared or not; the document stays as it is', () => {
  const document = documentOf(`
paths:
  /a: { get: { operationId: a, responses: {}, security: [{ oauth: [read, write] }, { key: [] }] } }
components:
  securitySchemes:
    oauth:
      type: oauth2
      flows: { implicit: { authorizationUrl: 'https://x.example/', scopes: { read: Read } } }
    key: { type: apiKey, in: header, name: key }
    lost: { $ref: '#/components/securitySchemes/none' }
`);
  const before = JSON.stringify(document.definition);
  const scopes = { read: 'Read', write: 'required by operations, not declared' };
  expect(browserDocument(document)).toMatchObject({
    components: { securitySchemes: { oauth: { flows: { implicit: { scopes } } } } },
  });
  expect(knownScopes(document)).toEqual(['read', 'write']);
  expect(JSON.stringify(document.definition)).toBe(before);
});

const demo = { username: 'ann', password: 'pw', apiKey: 'k', signInBase: 'http://here/oauth/' };

test.each(
  valuesOf<[string, string, string | undefined]>(
    cases,
    'schemes, and what is said of demo credentials',
  ),
)('what the demo credentials are to %s', (_, scheme, want) => {
  const document = documentOf(`components: { securitySchemes: { one: ${scheme} } }`);
  const shown = browserDocument(document, demo);
  expect(shown.components.securitySchemes.one.description).toBe(want);
});

describe('a form', () => {
  const formOf = (mediaType: string, media: string): unknown => {
    const document = documentOf(`
paths:
  /a: { post: { operationId: a, responses: {}, requestBody: { content: { ${mediaType}: { ${media} } } } } }
components:
  schemas:
    Thing:
      type: object
      properties: { id: { type: integer, example: 10 }, name: { $ref: '#/components/schemas/Name' } }
    Name: { type: string, example: own }
  examples: { Named: { value: { name: named } } }
`);
    const changed = browserDocument(document);
    return changed.paths['/a'].post.requestBody.content[mediaType].schema;
  };
  const form = 'application/x-www-form-urlencoded';
  const $ref = '#/components/schemas/Thing';
  const thing = `schema: { $ref: '${$ref}' }`;
  const example = `${thing}, example: { name: named }`;
  const shared = (name: string) =>
    `${thing}, examples: { a: { $ref: '#/components/examples/${name}' } }`;
  const named = {
    properties: { id: { type: 'integer', example: '' }, name: { example: 'named' } },
  };

  test.each<[string, string, string, object]>([
    ['starts with the example', form, example, named],
    ['starts with a shared example', form, shared('Named'), named],
    ['of parts does, too', 'multipart/form-data', example, named],
    ['without an example stays as it is', form, thing, { $ref }],
    ['with a lost example stays as it is', form, shared('None'), { $ref }],
    [
      'with a lost schema stays as it is',
      form,
      "schema: { $ref: '#/none' }, example: { a: 1 }",
      { 'x-broken-reference': '#/none' },
    ],
    ['is not JSON', 'application/json', example, { $ref }],
  ])('%s', (_, mediaType, media, want) => {
    expect(formOf(mediaType, media)).toMatchObject(want);
  });
});

test('the script says what it was told, whatever that is', () => {
  const scopes = ['a', '`+alert(1)+`', '"; alert(1); "', "'\\"];
  const settings: { scopes?: unknown; clientId?: unknown } = {};
  const standIn = Object.assign(
    () => ({ initOAuth: (given: object) => Object.assign(settings, given) }),
    {
      presets: { apis: [] },
    },
  );
  const run = new Function(
    'SwaggerUIBundle',
    'matchMedia',
    'document',
    'location',
    browserScript(true, scopes),
  );
  run(
    standIn,
    () => ({ matches: false, addEventListener: () => undefined }),
    { documentElement: { classList: { toggle: () => undefined } } },
    { href: 'http://127.0.0.1/x/docs/' },
  );
  expect(settings).toMatchObject({ clientId: 'docs', scopes });
});

test('the page reads summaries and examples of OpenAPI 3.2', () => {
  const document = parseApiDocument(
    'a.yaml',
    `openapi: 3.2.0
info: { title: A, version: '1' }
paths:
  /a:
    post:
      requestBody: { content: { text/csv: { examples: { a: { dataValue: [1], serializedValue: '1' }, b: { value: '2' } } } } }
      responses:
        '200': { summary: Short, content: { application/json: { examples: { a: { dataValue: { b: 1 }, serializedValue: '{ "b": 1 }' } } } } }
        '201': { summary: Short, description: Long, content: { application/json: { examples: { a: { serializedValue: '1' } } } } }
        '400': { $ref: '#/components/responses/Bad' }
        '404': {}
components: { responses: { Bad: { summary: Bad } } }
`,
  );
  const { paths, components } = browserDocument(document);
  const { requestBody, responses } = paths['/a'].post;
  const valuesIn = ({ content }: { content: object }) =>
    Object.values(content).map(({ examples }) => [examples.a.value, examples.b?.value]);
  expect(valuesIn(requestBody)).toEqual([['1', '2']]);
  expect(valuesIn(responses['200'])).toEqual([[{ b: 1 }, undefined]]);
  expect(valuesIn(responses['201'])).toEqual([['1', undefined]]);
  const described = [responses['200'], responses['201'], components.responses.Bad];
  expect(described.map(({ description }) => description)).toEqual(['Short', 'Long', 'Bad']);
  expect(responses['404']).toEqual({});
});
