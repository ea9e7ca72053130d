import { describe, expect, test } from '@jest/globals';
import type { Schema } from '../../../../../src/engine/schema/shape';
import { refTo, validatorsOf } from './validators-of';

const cat = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { type: 'string', enum: ['cat'] }, lives: { type: 'integer' } },
};
const dog = {
  type: 'object',
  required: ['kind', 'name'],
  properties: { kind: { type: 'string', enum: ['dog'] }, name: { type: 'string' } },
};
const tooLong = 'x'.repeat(3000);

type Case = [title: string, schema: object, value: unknown, want: Record<string, string>];

describe('what a fault says', () => {
  test.each<Case>([
    [
      'an int64',
      { type: 'integer', format: 'int64' },
      'secret',
      { '': 'must be an integer between -9223372036854775808 and 9223372036854775807' },
    ],
    ['null allowed', { type: 'string', nullable: true }, 5, { '': 'must be a string, or null' }],
    ['a boolean', { type: 'boolean' }, 'secret', { '': 'must be true or false' }],
    ['an enum', { enum: ['a', 1, null] }, 'secret', { '': 'must be one of: a, 1, null' }],
    ['an enum of one', { enum: ['a'] }, 'secret', { '': 'must be a' }],
    ['a limit', { minimum: 2n ** 60n }, 1, { '': 'must be at least 1152921504606846976' }],
    [
      'an exclusive limit',
      { maximum: 1, exclusiveMaximum: true },
      1,
      { '': 'must be less than 1' },
    ],
    ['a step', { multipleOf: 0.01 }, 0.001, { '': 'must be a multiple of 0.01' }],
    ['a length', { minLength: 1 }, '', { '': 'must be at least 1 character long' }],
    [
      'a length in bytes',
      { type: 'string', format: 'binary', maxLength: 2 },
      new Uint8Array(3),
      { '': 'must be at most 2 bytes long' },
    ],
    ['a pattern', { pattern: '^[a-z]+$' }, 'SECRET', { '': 'must match the pattern ^[a-z]+$' }],
    [
      'a date-time',
      { format: 'date-time' },
      'secret',
      { '': 'must be a date-time such as 2024-02-29T12:30:00Z' },
    ],
    [
      'a missing property',
      { required: ['name'] },
      {},
      { '/name': 'must have the property "name"' },
    ],
    [
      'a forbidden property',
      { additionalProperties: false },
      { a: 1 },
      { '/a': 'must not be present, since no such property is allowed' },
    ],
    ['items', { minItems: 1 }, [], { '': 'must have at least 1 item' }],
    ['properties', { maxProperties: 0 }, { a: 1 }, { '': 'must have at most 0 properties' }],
    ['duplicates', { uniqueItems: true }, [1, 1], { '': 'must not contain the same item twice' }],
    ['not', { not: {} }, 1, { '': 'must not be of the form that the document excludes' }],
    [
      'short alternatives, side by side',
      { anyOf: [{ maximum: 5 }, { minimum: 11 }] },
      6n,
      { '': 'must be at most 5, or must be at least 11' },
    ],
    [
      'the alternative of the right type',
      { oneOf: [{ type: 'string' }, cat] },
      { kind: 'cat' },
      { '/lives': 'must have the property "lives"' },
    ],
    [
      'the alternative of the right tag',
      { oneOf: [cat, dog] },
      { kind: 'dog', name: 5 },
      { '/name': 'must be a string' },
    ],
    [
      'the alternative of the right tag, within another union',
      { anyOf: [{ type: 'string' }, { oneOf: [cat, dog] }] },
      { kind: 'cat', lives: 'secret' },
      { '/lives': 'must be an integer between -9007199254740991 and 9007199254740991' },
    ],
    [
      'no such tag',
      { oneOf: [cat, dog] },
      { kind: 'cow' },
      { '': 'must fit exactly one of 2 alternatives' },
    ],
    [
      'several alternatives',
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      5,
      { '': 'must fit exactly one of 2 alternatives, but fits several' },
    ],
    [
      'alternatives of a large value',
      { anyOf: [{ type: 'string' }, { items: { type: 'integer' } }] },
      Array(5000).fill('secret'),
      { '': 'must fit at least one of 2 alternatives' },
    ],
    [
      'a name too long to repeat',
      { properties: { a: { additionalProperties: false } } },
      { a: { [tooLong]: 1 } },
      { '/a': 'must not be present, since no such property is allowed' },
    ],
  ])('%s', (_title, schema, value, want) => {
    const faults = validatorsOf().validatorOf(schema as Schema, 'storage')(value);
    expect(Object.fromEntries(faults.map(({ path, message }) => [path, message]))).toEqual(want);
    expect(JSON.stringify(faults)).not.toMatch(/secret/i);
  });

  test('union branches may be references', () => {
    const { validatorOf } = validatorsOf({ Cat: cat as Schema, Dog: dog as Schema });
    const schema: Schema = { anyOf: [refTo('Cat'), refTo('Dog')] };
    expect(validatorOf(schema, 'storage')({ kind: 'cat', lives: 1.5 })).toEqual([
      {
        path: '/lives',
        message: 'must be an integer between -9007199254740991 and 9007199254740991',
      },
    ]);
  });

  test('at most twenty faults of a small value, one of a large', () => {
    const validate = validatorsOf().validatorOf(
      { type: 'array', items: { type: 'string' } },
      'storage',
    );
    expect(validate(Array(1000).fill(1))).toHaveLength(20);
    expect(validate(Array(1_000_000).fill(1))).toEqual([
      { path: '/0', message: 'must be a string' },
    ]);
  });
});
