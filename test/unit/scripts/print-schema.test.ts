import { describe, expect, test } from '@jest/globals';
import { printSchema } from '../../../scripts/print-schema';
import { type Schema, schemaContext } from '../../../scripts/schema-source';
import { namedSchemas } from './named-schemas';

const pet: Schema = {
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const account: Schema = {
  type: 'object',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'integer', readOnly: true },
    secret: { type: 'string', writeOnly: true },
  },
};
const schemas = namedSchemas(
  { Pet: pet, Account: account, Owner: { properties: { account: { $ref: ref('Account') } } } },
  {
    '#/components/parameters/Status/schema': { type: 'string', enum: ['a', 'b'] },
    '#/paths/~1a/node': { type: 'object', properties: { next: { $ref: '#/paths/~1a/node' } } },
  },
);

function ref(component: string): string {
  return `#/components/schemas/${component}`;
}

const print = (schema: Schema, direction: 'request' | 'reply' = 'request') =>
  printSchema(schema, schemaContext(schemas, direction));

type Case = readonly [title: string, given: Schema, want: string];

describe('scalars', () => {
  test.each<Case>([
    ['int64', { type: 'integer', format: 'int64' }, 'bigint'],
    ['int32', { type: 'integer', format: 'int32' }, 'number'],
    ['integer', { type: 'integer' }, 'number'],
    ['number', { type: 'number', format: 'double' }, 'number'],
    ['boolean', { type: 'boolean' }, 'boolean'],
    ['string', { type: 'string' }, 'string'],
    ['date-time', { type: 'string', format: 'date-time' }, 'string'],
    ['byte', { type: 'string', format: 'byte' }, 'string'],
    ['binary', { type: 'string', format: 'binary' }, 'Uint8Array'],
    ['D05 an unknown format', { type: 'string', format: 'x' }, 'string'],
    ['no type', {}, 'unknown'],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('enums', () => {
  test.each<Case>([
    ['texts', { type: 'string', enum: ['À la vente', "it's"] }, "'À la vente' | 'it\\'s'"],
    ['numbers', { type: 'integer', enum: [1, 2] }, '1 | 2'],
    ['int64', { type: 'integer', format: 'int64', enum: [1] }, '1n'],
    [
      'int64 beyond 2^53',
      { type: 'integer', format: 'int64', enum: [9223372036854775807n] },
      '9223372036854775807n',
    ],
    ['booleans', { type: 'boolean', enum: [true] }, 'true'],
    ['values of another type are left out', { type: 'string', enum: ['a', 1] }, "'a'"],
    ['only values of another type', { type: 'string', enum: [1] }, 'string'],
    ['without a type', { enum: ['a', 1, null] }, "'a' | 1 | null"],
    [
      'an array of them',
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      "Array<'a' | 'b'>",
    ],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('D01 nullable', () => {
  test.each<Case>([
    ['with a type', { type: 'string', nullable: true }, 'string | null'],
    ['without a type', { nullable: true, oneOf: [{ type: 'string' }] }, 'string'],
    [
      'an enum that lists null',
      { type: 'string', nullable: true, enum: ['a', null] },
      "'a' | null",
    ],
    ['an enum that does not', { type: 'string', nullable: true, enum: ['a'] }, "'a'"],
    ['null in an enum alone', { type: 'string', enum: ['a', null] }, "'a'"],
    [
      'inside an array',
      { type: 'array', items: { type: 'number', nullable: true } },
      'Array<number | null>',
    ],
  ])('D01 %s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

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

describe('D03 directions', () => {
  test.each([
    ['a request', 'request', account, '{ secret: string }'],
    ['a reply', 'reply', account, '{ id: number }'],
    ['a component in a request', 'request', { $ref: ref('Account') }, 'Account'],
    ['a component in a reply', 'reply', { $ref: ref('Account') }, 'AccountReply'],
    ['what refers to it, in a reply', 'reply', { $ref: ref('Owner') }, 'OwnerReply'],
    ['what does not differ, in a reply', 'reply', { $ref: ref('Pet') }, 'Pet'],
    [
      'a required property that does not travel',
      'reply',
      { allOf: [{ $ref: ref('Account') }], required: ['id', 'secret'] },
      'AccountReply & { id: number }',
    ],
  ] as const)('D03 %s', (_, direction, given, want) => {
    expect(print(given as unknown as Schema, direction)).toBe(want);
  });
});
