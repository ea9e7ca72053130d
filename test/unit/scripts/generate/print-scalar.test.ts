import { describe, expect, test } from '@jest/globals';
import { printSchema } from '../../../../scripts/generate/print-schema';
import { type Schema, schemaContext } from '../../../../scripts/generate/schema-source';
import { namedSchemas } from './named-schemas';

const print = (schema: Schema) => printSchema(schema, schemaContext(namedSchemas({}), 'request'));

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
