import { describe, expect, test } from '@jest/globals';
import { printSchema } from '../../../../scripts/generate/print-schema';
import { type Schema, schemaContext } from '../../../../scripts/generate/schema-source';
import { namedSchemas } from './named-schemas';

const pet: Schema = {
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const schemas = namedSchemas(
  { Pet: pet, Owner: { properties: { pet: { $ref: ref('Pet') } } } },
  {
    '#/components/parameters/Status/schema': { type: 'string', enum: ['a', 'b'] },
    '#/paths/~1a/node': { type: 'object', properties: { next: { $ref: '#/paths/~1a/node' } } },
  },
);

function ref(component: string): string {
  return `#/components/schemas/${component}`;
}

const print = (schema: Schema) => printSchema(schema, schemaContext(schemas, 'request'));

type Case = readonly [title: string, given: Schema, want: string];

describe('objects and arrays', () => {
  test.each<Case>([
    [
      'required and optional properties',
      { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: {} } },
      '{ a: string; b?: unknown }',
    ],
    [
      'a described property',
      { properties: { a: { type: 'string', description: 'First' } } },
      '{\n  /** First */\n  a?: string | undefined;\n}',
    ],
    [
      'a required property that is not described',
      { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } },
      '{ a: string; b: unknown }',
    ],
    ['D06 no properties', { type: 'object' }, '{ [name: string]: unknown }'],
    ['no properties allowed', { type: 'object', additionalProperties: false }, '{}'],
    [
      'R12 a map',
      { type: 'object', additionalProperties: { type: 'integer' } },
      '{ [name: string]: number }',
    ],
    [
      'a map with declared properties',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, b: { type: 'boolean' } },
        additionalProperties: { type: 'integer' },
      },
      '{\n  a: string;\n  b?: boolean | undefined;\n  [name: string]: number | string | boolean | undefined;\n}',
    ],
    [
      'anything beside declared properties',
      { properties: { a: { type: 'string' } }, additionalProperties: true },
      '{ a?: string | undefined; [name: string]: unknown }',
    ],
    ['an array', { type: 'array', items: { $ref: ref('Pet') } }, 'Pet[]'],
    [
      'an array of arrays',
      { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      'Array<string[]>',
    ],
    [
      'an object in an object',
      { properties: { a: { properties: { b: { type: 'string' } } } } },
      '{ a?: { b?: string | undefined } | undefined }',
    ],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('composition', () => {
  test.each<Case>([
    [
      'X28 allOf',
      { allOf: [{ $ref: ref('Pet') }, { properties: { a: { type: 'string' } } }] },
      'Pet & { a?: string | undefined }',
    ],
    ['allOf of one', { allOf: [{ $ref: ref('Pet') }] }, 'Pet'],
    [
      'allOf beside own properties',
      { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ $ref: ref('Pet') }] },
      '{ a?: string | undefined } & Pet',
    ],
    ['allOf beside a bare type', { type: 'object', allOf: [{ $ref: ref('Pet') }] }, 'Pet'],
    [
      'a property that an allOf member declares is required here',
      { allOf: [{ $ref: ref('Pet') }], required: ['id'] },
      'Pet & { id: bigint }',
    ],
    [
      'oneOf',
      { oneOf: [{ $ref: ref('Pet') }, { type: 'string' }, { type: 'string' }] },
      'Pet | string',
    ],
    [
      'anyOf',
      { anyOf: [{ type: 'integer', format: 'int64' }, { type: 'string' }] },
      'bigint | string',
    ],
    [
      'an array of anyOf',
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      'Array<string | number>',
    ],
    [
      'anyOf that only narrows a scalar',
      {
        type: 'integer',
        format: 'int64',
        anyOf: [{ maximum: 5 }, { type: 'integer', minimum: 11 }],
      },
      'bigint',
    ],
    [
      'a scalar whose format stands in another member',
      { allOf: [{ type: 'integer' }, { format: 'int64' }] },
      'bigint',
    ],
    [
      'the same choice twice',
      {
        allOf: [
          { properties: { a: { type: 'string' } } },
          { allOf: [{ enum: ['a', 'b'] }, { enum: ['a', 'b'] }] },
        ],
      },
      "{ a?: string | undefined } & ('a' | 'b')",
    ],
    [
      'oneOf beside own properties',
      {
        properties: { kind: { type: 'string' } },
        oneOf: [{ $ref: ref('Pet') }, { $ref: ref('Owner') }],
      },
      '{ kind?: string | undefined } & (Pet | Owner)',
    ],
    ['a branch that allows anything', { oneOf: [{ type: 'string' }, {}] }, 'unknown'],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('references', () => {
  test.each<Case>([
    ['to a component', { $ref: ref('Pet') }, 'Pet'],
    ['to another place', { $ref: '#/components/parameters/Status/schema' }, "'a' | 'b'"],
    [
      'D10 that lead nowhere',
      { $ref: ref('Category') },
      'unknown /* unresolved: #/components/schemas/Category */',
    ],
    [
      'D10 an optional property of such a type',
      { properties: { category: { $ref: ref('Category') } } },
      '{ category?: unknown /* unresolved: #/components/schemas/Category */ }',
    ],
    [
      'D09 that lead in a circle',
      { $ref: '#/paths/~1a/node' },
      '{ next?: unknown /* recursive: #/paths/~1a/node */ }',
    ],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});
