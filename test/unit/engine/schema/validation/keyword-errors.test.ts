import { describe, expect, test } from '@jest/globals';
import type { Schema } from '../../../../../src/engine/schema/shape';
import { defaultError, keywordError } from '../../../../../src/engine/schema/validation/checks-of';
import { validatorsOf } from './validators-of';

describe('D04 defaults', () => {
  test.each<[string, object, string | undefined]>([
    ['none', { type: 'string' }, undefined],
    ['one that fits', { type: 'integer', format: 'int64', default: 20 }, undefined],
    [
      'another type',
      { type: 'string', default: 5 },
      'The default does not fit its schema: it must be a string.',
    ],
    [
      'not in the enum',
      { enum: ['a', 'b'], default: 'c' },
      'The default does not fit its schema: it must be one of: a, b.',
    ],
    [
      'out of range',
      { maximum: 5, default: 6 },
      'The default does not fit its schema: it must be at most 5.',
    ],
    [
      'null, not nullable',
      { type: 'string', default: null },
      'The default does not fit its schema: it must be a string.',
    ],
    ['null, nullable', { type: 'string', nullable: true, default: null }, undefined],
    ['binary data written as text', { type: 'string', format: 'binary', default: 'x' }, undefined],
    ['a reference', { $ref: '#/x', type: 'string', default: 5 }, undefined],
    ['a schema at fault', { type: 'strange', default: 5 }, undefined],
  ])('D04 %s', (_title, schema, want) => {
    expect(defaultError(schema as Schema)).toBe(want);
  });
});

describe('keywords that cannot be enforced', () => {
  test.each<[string, object, string]>([
    [
      'D02 a list of types',
      { type: ['string', 'null'] },
      'A "type" must be one of: string, integer, number, boolean, object, array.',
    ],
    [
      'D02 an unknown type',
      { type: 'null' },
      'A "type" must be one of: string, integer, number, boolean, object, array.',
    ],
    [
      'D02 a number as exclusiveMinimum',
      { minimum: 1, exclusiveMinimum: 5 },
      'The keyword "exclusiveMinimum" must be true or false.',
    ],
    ['a limit as text', { maximum: '5' }, 'The keyword "maximum" must be a number.'],
    [
      'a negative length',
      { minLength: -1 },
      'The keyword "minLength" must be a whole number, 0 or greater.',
    ],
    ['multipleOf nothing', { multipleOf: 0 }, 'The keyword "multipleOf" must be greater than 0.'],
    ['an empty enum', { enum: [] }, 'The keyword "enum" must be a list that is not empty.'],
    ['a pattern that is none', { pattern: '[' }, 'The pattern "[" is not a regular expression.'],
    ['a pattern that is no text', { pattern: 5 }, 'The keyword "pattern" must be a string.'],
  ])('%s', (_title, schema, want) => {
    expect(keywordError(schema as Schema)).toBe(want);
    expect(() => validatorsOf().validatorOf(schema as Schema, 'storage')(1)).toThrow(want);
  });

  test.each<[string, object, string]>([
    ['required as text', { required: 'name' }, 'The keyword "required" must be a list of names.'],
    ['items as text', { items: 'string' }, 'A schema must be an object.'],
    ['items as a list', { items: [{}] }, 'A schema must be an object.'],
    ['an empty union', { oneOf: [] }, 'The keyword "oneOf" must be a list that is not empty.'],
    ['a count as text', { maxItems: '5' }, 'The keyword "maxItems" must be a number.'],
  ])('%s throws when it is needed', (_title, schema, want) => {
    expect(() => validatorsOf().validatorOf(schema as Schema, 'storage')(1)).toThrow(want);
  });

  test.each<[string, object]>([
    ['a sound schema', { type: 'string', pattern: '^a' }],
    ['a reference', { $ref: '#/x', type: 'strange' }],
  ])('%s has no error', (_title, schema) => {
    expect(keywordError(schema as Schema)).toBeUndefined();
  });
});
