/** YAML has the numbers that JSON has, and the texts. */

import { expect, test } from '@jest/globals';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import { yamlCodec } from '../../../../../src/engine/media-types/yaml/yaml';
import { shapeOf } from '../shapes';

const read = readerOf(yamlCodec, shapeOf({}), 'request');
const write = yamlCodec.writer(shapeOf({}), 'response');

test.each([
  ['infinity', '.inf'],
  ['less than all numbers', '- -.inf'],
  ['no number', '.nan'],
  ['a large exponent', 'a: 1e1000'],
  ['1001 digits', '9'.repeat(1001)],
  ['1001 digits below zero', `a: -${'9'.repeat(1001)}`],
  ['1000 hexadecimal digits', `- 0x${'f'.repeat(1000)}`],
])('%s is out of range', (_title, text) => {
  expect(() => read(text)).toThrow('a number out of range');
});

test('digits of a whole number are kept', () => {
  expect(read('[0.12345678901234567890, 1e400, 1e-9]')).toStrictEqual([
    0.12345678901234568,
    10n ** 400n,
    1e-9,
  ]);
  expect(read(`a: ${'9'.repeat(30)}`)).toStrictEqual({ a: 10n ** 30n - 1n });
});

test.each([
  ['\uFEFF'],
  ['\uFEFF0'],
  ['\n a'],
  [' a\nb'],
  ['\n  a\n b\n'],
  ['"\n \''],
  ['a'],
  ['no'],
  [''],
])('the text %j alone is read back as it was', (text) => {
  expect(read(write(text))).toBe(text);
});

test('a name that begins with a byte order mark is read back as it was', () => {
  expect(read(write({ '\uFEFF': 1, a: '\uFEFFb' }))).toEqual({ '\uFEFF': 1, a: '\uFEFFb' });
});

test.each(['!!binary "/w=="', 'a: [!!binary "/w=="]'])('%s has no value of JSON', (text) => {
  expect(() => read(text)).toThrow('a value that JSON does not have');
});
