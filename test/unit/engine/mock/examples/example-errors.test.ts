/** Examples that do not fit are found where they stand, and those that fit are not. */

import { describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { parseApiDocument } from '../../../../../src/engine/document/document';
import { schemaContext } from '../../../../../src/engine/document/model/schema-context';
import { exampleProblems } from '../../../../../src/engine/mock/example-errors';

const thing = {
  type: 'object',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    secret: { type: 'string', writeOnly: true },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
  },
};

const problemsIn = (schemas: object, content: object = {}, parameters: object = {}) => {
  const document = parseApiDocument(
    'specs/test.yaml',
    stringify({
      openapi: '3.0.3',
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

const ref = { $ref: '#/components/schemas/Thing' };

describe('examples that fit', () => {
  test.each([
    ['a scalar', { A: { type: 'string', example: 'x' } }],
    ['int64 by allOf', { A: { allOf: [{ type: 'integer' }, { format: 'int64' }], example: 5 } }],
    ['binary', { A: { type: 'string', format: 'binary', example: 'bytes' } }],
    ['what requests carry', { A: { allOf: [ref], example: { secret: 's' } } }],
    ['what replies carry', { A: { allOf: [ref], example: { id: 1, parts: [{ id: 2 }] } } }],
    ['a schema that is at fault itself', { A: { type: 'strin', example: 5 } }],
    ['a schema that leads nowhere', { A: { allOf: [{ $ref: '#/nowhere' }], example: 5 } }],
    ['an example of any value', { A: { example: { a: 1 } } }],
  ])('%s', (_title, schemas) => {
    expect(problemsIn(schemas)).toEqual([]);
  });

  test.each([
    ['JSON', { 'application/json': { schema: ref, example: { id: 1 } } }],
    ['JSON as text', { 'application/json': { schema: ref, example: '{"id": 1}' } }],
    ['XML', { 'application/xml': { schema: ref, example: '<Thing><id>1</id></Thing>' } }],
    ['YAML', { 'application/yaml': { schema: ref, example: 'id: 1' } }],
    ['a format that we do not read', { 'text/csv': { schema: ref, example: 'a,b' } }],
    [
      'a reference',
      {
        'application/json': {
          schema: ref,
          examples: { g: { $ref: '#/components/examples/Good' } },
        },
      },
    ],
  ])('%s', (_title, content) => {
    expect(problemsIn({}, content)).toEqual([]);
  });
});

describe('examples that do not fit', () => {
  const at = '/paths/~1a/get/responses/200/content/application~1';
  const schemas = '/components/schemas/A';
  test.each([
    [
      'a scalar',
      { A: { type: 'string', example: 1 } },
      `${schemas}/example`,
      /: must be a string\. /,
    ],
    [
      'a property',
      { A: { type: 'object', properties: { n: { type: 'integer', minimum: 3, example: 2 } } } },
      `${schemas}/properties/n/example`,
      /must be at least 3/,
    ],
    [
      'an object',
      { A: { allOf: [ref], example: { id: 'x' } } },
      `${schemas}/example`,
      /\/id must be/,
    ],
    [
      'no branch',
      { A: { oneOf: [{ type: 'string' }, { type: 'integer' }], example: true } },
      `${schemas}/example`,
      /must be/,
    ],
  ])('%s', (_title, given, pointer, message) => {
    expect(problemsIn(given)).toEqual([{ pointer, message: expect.stringMatching(message) }]);
  });

  test.each([
    ['JSON', { 'application/json': { schema: ref, example: { id: 'x' } } }, `${at}json/example`],
    [
      'XML',
      { 'application/xml': { schema: ref, example: '<Thing><id>x</id></Thing>' } },
      `${at}xml/example`,
    ],
    ['YAML', { 'application/yaml': { schema: ref, example: 'id: x' } }, `${at}yaml/example`],
    [
      'text that is no XML',
      { 'application/xml': { schema: ref, example: '<Thing>' } },
      `${at}xml/example`,
    ],
    [
      'one of several',
      {
        'application/json': {
          schema: ref,
          examples: {
            good: { value: { id: 1 } },
            'a/b': { value: 1 },
            r: { $ref: '#/components/examples/Bad' },
          },
        },
      },
      `${at}json/examples/a~1b`,
      `${at}json/examples/r`,
    ],
  ])('%s', (_title, content, ...pointers) => {
    expect(problemsIn({}, content).map(({ pointer }) => pointer)).toEqual(pointers);
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
