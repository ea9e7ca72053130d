import { describe, expect, test } from '@jest/globals';
import { printDocument, printOneOperation } from './small-document';

/** The line of one member of the operation. */
const lineOf = (name: string, text: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.trim().startsWith(`${name}:`))
    ?.trim();

const OK = "responses: { '200': { description: OK } }\n";
const COMPONENTS = `
components:
  schemas:
    Pet:
      type: object
      properties: { id: { type: integer, format: int64 }, name: { type: string } }
  securitySchemes:
    key: { type: apiKey, in: header, name: key }
    login: { type: http, scheme: bearer }
`;

describe('parameters', () => {
  test.each([
    ['none', 'parameters: []', 'query: {};'],
    [
      'a path parameter is always there',
      'parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]',
      'path: { id: bigint };',
    ],
    [
      'an optional one may be missing',
      'parameters: [{ name: q, in: query, schema: { type: string } }]',
      'query: { q?: string | undefined };',
    ],
    [
      'P19 one with a default is always there',
      'parameters: [{ name: q, in: query, schema: { type: integer, default: 0 } }]',
      'query: { q: number };',
    ],
    [
      'P13 a header has its name as the document writes it',
      'parameters: [{ name: X-Trace, in: header, required: true, schema: { type: string } }]',
      "header: { 'X-Trace': string };",
    ],
    [
      'a cookie',
      'parameters: [{ name: sid, in: cookie, schema: { type: string } }]',
      'cookie: { sid?: string | undefined };',
    ],
    [
      'comma separated values are an array',
      `parameters:
  - { name: s, in: query, x-comma-separated: true, schema: { type: string, enum: [a, b], default: a } }`,
      "query: { s: Array<'a' | 'b'> };",
    ],
    [
      'P11 content',
      `parameters:
  - { name: q, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }`,
      'query: { q?: Pet | undefined };',
    ],
  ])('%s', (_, operation, want) => {
    const [name = ''] = want.split(':');
    expect(lineOf(name, printOneOperation(`${operation}\n${OK}`, COMPONENTS))).toBe(want);
  });

  test('P15 those of the path are overridden by name and location', () => {
    const text = printDocument(`
paths:
  /a/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: q, in: query, schema: { type: string } }
      - { name: q, in: header, schema: { type: string } }
    get:
      operationId: act
      parameters: [{ name: q, in: query, required: true, schema: { type: number } }]
      responses: {}
`);
    expect(lineOf('path', text)).toBe('path: { id: string };');
    expect(lineOf('query', text)).toBe('query: { q: number };');
    expect(lineOf('header', text)).toBe('header: { q?: string | undefined };');
  });
});

describe('bodies', () => {
  const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
  const pet = "{ $ref: '#/components/schemas/Pet' }";
  test.each([
    ['a required body', `{ required: true, ${json(pet)} }`, 'Pet'],
    ['a missing object is the empty object', `{ ${json(pet)} }`, 'Pet'],
    [
      'a missing array is the empty array',
      `{ ${json(`{ type: array, items: ${pet} }`)} }`,
      'Pet[]',
    ],
    ['missing bytes are no bytes', `{ ${json('{ type: string, format: binary }')} }`, 'Uint8Array'],
    ['a missing scalar is missing', `{ ${json('{ type: string }')} }`, 'string | undefined'],
    [
      'media types that agree',
      `{ content: { a/b: { schema: ${pet} }, c/d: { schema: ${pet} } } }`,
      'Pet',
    ],
    [
      'media types that differ',
      `{ required: true, content: { a/b: { schema: ${pet} }, text/plain: { schema: { type: string } } } }`,
      'Pet | string',
    ],
    ['a media type without a schema', '{ required: true, content: { a/b: {} } }', 'unknown'],
    [
      'F05 files of a multipart body are bytes',
      '{ required: true, content: { multipart/form-data: { schema: { type: object, required: [photo], properties: { photo: { type: string, format: binary }, id: { type: integer, format: int64 } } } } } }',
      '{ photo: Uint8Array; id?: bigint | undefined }',
    ],
    [
      'F08 several files of one name are an array',
      '{ content: { multipart/form-data: { schema: { type: object, properties: { photos: { type: array, items: { type: string, format: binary } } } }, encoding: { photos: { contentType: image/* } } } } }',
      '{ photos?: Uint8Array[] | undefined }',
    ],
    [
      'F08 additional files',
      '{ content: { multipart/form-data: { schema: { type: object, additionalProperties: { type: string, format: binary } } } } }',
      '{ [name: string]: Uint8Array }',
    ],
    [
      'an identifier is always there',
      `{ required: true, x-identifier: id, ${json(pet)} }`,
      'Pet & { id: bigint }',
    ],
    [
      'an identifier of a choice',
      `{ required: true, x-identifier: id, ${json(`{ oneOf: [${pet}, { type: object, properties: { id: { type: string } } }] }`)} }`,
      '(Pet | { id?: string | undefined }) & { id: unknown }',
    ],
  ])('%s', (_, requestBody, want) => {
    const text = printOneOperation(`requestBody: ${requestBody}\n${OK}`, COMPONENTS);
    expect(lineOf('body', text)).toBe(`body: ${want};`);
  });

  test('no request body', () => {
    expect(lineOf('body', printOneOperation(OK))).toBe('body: undefined;');
  });

  test.each(['get', 'head', 'delete'])('B06 %s has none, whatever is declared', (method) => {
    const text = printDocument(`
paths:
  /a:
    ${method}:
      operationId: act
      requestBody: { ${json('{ type: string }')} }
      responses: {}
`);
    expect(lineOf('body', text)).toBe('body: undefined;');
  });
});

describe('principal', () => {
  test.each([
    ['S02 no security', '', 'optional'],
    ['S01 one requirement', 'security: [{ key: [] }]\n', 'required'],
    ['S01 alternatives', 'security: [{ key: [] }, { login: [] }]\n', 'required'],
    ['S03 an alternative that asks for nothing', 'security: [{ key: [] }, {}]\n', 'optional'],
    ['S02 an empty list', 'security: []\n', 'optional'],
    ['any login', 'x-logged-in-user: required\n', 'required'],
    ['the login of one account', "x-logged-in-user: '{id}'\n", 'required'],
    ['a login that is only looked for', 'x-logged-in-user: optional\n', 'optional'],
  ])('%s', (_, security, want) => {
    expect(lineOf('principal', printOneOperation(security + OK, COMPONENTS))).toBe(
      `principal: '${want}';`,
    );
  });

  test.each([
    ['S02 the root requirement counts', '', 'required'],
    ['S02 an empty list removes it', 'security: []\n', 'optional'],
  ])('%s', (_, security, want) => {
    const text = printOneOperation(security + OK, `${COMPONENTS}\nsecurity: [{ key: [] }]\n`);
    expect(lineOf('principal', text)).toBe(`principal: '${want}';`);
  });
});
