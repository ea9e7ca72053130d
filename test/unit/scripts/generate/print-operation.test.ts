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
    ['comma separated values are an array', `in: query, ${choice}`, "id: Array<'a' | 'b'>"],
    [
      'P11 content',
      `in: query, content: { application/json: { ${shared} } }`,
      'id?: Pet | undefined',
    ],
  ])('%s', (_, parameter, want) => {
    const [, place = ''] = /in: (\w+)/.exec(parameter) ?? [];
    const text = printOneOperation(`parameters: [{ name: id, ${parameter} }]\n${OK}`, COMPONENTS);
    expect(lineOf(place, text)).toBe(`${place}: { ${want} };`);
    expect(text.match(/\{\};/g)).toHaveLength(3);
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
    ['a missing array is the empty one', `{ ${json(`{ type: array, items: ${pet} }`)} }`, 'Pet[]'],
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
      '{ a: Uint8Array; id?: bigint | undefined }',
    ],
    [
      'F08 several files of one name are an array',
      parts(`properties: { a: { type: array, items: ${file} } }`),
      '{ a?: Uint8Array[] | undefined }',
    ],
    [
      'F08 additional files',
      parts(`additionalProperties: ${file}`),
      '{ [name: string]: Uint8Array }',
    ],
    ['an identifier is always there', `{ ${named}, ${json(pet)} }`, 'Pet & { id: bigint }'],
    [
      'an identifier of a choice',
      `{ ${named}, ${json(`{ oneOf: [${pet}, ${ownId}] }`)} }`,
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
