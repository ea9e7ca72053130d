import { describe, expect, test } from '@jest/globals';
import type { Schema } from '../../../../../src/engine/schema/shape';
import { validatorsOf } from './validators-of';

type Case = [title: string, schema: object, value: unknown, want: readonly string[]];

const check = (_title: string, schema: object, value: unknown, want: readonly string[]): void => {
  const faults = validatorsOf().validatorOf(schema as Schema, 'storage')(value);
  expect(faults.map(({ path }) => path)).toEqual(want);
};

const [valid, invalid] = [[], ['']];
const int64 = { type: 'integer', format: 'int64' };
const int32 = { type: 'integer', format: 'int32' };

describe('types and nullable', () => {
  test.each<Case>([
    ['D01 nullable without a type: nothing forbids null', { nullable: true }, null, valid],
    [
      'D01 nullable of a member does not reach the schema',
      { type: 'string', allOf: [{ nullable: true }] },
      null,
      invalid,
    ],
    ['D01 an enum with null needs nullable', { type: 'string', enum: ['a', null] }, null, invalid],
    [
      'X33 nullable, enum and format together',
      { ...int64, nullable: true, enum: [1] },
      3n,
      invalid,
    ],
    ['D02 text is no integer', { type: 'integer' }, '77', invalid],
    ['D02 text is no boolean', { type: 'boolean' }, 'true', invalid],
    ['D02 a boolean', { type: 'boolean' }, false, valid],
    ['D02 a list is no object', { type: 'object' }, [], invalid],
    ['D02 null is no object', { type: 'object' }, null, invalid],
    ['D02 bytes are no object', { type: 'object' }, new Uint8Array(2), invalid],
    ['D02 an object is no list', { type: 'array', items: {} }, { length: 0 }, invalid],
    ['D02 a number is finite', { type: 'number' }, Number.POSITIVE_INFINITY, invalid],
    ['D02 NaN is no number', { type: 'number' }, Number.NaN, invalid],
    ['D02 a bigint is a number', { type: 'number' }, 2n ** 70n, valid],
    ['D02 a fraction is no integer', { type: 'integer' }, 1.5, invalid],
    ['D02 an integral float is an integer', { type: 'integer' }, 1.0, valid],
    ['an absent value fits no type', { type: 'string' }, undefined, invalid],
  ])('%s', check);
});

describe('D05 numeric formats', () => {
  test.each<Case>([
    ['int32 as bigint', int32, 5n, valid],
    ['int32 as bigint, above', int32, 2n ** 31n, invalid],
    ['int64 as a safe number', int64, 2 ** 53 - 1, valid],
    ['int64 as a number that was rounded', int64, 2 ** 53, invalid],
    ['an integer without format, greatest', { type: 'integer' }, 2 ** 53 - 1, valid],
    ['an integer without format, beyond 2^53', { type: 'integer' }, 2n ** 53n, invalid],
    ['an integer without format, safe bigint', { type: 'integer' }, -5n, valid],
    ['float within single precision', { type: 'number', format: 'float' }, 3.4e38, valid],
    ['float beyond single precision', { type: 'number', format: 'float' }, 3.5e38, invalid],
    ['float that single precision rounds', { type: 'number', format: 'float' }, 0.1, valid],
    ['double', { type: 'number', format: 'double' }, 1.7e308, valid],
    ['double beyond its range', { type: 'number', format: 'double' }, 10n ** 309n, invalid],
    ['a number with the format int32', { type: 'number', format: 'int32' }, 1.5, invalid],
    ['a format of another type is ignored', { type: 'integer', format: 'date' }, 5, valid],
    ['binary', { type: 'string', format: 'binary' }, new Uint8Array(1), valid],
    ['text is not binary', { type: 'string', format: 'binary' }, 'text', invalid],
    ['binary is not text', { type: 'string' }, new Uint8Array(1), invalid],
  ])('D05 %s', check);
});

