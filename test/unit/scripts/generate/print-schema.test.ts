import { describe, expect, test } from '@jest/globals';
import { printSchema } from '../../../../scripts/generate/print-schema';
import { type Schema, schemaContext } from '../../../../scripts/generate/schema-source';
import { namedSchemas } from './named-schemas';

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const int64: Schema = { type: 'integer', format: 'int64' };
const boolean: Schema = { type: 'boolean' };
const pet = to('Pet');

function to(component: string): Schema {
  return { $ref: `#/components/schemas/${component}` };
}

const properties = (named: Readonly<Record<string, Schema>>, required?: string[]): Schema => ({
  type: 'object',
  properties: named,
  ...(required && { required }),
});

const listOf = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (value: unknown[], more: Schema = text): Schema => ({ ...more, enum: value });

const account = properties(
  { id: { ...integer, readOnly: true }, secret: { ...text, writeOnly: true } },
  ['id', 'secret'],
);

const schemas = namedSchemas(
  {
    Pet: properties({ id: int64, name: text }),
    Owner: properties({ pet, account: to('Account') }),
    Account: account,
  },
  {
    '#/components/parameters/Status/schema': oneOf(['a', 'b']),
    '#/paths/~1a/node': properties({ next: { $ref: '#/paths/~1a/node' } }),
  },
);

const print = (schema: Schema, direction: 'request' | 'response' = 'request') =>
  printSchema(schema, schemaContext(schemas, direction));

type Case = readonly [title: string, given: Schema, want: string];

