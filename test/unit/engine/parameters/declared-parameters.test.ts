/** Parameter Objects as the document writes them, down to what is read. */

import { describe, expect, test } from '@jest/globals';
import type { OpenAPIV3 } from 'openapi-types';
import { resolveParameters } from '../../../../src/engine/document/model/resolve-parameter';
import { referencesOf } from '../../../../src/engine/document/references/references';
import { readAll } from './read-parameter';

const records = (
  operation: OpenAPIV3.ParameterObject[],
  pathItem: OpenAPIV3.ParameterObject[] = [],
) =>
  resolveParameters(
    { parameters: pathItem },
    { parameters: operation, responses: {} },
    referencesOf({}),
  );

test.each([
  ['query', 'form', true],
  ['cookie', 'form', true],
  ['path', 'simple', false],
  ['header', 'simple', false],
] as const)('P01 in %s the style is %s, explode %s', (location, style, explode) => {
  expect(records([{ name: 'p', in: location }])).toMatchObject([{ style, explode }]);
});

test.each(['spaceDelimited', 'pipeDelimited', 'deepObject'])(
  'P01 explode is false for %s',
  (style) => {
    expect(records([{ name: 'p', in: 'query', style }])).toMatchObject([{ explode: false }]);
  },
);

test.each(['Accept', 'content-type', 'AUTHORIZATION'])('P13 header %s is ignored', (name) => {
  const parameters = records([{ name, in: 'header', required: true }]);
  expect(readAll(parameters, {}).errors).toEqual([]);
});

describe('P15 parameters of the operation and of its path', () => {
  const ofPath: OpenAPIV3.ParameterObject[] = [
    { name: 'a', in: 'query', schema: { type: 'integer' } },
    { name: 'b', in: 'query', required: true, schema: { type: 'integer' } },
  ];
  test.each([
    [
      'the operation overrides',
      [{ name: 'a', in: 'query', schema: { type: 'string' } }],
      { a: '1', b: 2 },
    ],
    ['another location is another parameter', [{ name: 'a', in: 'header' }], { a: 1, b: 2 }],
    ['nothing is removed', [], { a: 1, b: 2 }],
  ] satisfies [string, OpenAPIV3.ParameterObject[], object][])('%s', (_title, operation, want) => {
    const { values } = readAll(records(operation, ofPath), { query: 'a=1&b=2' });
    expect(values.query).toEqual(want);
  });
});

test.each([
  ['absent', '', { values: { status: ['available'] }, errors: 0 }],
  ['separated', 'status=sold,pending', { values: { status: ['sold', 'pending'] }, errors: 0 }],
  ['twice', 'status=sold&status=sold', { values: {}, errors: 1 }],
])('P21 x-comma-separated on a single value: %s', (_title, query, want) => {
  const parameters = records([
    {
      name: 'status',
      in: 'query',
      schema: { type: 'string', default: 'available' },
      ...{ 'x-comma-separated': true },
    },
  ]);
  const { values, errors } = readAll(parameters, { query });
  expect({ values: values.query, errors: errors.length }).toEqual(want);
});
