/** What Swagger UI reads: this server, every scope, and forms that start with the document's examples. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../../src/engine/document/document';
import {
  browserDocument,
  knownScopes,
} from '../../../../../src/server/docs/swagger-ui/browser-document';
import { browserScript } from '../../../../../src/server/docs/swagger-ui/browser-script';

const none = () => false;

const documentOf = (parts: object) =>
  parseApiDocument(
    'test.yaml',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Test', version: '1' },
      paths: {},
      ...parts,
    }),
  );

test.each<[string, object, string]>([
  ['elsewhere', { servers: [{ url: 'https://api.example/v1' }, { url: '/other' }] }, '/v1'],
  ['at the root', { servers: [{ url: '/' }] }, '/'],
  ['nowhere', {}, '/'],
])('a document that is served %s is tried out here', (_, parts, want) => {
  expect(browserDocument(documentOf(parts), none)).toMatchObject({ servers: [{ url: want }] });
});

describe('scopes', () => {
  const document = documentOf({
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          responses: {},
          security: [{ oauth: ['read', 'write'] }, { key: [] }],
        },
      },
    },
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: { implicit: { authorizationUrl: 'https://x.example/', scopes: { read: 'Read' } } },
        },
        key: { type: 'apiKey', in: 'header', name: 'key' },
        lost: { $ref: '#/components/securitySchemes/none' },
      },
    },
  });

  test('that are required can be asked for, declared or not', () => {
    const scopes = { read: 'Read', write: 'required by operations, not declared' };
    expect(browserDocument(document, none)).toMatchObject({
      components: { securitySchemes: { oauth: { flows: { implicit: { scopes } } } } },
    });
    expect(knownScopes(document)).toEqual(['read', 'write']);
  });

  test('leave the document itself as it is', () => {
    const before = JSON.stringify(document.definition);
    browserDocument(document, none);
    expect(JSON.stringify(document.definition)).toBe(before);
  });
});

describe('a form', () => {
  const formOf = (mediaType: string, media: object): unknown => {
    const document = documentOf({
      paths: {
        '/a': {
          post: {
            operationId: 'a',
            responses: {},
            requestBody: { content: { [mediaType]: media } },
          },
        },
      },
      components: {
        schemas: {
          Thing: {
            type: 'object',
            properties: {
              id: { type: 'integer', example: 10 },
              name: { $ref: '#/components/schemas/Name' },
            },
          },
          Name: { type: 'string', example: 'own' },
        },
        examples: { Named: { value: { name: 'named' } } },
      },
    });
    const changed = JSON.parse(JSON.stringify(browserDocument(document, none)));
    return changed.paths['/a'].post.requestBody.content[mediaType].schema;
  };
  const form = 'application/x-www-form-urlencoded';
  const schema = { $ref: '#/components/schemas/Thing' };
  const named = {
    properties: { id: { type: 'integer', example: '' }, name: { example: 'named' } },
  };

  test.each<[string, string, object, object]>([
    ['starts with the example', form, { schema, example: { name: 'named' } }, named],
    [
      'starts with a shared example',
      form,
      { schema, examples: { a: { $ref: '#/components/examples/Named' } } },
      named,
    ],
    ['of parts does, too', 'multipart/form-data', { schema, example: { name: 'named' } }, named],
    ['without an example stays as it is', form, { schema }, schema],
    [
      'with a lost example stays as it is',
      form,
      { schema, examples: { a: { $ref: '#/components/examples/None' } } },
      schema,
    ],
    [
      'with a lost schema stays as it is',
      form,
      { schema: { $ref: '#/none' }, example: { a: 1 } },
      { $ref: '#/none' },
    ],
    ['is not JSON', 'application/json', { schema, example: { name: 'named' } }, schema],
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
    browserScript({ closed: true, scopes }),
  );
  run(
    standIn,
    () => ({ matches: false, addEventListener: () => undefined }),
    { documentElement: { classList: { toggle: () => undefined } } },
    { href: 'http://127.0.0.1/x/docs/' },
  );
  expect(settings).toMatchObject({ clientId: 'docs', scopes });
});