describe('scalars', () => {
  test.each<Case>([
    ['int64', int64, 'bigint'],
    ['int32', { type: 'integer', format: 'int32' }, 'number'],
    ['integer', integer, 'number'],
    ['number', { type: 'number', format: 'double' }, 'number'],
    ['boolean', boolean, 'boolean'],
    ['string', text, 'string'],
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
    ['texts', oneOf(['À la vente', "it's"]), "'À la vente' | 'it\\'s'"],
    ['numbers', oneOf([1, 2], integer), '1 | 2'],
    ['int64', oneOf([1], int64), '1n'],
    ['int64 beyond 2^53', oneOf([9223372036854775807n], int64), '9223372036854775807n'],
    ['booleans', oneOf([true], boolean), 'true'],
    ['values of another type are left out', oneOf(['a', 1]), "'a'"],
    ['only values of another type', oneOf([1]), 'string'],
    ['without a type', oneOf(['a', 1, null], {}), "'a' | 1 | null"],
    ['an array of them', listOf(oneOf(['a', 'b'])), "ReadonlyArray<'a' | 'b'>"],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('D01 nullable', () => {
  test.each<Case>([
    ['with a type', { ...text, nullable: true }, 'string | null'],
    ['without a type', { nullable: true, oneOf: [text] }, 'string'],
    ['an enum that lists null', { ...oneOf(['a', null]), nullable: true }, "'a' | null"],
    ['an enum that does not', { ...oneOf(['a']), nullable: true }, "'a'"],
    ['null in an enum alone', oneOf(['a', null]), "'a'"],
    ['inside an array', listOf({ type: 'number', nullable: true }), 'ReadonlyArray<number | null>'],
  ])('D01 %s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('objects and arrays', () => {
  const required = ['a'];

  test.each<Case>([
    [
      'properties',
      properties({ a: text, b: {} }, ['a']),
      '{ readonly a: string; readonly b?: unknown }',
    ],
    [
      'a described property',
      properties({ a: { ...text, description: 'First' } }),
      '{\n  /** First */\n  readonly a?: string | undefined;\n}',
    ],
    [
      'a required property that is not described',
      properties({ a: text }, ['a', 'b']),
      '{ readonly a: string; readonly b: unknown }',
    ],
    ['D06 no properties', { type: 'object' }, '{ readonly [name: string]: unknown }'],
    ['no properties allowed', { type: 'object', additionalProperties: false }, '{}'],
    [
      'R12 a map',
      { type: 'object', additionalProperties: integer },
      '{ readonly [name: string]: number }',
    ],
    [
      'a map with declared properties',
      { ...properties({ a: text, b: boolean }, required), additionalProperties: integer },
      '{\n  readonly a: string;\n  readonly b?: boolean | undefined;\n  readonly [name: string]: number | string | boolean | undefined;\n}',
    ],
    [
      'anything beside declared properties',
      { ...properties({ a: text }), additionalProperties: true },
      '{ readonly a?: string | undefined; readonly [name: string]: unknown }',
    ],
    ['an array', listOf(pet), 'readonly Pet[]'],
    ['an array of arrays', listOf(listOf(text)), 'ReadonlyArray<readonly string[]>'],
    [
      'an object in an object',
      properties({ a: properties({ b: text }) }),
      '{ readonly a?: { readonly b?: string | undefined } | undefined }',
    ],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('composition', () => {
  const own = properties({ a: text });
  const ownText = '{ readonly a?: string | undefined }';
  const narrowed = [{ maximum: 5 }, { ...integer, minimum: 11 }];

  test.each<Case>([
    ['X28 allOf', { allOf: [pet, own] }, `Pet & ${ownText}`],
    ['allOf of one', { allOf: [pet] }, 'Pet'],
    ['allOf beside own properties', { ...own, allOf: [pet] }, `${ownText} & Pet`],
    ['allOf beside a bare type', { type: 'object', allOf: [pet] }, 'Pet'],
    [
      'a property required here',
      { allOf: [pet], required: ['id'] },
      'Pet & { readonly id: bigint }',
    ],
    ['oneOf', { oneOf: [pet, text, text] }, 'Pet | string'],
    ['anyOf', { anyOf: [int64, text] }, 'bigint | string'],
    ['an array of anyOf', listOf({ anyOf: [text, integer] }), 'ReadonlyArray<string | number>'],
    ['anyOf that only narrows a scalar', { ...int64, anyOf: narrowed }, 'bigint'],
    ['a format that stands in another member', { allOf: [integer, { format: 'int64' }] }, 'bigint'],
    [
      'the same choice twice',
      { allOf: [own, { allOf: [oneOf(['a', 'b'], {}), oneOf(['a', 'b'], {})] }] },
      `${ownText} & ('a' | 'b')`,
    ],
    ['oneOf beside own ones', { ...own, oneOf: [pet, to('Owner')] }, `${ownText} & (Pet | Owner)`],
    ['a branch that allows anything', { oneOf: [text, {}] }, 'unknown'],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('references', () => {
  const unresolved = 'unknown /* unresolved: #/components/schemas/Category */';

  test.each<Case>([
    ['to a component', pet, 'Pet'],
    ['to another place', { $ref: '#/components/parameters/Status/schema' }, "'a' | 'b'"],
    ['D10 that lead nowhere', to('Category'), unresolved],
    ['D10 of such a property', properties({ a: to('Category') }), `{ readonly a?: ${unresolved} }`],
    [
      'D09 that lead in a circle',
      { $ref: '#/paths/~1a/node' },
      '{ readonly next?: unknown /* recursive: #/paths/~1a/node */ }',
    ],
  ])('%s', (_, given, want) => {
    expect(print(given)).toBe(want);
  });
});

describe('D03 as requests and responses carry it', () => {
  const hidden = { allOf: [text, { writeOnly: true }] };
  const strict = { allOf: [to('Account')], required: ['id', 'secret'] };

  test.each<readonly [title: string, given: Schema, request: string, response: string]>([
    ['an object', account, '{ readonly secret: string }', '{ readonly id: number }'],
    ['what its allOf says', properties({ a: hidden }), '{ readonly a?: string | undefined }', '{}'],
    ['a component', to('Account'), 'Account', 'AccountResponse'],
    ['what refers to it', to('Owner'), 'Owner', 'OwnerResponse'],
    ['what does not differ', pet, 'Pet', 'Pet'],
    [
      'a required property that does not travel',
      strict,
      'Account & { readonly secret: string }',
      'AccountResponse & { readonly id: number }',
    ],
  ])('D03 %s', (_, given, request, response) => {
    expect([print(given, 'request'), print(given, 'response')]).toEqual([request, response]);
  });
});
