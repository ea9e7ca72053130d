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
  const shared = "schema: { $ref: '#/components/schemas/Pet' }";
  const choice = 'x-comma-separated: true, schema: { type: string, enum: [a, b], default: a }';

  test.each([
    [
      'a path parameter is there',
      'in: path, required: true, schema: { type: string }',
      'id: string',
    ],
    [
      'an optional one may be missing',
      'in: query, schema: { type: string }',
      'id?: string | undefined',
    ],
    [
      'P19 one with a default is there',
      'in: query, schema: { type: integer, default: 0 }',
      'id: number',
    ],
    ['a cookie', 'in: cookie, schema: { type: string }', 'id?: string | undefined'],
    ['comma separated values are an array', `in: query, ${choice}`, "id: ReadonlyArray<'a' | 'b'>"],
    [
      'P11 content',
      `in: query, content: { application/json: { ${shared} } }`,
      'id?: Pet | undefined',
    ],
  ])('%s', (_, parameter, want) => {
    const [, place = ''] = /in: (\w+)/.exec(parameter) ?? [];
    const text = printOneOperation(`parameters: [{ name: id, ${parameter} }]\n${OK}`, COMPONENTS);
    expect(lineOf(place, text)).toBe(`${place}: { ${want} };`);
    expect(text.match(/^ {4}(?:path|query|header|cookie|body):/gm)).toHaveLength(1);
  });

  test('P13 a header has its name as the document writes it', () => {
    const header = '{ name: X-Trace, in: header, required: true, schema: { type: string } }';
    const text = printOneOperation(`parameters: [${header}]\n${OK}`);
    expect(lineOf('header', text)).toBe("header: { 'X-Trace': string };");
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
  const parts = (schema: string) =>
    `{ required: true, content: { multipart/form-data: { schema: { type: object, ${schema} } } } }`;
  const file = '{ type: string, format: binary }';
  const text = 'text/plain: { schema: { type: string } }';
  const ownId = '{ type: object, properties: { id: { type: string } } }';
  const named = 'required: true, x-identifier: id';

  test.each([
    ['a required body', `{ required: true, ${json(pet)} }`, 'Pet'],
    ['a missing object is the empty object', `{ ${json(pet)} }`, 'Pet'],
    [
      'a missing array is the empty one',
      `{ ${json(`{ type: array, items: ${pet} }`)} }`,
      'readonly Pet[]',
    ],
    ['missing bytes are no bytes', `{ ${json(file)} }`, 'Uint8Array'],
    ['a missing scalar is missing', `{ ${json('{ type: string }')} }`, 'string | undefined'],
    [
      'types that agree',
      `{ content: { a/b: { schema: ${pet} }, c/d: { schema: ${pet} } } }`,
      'Pet',
    ],
    [
      'types that differ',
      `{ required: true, content: { a/b: { schema: ${pet} }, ${text} } }`,
      'Pet | string',
    ],
    ['a media type without a schema', '{ required: true, content: { a/b: {} } }', 'unknown'],
    [
      'F05 files of a multipart body are bytes',
      parts(`required: [a], properties: { a: ${file}, id: { type: integer, format: int64 } }`),
      '{ readonly a: Uint8Array; readonly id?: bigint | undefined }',
    ],
    [
      'F08 several files of one name are an array',
      parts(`properties: { a: { type: array, items: ${file} } }`),
      '{ readonly a?: readonly Uint8Array[] | undefined }',
    ],
    [
      'F08 additional files',
      parts(`additionalProperties: ${file}`),
      '{ readonly [name: string]: Uint8Array }',
    ],
    [
      'an identifier is always there',
      `{ ${named}, ${json(pet)} }`,
      'Pet & { readonly id: bigint }',
    ],
    [
      'an identifier of a choice',
      `{ ${named}, ${json(`{ oneOf: [${pet}, ${ownId}] }`)} }`,
      '(Pet | { readonly id?: string | undefined }) & { readonly id: unknown }',
    ],
  ])('%s', (_, requestBody, want) => {
    const text = printOneOperation(`requestBody: ${requestBody}\n${OK}`, COMPONENTS);
    expect(lineOf('body', text)).toBe(`body: ${want};`);
  });

  test('no request body', () => {
    expect(lineOf('body', printOneOperation(OK))).toBeUndefined();
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
    expect(lineOf('body', text)).toBeUndefined();
  });
});

describe('principal', () => {
  test.each([
    ['S02 no security', '', undefined],
    ['S01 one requirement', 'security: [{ key: [] }]\n', "principal: 'required';"],
    ['S01 alternatives', 'security: [{ key: [] }, { login: [] }]\n', "principal: 'required';"],
    ['S03 an alternative that asks for nothing', 'security: [{ key: [] }, {}]\n', undefined],
    ['S02 an empty list', 'security: []\n', undefined],
    ['any login', 'x-logged-in-user: required\n', "principal: 'required';"],
    ['the login of one account', "x-logged-in-user: '{id}'\n", "principal: 'required';"],
    ['a login that is only looked for', 'x-logged-in-user: optional\n', undefined],
  ])('%s', (_, security, want) => {
    expect(lineOf('principal', printOneOperation(security + OK, COMPONENTS))).toBe(want);
  });

  test.each([
    ['S02 the root requirement counts', '', "principal: 'required';"],
    ['S02 an empty list removes it', 'security: []\n', undefined],
  ])('%s', (_, security, want) => {
    const text = printOneOperation(security + OK, `${COMPONENTS}\nsecurity: [{ key: [] }]\n`);
    expect(lineOf('principal', text)).toBe(want);
  });
});