describe('limits', () => {
  const outside = { ...int64, anyOf: [{ maximum: 5 }, { minimum: 11 }] };
  test.each<Case>([
    ['D02 exclusiveMaximum, just below', { maximum: 5, exclusiveMaximum: true }, 4.999, valid],
    ['D02 limits say nothing of text', { minimum: 5, multipleOf: 2 }, '1', valid],
    ['a limit beyond 2^53, kept', { ...int64, maximum: 2n ** 60n }, 2n ** 60n, valid],
    [
      'a limit beyond 2^53, missed by one',
      { ...int64, maximum: 2n ** 60n },
      2n ** 60n + 1n,
      invalid,
    ],
    ['a bigint against a fraction', { minimum: 4.5 }, 5n, valid],
    ['a limit under a typed parent, low', outside, 5n, valid],
    ['a limit under a typed parent, between', outside, 6n, invalid],
    ['a limit under a typed parent, between, high', outside, 10n, invalid],
    ['a limit under a typed parent, high', outside, 2n ** 62n, valid],
    ['multipleOf a decimal', { type: 'number', multipleOf: 0.01 }, 19.99, valid],
    ['multipleOf a decimal, missed', { type: 'number', multipleOf: 0.01 }, 19.995, invalid],
    ['multipleOf with bigint', { ...int64, multipleOf: 3 }, 2n ** 62n, invalid],
    ['multipleOf with an infinite value', { multipleOf: 3 }, Number.POSITIVE_INFINITY, invalid],
    ['enum across number and bigint', { enum: [1, 2] }, 1n, valid],
    ['enum of bigints', { enum: [2n ** 60n] }, 2n ** 60n, valid],
    ['enum of objects', { enum: [{ a: [1], b: null }] }, { b: null, a: [1n] }, valid],
    ['enum does not mix text and number', { enum: [1] }, '1', invalid],
    ['enum does not mix text and null', { enum: [null] }, 'null', invalid],
    ['uniqueItems', { uniqueItems: true }, [1, '1', null, [1], { a: 1 }], valid],
    ['uniqueItems across number and bigint', { uniqueItems: true }, [1, 1n], invalid],
    [
      'uniqueItems of objects',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      invalid,
    ],
    ['minItems', { minItems: 1 }, [], invalid],
    ['maxItems', { maxItems: 1 }, [1, 2], invalid],
    ['minProperties', { minProperties: 1 }, {}, invalid],
    ['maxProperties', { maxProperties: 1 }, { a: 1, b: 2 }, invalid],
  ])('%s', check);
});

describe('text and binary', () => {
  const binary = { type: 'string', format: 'binary' };
  test.each<Case>([
    ['lengths count code points', { maxLength: 2 }, '😀😀', valid],
    ['one code point too many', { maxLength: 2 }, '😀😀a', invalid],
    ['one code point too few', { minLength: 3 }, '😀😀', invalid],
    ['just enough code points', { minLength: 2 }, '😀😀', valid],
    ['empty text', { minLength: 1 }, '', invalid],
    ['lengths of binary count bytes', { ...binary, maxLength: 3 }, new Uint8Array(3), valid],
    ['an byte too many', { ...binary, maxLength: 3 }, new Uint8Array(4), invalid],
    ['an byte too few', { ...binary, minLength: 3 }, new Uint8Array(2), invalid],
    ['lengths say nothing of numbers', { minLength: 5 }, 1, valid],
    ['a pattern is not anchored', { pattern: 'b' }, 'abc', valid],
    ['a pattern that does not match', { pattern: '^b' }, 'abc', invalid],
    ['a pattern works on code points', { pattern: '^.$' }, '😀', valid],
    ['a pattern with Unicode properties', { pattern: '^\\p{Lu}' }, 'Élan', valid],
    ['a pattern that u forbids', { pattern: '^[\\w\\-_\\.]+\\@x$' }, 'a-b@x', valid],
    ['a plain pattern over long text', { pattern: '^[a-z]*$' }, 'a'.repeat(1e6), valid],
    ['a pattern that may backtrack, long text', { pattern: '(a+)b+' }, 'a'.repeat(1e6), invalid],
    ['a pattern says nothing of numbers', { pattern: '^b' }, 5, valid],
  ])('%s', check);
});

describe('objects', () => {
  const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
  const proto = JSON.parse('{"__proto__": {"x": 1}}');
  const protoSchema = JSON.parse('{"properties": {"__proto__": {"type": "integer"}}}');
  test.each<Case>([
    ['D06 unless forbidden', closed, { a: 1, b: 2, 'c/d~': 3 }, ['/b', '/c~1d~0']],
    [
      'D06 or of another schema',
      { additionalProperties: { type: 'integer' } },
      { sold: 1, new: 'x' },
      ['/new'],
    ],
    ['a missing property has its own pointer', { required: ['a/b', 'c'] }, { c: 1 }, ['/a~1b']],
    ['an undefined property is missing', { required: ['a'] }, { a: undefined }, ['/a']],
    ['an inherited name is missing', { required: ['constructor'] }, {}, ['/constructor']],
    ['an own constructor is there', { required: ['constructor'] }, { constructor: 1 }, valid],
    [
      '__proto__ is a name like any other: required',
      { required: ['__proto__'] },
      {},
      ['/__proto__'],
    ],
    ['__proto__ is a name like any other: there', { required: ['__proto__'] }, proto, valid],
    ['__proto__ is a name like any other: checked', protoSchema, proto, ['/__proto__']],
    ['__proto__ is a name like any other: undeclared', closed, proto, ['/__proto__']],
    ['required: true says nothing', { properties: { a: { required: true } } }, { a: 1 }, valid],
    [
      'faults at every level',
      { properties: { a: { items: { type: 'string' } }, b: { type: 'string' } } },
      { a: ['x', 5, 6], b: 7 },
      ['/b', '/a/1', '/a/2'],
    ],
    ['one fault a place', { enum: ['a'], minLength: 3, pattern: 'x' }, 'bb', invalid],
    [
      'unknown keywords are ignored',
      { type: 'string', 'x-colour': 1, xml: {}, example: 5, const: 7, externalDocs: 5 },
      'x',
      valid,
    ],
  ])('%s', check);
});
