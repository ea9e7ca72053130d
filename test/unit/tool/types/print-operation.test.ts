import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readText, tableOf, valuesOf } from '../../../support/text-cases';
import { printDocument, printOneOperation } from './small-document';

const cases = join(__dirname, 'print-operation.cases.txt');

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
    Account:
      type: object
      properties: { password: { type: string, writeOnly: true } }
  securitySchemes:
    key: { type: apiKey, in: header, name: key }
    login: { type: http, scheme: bearer }
`;

describe('parameters', () => {
  test.each(tableOf(cases, 'parameters'))('%s', (_, parameter = '', ...want) => {
    const [, place = ''] = /in: (\w+)/.exec(parameter) ?? [];
    const text = printOneOperation(`parameters: [{ name: id, ${parameter} }]\n${OK}`, COMPONENTS);
    expect(lineOf(place, text)).toBe(`${place}: { ${want.join(' | ')} };`);
    expect(text.match(/^ {4}(?:path|query|header|cookie|body):/gm)).toHaveLength(1);
  });

  test.each([
    ['required: true', 'number'],
    ['required: false', 'number | undefined'],
    ['deprecated: true', 'number | undefined'],
  ])('W09 a query string that is %s is one value', (flag, type) => {
    const content = 'content: { application/json: { schema: { type: number, format: double } } }';
    const text = printOneOperation(
      `parameters: [{ name: id, in: querystring, ${flag}, ${content} }]\n${OK}`,
      '',
      '3.2.0',
    );
    expect(lineOf('querystring', text)).toBe(`querystring: ${type};`);
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
      parameters: [{ name: q, in: query, required: true, schema: { type: number, format: double } }]
      responses: {}
`);
    expect(lineOf('path', text)).toBe('path: { id: string };');
    expect(lineOf('query', text)).toBe('query: { q: number };');
    expect(lineOf('header', text)).toBe('header: { q?: string | undefined };');
  });
});

describe('bodies', () => {
  test.each(tableOf(cases, 'bodies'))('%s', (_, requestBody = '', ...want) => {
    const text = printOneOperation(`requestBody: ${requestBody}\n${OK}`, COMPONENTS);
    expect(lineOf('body', text)).toBe(`body: ${want.join(' | ')};`);
  });

  test('no request body', () => {
    expect(lineOf('body', printOneOperation(OK))).toBeUndefined();
  });

  test.each(['get', 'head', 'delete'])(
    'B06 V41 %s has none in 3.0, and what is described from 3.1 on',
    (method) => {
      const described = `
paths:
  /a:
    ${method}:
      operationId: act
      requestBody: { content: { application/json: { schema: { type: string } } } }
      responses: {}
`;
      expect(lineOf('body', printDocument(described))).toBeUndefined();
      expect(lineOf('body', printDocument(described, '3.1.2'))).toBe('body: string | undefined;');
    },
  );
});

/** The responses that `*name` stands for in the cases. */
const shorthands: Readonly<Record<string, string>> = {
  none: '{ description: A }',
  text: '{ description: A, content: { a/b: { schema: { type: string } } } }',
  number: '{ description: A, content: { a/b: { schema: { type: number, format: double } } } }',
  any: '{ description: A, content: { a/b: {} } }',
  account:
    "{ description: A, content: { a/b: { schema: { $ref: '#/components/schemas/Account' } } } }",
  moved: '{ description: A, headers: { Location: { required: true, schema: { type: string } } } }',
};

describe('responses', () => {
  test.each(tableOf(cases, 'responses'))('%s', (_, responses = '', ...want) => {
    const written = responses.replaceAll(/\*(\w+)/g, (_all, name) => shorthands[name] ?? '');
    const text = printOneOperation(`responses: ${written}`, COMPONENTS);
    const response = text.slice(text.indexOf('response:')).replaceAll('\n    ', '\n');
    expect(response.replace(/^response:\s/, '')).toBe(`${readText(want.join(' | '))};`);
  });
});

test.each([
  [
    'deprecated: true, x-deprecated-since: 2026-01-01, x-sunset: 2027-06-30',
    '@deprecated since 2026-01-01, gone after 2027-06-30',
    '',
  ],
  ['deprecated: true, x-sunset: 2027-06-30', '@deprecated gone after 2027-06-30', ''],
  ['deprecated: true', undefined, '; headers: { Sunset: string }'],
  ['x-sunset: 2027-06-30', undefined, ''],
])('the types of an operation with %s', (fields, words, headers) => {
  const sunset = 'headers: { Sunset: { required: true, schema: { type: string } } }';
  const responses = `{ '200': { description: A, ${sunset} } }`;
  const text = printDocument(`paths: { /a: { get: { ${fields}, responses: ${responses} } } }`);
  expect(/@deprecated.*/.exec(text)?.[0]).toBe(words);
  expect(text).toContain(`response: { status: 200${headers} };`);
});

describe('principal', () => {
  test.each(valuesOf<[title: string, security: string, want?: string]>(cases, 'principal'))(
    '%s',
    (_, security, want) => {
      expect(lineOf('principal', printOneOperation(security + OK, COMPONENTS))).toBe(want);
    },
  );

  test.each([
    ['S02 the root requirement counts', '', "principal: 'required';"],
    ['S02 an empty list removes it', 'security: []\n', undefined],
  ])('%s', (_, security, want) => {
    const text = printOneOperation(security + OK, `${COMPONENTS}\nsecurity: [{ key: [] }]\n`);
    expect(lineOf('principal', text)).toBe(want);
  });
});
