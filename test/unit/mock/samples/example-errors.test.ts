/** Examples that do not fit are found where they stand, and those that fit are not. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { exampleProblems } from '../../../../src/mock/samples/example-errors';
import { readText, tableOf, writtenOut } from '../../../support/text-cases';

const thing = {
  type: 'object',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    secret: { type: 'string', writeOnly: true },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
  },
};

const problemsIn = (
  schemas: object,
  content: object = {},
  parameters: object = {},
  openapi = '3.0.3',
) => {
  const document = parseApiDocument(
    'specs/test.yaml',
    stringify({
      openapi,
      info: { title: 'Test', version: '1' },
      paths: { '/a': { get: { responses: { 200: { description: 'Fine', content } } } } },
      components: {
        schemas: { Thing: thing, ...schemas },
        parameters,
        examples: { Good: { value: { id: 3 } }, Bad: { value: { id: [] } } },
      },
    }),
  );
  return [...exampleProblems(document, schemaContext(document))]
    .flat()
    .map(({ pointer, message }) => ({ pointer, message }));
};

const cases = join(__dirname, 'example-errors.cases.txt');

const read = (text: string): object => parse(writtenOut(text));

describe('examples that fit', () => {
  test.each(tableOf(cases, 'schemas that fit'))('%s', (_title, schemas = '') => {
    expect(problemsIn(read(schemas))).toEqual([]);
  });

  test.each(tableOf(cases, 'contents that fit'))('%s', (_title, content = '') => {
    expect(problemsIn({}, read(content), {}, '3.2.0')).toEqual([]);
  });
});

describe('examples that do not fit', () => {
  const at = '/paths/~1a/get/responses/200/content/application~1';
  const schemas = '/components/schemas/A';
  test.each(tableOf(cases, 'schemas that do not fit'))(
    '%s',
    (_title, given = '', place = '', message = '') => {
      expect(problemsIn(read(given))).toEqual([
        { pointer: schemas + place, message: expect.stringContaining(readText(message)) },
      ]);
    },
  );

  test.each(tableOf(cases, 'contents that do not fit'))(
    '%s',
    (_title, content = '', places = '') => {
      const pointers = places.split(' ').map((place) => at + place);
      const problems = problemsIn({}, read(content), {}, '3.2.0');
      expect(problems.map(({ pointer }) => pointer)).toEqual(pointers);
    },
  );

  test('of a media type by its name: once for each media type that it is used as', () => {
    const document = parseApiDocument(
      'specs/test.yaml',
      stringify({
        openapi: '3.2.0',
        info: { title: 'Test', version: '1' },
        components: {
          mediaTypes: {
            A: { schema: { type: 'integer' }, examples: { a: { serializedValue: '"x"' } } },
            B: { $ref: '#/components/mediaTypes/A' },
            C: { schema: { type: 'integer' }, example: 'unused' },
          },
          responses: {
            One: { content: { 'application/json': { $ref: '#/components/mediaTypes/B' } } },
            Two: { content: { 'application/json': { $ref: '#/components/mediaTypes/A' } } },
          },
        },
      }),
    );
    const problems = [...exampleProblems(document, schemaContext(document))].flat();
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/components/mediaTypes/C/example',
      '/components/mediaTypes/A/examples/a',
    ]);
    expect(document.declared.contents.map(({ pointer, key }) => [pointer, key])).toEqual([
      ['/components/responses/One/content/application~1json', 'application/json'],
      ['/components/responses/Two/content/application~1json', 'application/json'],
    ]);
  });

  test('a parameter', () => {
    const parameters = { P: { name: 'p', in: 'query', schema: { type: 'integer' }, example: 'x' } };
    expect(problemsIn({}, {}, parameters)).toEqual([
      {
        pointer: '/components/parameters/P/example',
        message: expect.stringMatching(/must be an integer/),
      },
    ]);
  });
});

describe('errors', () => {
  const integer = { type: 'integer' };
  const code = (more: object) => ({
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { ...integer, ...more }, message: { type: 'string' } },
  });
  const [text, list] = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }];
  const faults = (properties: object) => ({
    type: 'object',
    required: ['detail'],
    properties: {
      detail: {
        type: 'array',
        items: { type: 'object', required: Object.keys(properties), properties },
      },
    },
  });
  const told = (places: string) =>
    `Errors have no value for ${places}, and the server makes one of the schema where it can. Give the response an example, or do not require it.`;
  test.each<[name: string, content: object, message: string | undefined]>([
    ['that fit', { schema: code({}) }, undefined],
    ['that fit as texts', { schema: code({ type: 'string' }) }, undefined],
    ['that do not', { schema: code({ minimum: 10000 }) }, told('/code')],
    [
      'with an example',
      { schema: code({ minimum: 10000 }), example: { code: 10000, message: 'a' } },
      undefined,
    ],
    ['that nothing fits', { schema: code({ minimum: 2, maximum: 1 }) }, told('the body')],
    ['that fit by their names', { schema: faults({ loc: list, msg: text }) }, undefined],
    ['that fit in part', { schema: faults({ msg: text, url: text }) }, told('/detail/0/url')],
    [
      'of one value',
      { schema: { type: 'object', required: ['ok'], properties: { ok: { enum: ['no'] } } } },
      undefined,
    ],
  ])('%s', (_name, media, message) => {
    const responses = {
      200: { description: 'Fine' },
      404: { description: 'No', content: { 'application/json': media } },
    };
    const document = parseApiDocument(
      'specs/test.yaml',
      stringify({
        openapi: '3.0.3',
        info: { title: 'Test', version: '1' },
        paths: { '/a': { get: { responses } } },
      }),
    );
    const problems = [...exampleProblems(document, schemaContext(document))].flat();
    expect(problems.map(({ rule, pointer, message: text }) => [rule, pointer, text])).toEqual(
      message === undefined ? [] : [['error-schema', '/paths/~1a/get/responses/404', message]],
    );
  });
});
