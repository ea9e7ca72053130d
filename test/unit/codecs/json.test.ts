import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../src/codecs/codec';
import { jsonCodec } from '../../../src/codecs/json';
import { parseJsonStrictly } from '../../../src/codecs/json-parser';
import { parseJson } from '../../../src/codecs/json-text';
import { jsonWriter } from '../../../src/codecs/json-writer';
import { shapeOf } from './shapes';

const read = (schema: object, text: string) => jsonCodec.reader(shapeOf(schema), 'request')(text);
const write = (schema: object, value: unknown) => jsonCodec.writer(shapeOf(schema), 'reply')(value);

const int64 = { type: 'integer', format: 'int64' };

describe('R11 integers are read and written exactly', () => {
  test.each([
    ['the largest int64', int64, '9223372036854775807', 9223372036854775807n],
    ['the smallest int64', int64, '-9223372036854775808', -9223372036854775808n],
    ['a small int64', int64, '7', 7n],
    ['minus zero', int64, '-0', 0n],
    ['an integral number with a fraction', int64, '7.0', 7n],
    [
      'int64 in a list',
      { type: 'array', items: int64 },
      '[1,9007199254740993]',
      [1n, 9007199254740993n],
    ],
    ['int64 in a map', { type: 'object', additionalProperties: int64 }, '{"a":1}', { a: 1n }],
    [
      'an integer beyond 2^53 without a format',
      { type: 'integer' },
      '9007199254740993',
      9007199254740993n,
    ],
    ['the same undeclared', {}, '{"a":9007199254740993}', { a: 9007199254740993n }],
    [
      'a long integer for a number',
      { type: 'number' },
      '12345678901234567890',
      12345678901234567890,
    ],
    ['a float that looks long', { type: 'number' }, '0.12345678901234567', 0.12345678901234567],
    ['an int64 written as a power of ten, too large to be sure', int64, '1e18', 1e18],
    ['a text in the place of an int64', int64, '"77"', '77'],
    ['a fraction in the place of an int64', int64, '1.5', 1.5],
  ])('%s', (_title, schema, text, value) => {
    expect(read(schema, text)).toStrictEqual(value);
  });

  test.each([
    ['int64', int64, 9223372036854775807n, '9223372036854775807'],
    [
      'nested',
      { type: 'object', properties: { id: int64 } },
      { id: 1n, more: [2n] },
      '{"id":1,"more":[2]}',
    ],
    ['undefined is left out', { type: 'object' }, { a: undefined, b: null }, '{"b":null}'],
    ['half of a surrogate pair is escaped', { type: 'string' }, 'a\ud800', '"a\\ud800"'],
    ['quotes, controls', {}, ['"\\', '\n\u0000', 'é😀'], '["\\"\\\\","\\n\\u0000","é😀"]'],
    ['__proto__ is data', {}, JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['no finite number', { type: 'number' }, Number.NaN, 'null'],
  ])('writes %s', (_title, schema, value, text) => {
    expect(write(schema, value)).toBe(text);
  });
});
