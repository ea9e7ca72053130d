import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readNumber } from '../../../../src/base/exact-number';
import { casesOf, readValue, rowsOf } from '../../../support/text-cases';
import { readSchema, validatorsOf } from './validators-of';

type Case = [title: string, schema: object, value: unknown, want: readonly string[]];

const check = (_title: string, schema: object, value: unknown, want: readonly string[]): void => {
  const faults = validatorsOf().validatorOf(schema, 'storage')(value);
  expect(faults.map(({ path }) => path)).toEqual(want);
};

const [valid, invalid] = [[], ['']];
const int64 = { type: 'integer', format: 'int64' };

const binary = { type: 'string', format: 'binary' };

describe.each(casesOf(join(__dirname, 'rules.cases.txt')))('%s', (_group, lines) => {
  test.each(rowsOf(lines))('%s', (_title, schema = '', value = '', want = '') => {
    const faults = validatorsOf().validatorOf(readSchema(schema), 'storage')(readValue(value));
    const places = faults.map(({ path }) => path || 'does not fit');
    expect(places.join(' ') || 'fits').toBe(want);
  });
});

describe('values that no text shows', () => {
  test.each<Case>([
    ['D02 bytes are no object', { type: 'object' }, new Uint8Array(2), invalid],
    ['D02 a number is finite', { type: 'number' }, Number.POSITIVE_INFINITY, invalid],
    ['D02 NaN is no number', { type: 'number' }, Number.NaN, invalid],
    [
      'a number changes no digit before the point',
      { type: 'number' },
      readNumber('9007199254740993.5', 'number'),
      invalid,
    ],
    ['an absent value fits no type', { type: 'string' }, undefined, invalid],
    ['D05 double beyond its range', { type: 'number', format: 'double' }, 10n ** 309n, invalid],
    ['D05 binary', { type: 'string', format: 'binary' }, new Uint8Array(1), valid],
    ['D05 binary is not text', { type: 'string' }, new Uint8Array(1), invalid],
    ['a limit beyond 2^53, kept', { ...int64, maximum: 2n ** 60n }, 2n ** 60n, valid],
    [
      'a limit beyond 2^53, missed by one',
      { ...int64, maximum: 2n ** 60n },
      2n ** 60n + 1n,
      invalid,
    ],
    ['multipleOf with an infinite value', { multipleOf: 3 }, Number.POSITIVE_INFINITY, invalid],
    ['enum of bigints', { enum: [2n ** 60n] }, 2n ** 60n, valid],
    ['lengths of binary count bytes', { ...binary, maxLength: 3 }, new Uint8Array(3), valid],
    ['an byte too many', { ...binary, maxLength: 3 }, new Uint8Array(4), invalid],
    ['an byte too few', { ...binary, minLength: 3 }, new Uint8Array(2), invalid],
    ['a plain pattern over long text', { pattern: '^[a-z]*$' }, 'a'.repeat(1e6), valid],
    ['a pattern that may backtrack, long text', { pattern: '(a+)b+' }, 'a'.repeat(1e6), invalid],
    ['an undefined property is missing', { required: ['a'] }, { a: undefined }, ['/a']],
  ])('%s', check);
});
