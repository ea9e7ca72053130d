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
  ['a large exponent', 'a: 1e999'],
  ['400 digits', '9'.repeat(400)],
  ['400 digits below zero', `a: -${'9'.repeat(400)}`],
  ['400 hexadecimal digits', `- 0x${'f'.repeat(400)}`],
])('%s is out of range', (_title, text) => {
  expect(() => read(text)).toThrow('a number out of range');
});

test('digits beyond those of a double are left out', () => {
  expect(read(`a: 0.${'3'.repeat(100_000)}`)).toStrictEqual({ a: 1 / 3 });
  expect(read(`a: ${'9'.repeat(30)}`)).toStrictEqual({ a: 10n ** 30n - 1n });
});

test.each([['\n a'], [' a\nb'], ['\n  a\n b\n'], ['"\n \''], ['a'], ['no'], ['']])(
  'the text %j alone is read back as it was',
  (text) => {
    expect(read(write(text))).toBe(text);
  },
);
