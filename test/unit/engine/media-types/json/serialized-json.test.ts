import { describe, expect, test } from '@jest/globals';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import {
  isPages,
  isSerialized,
  jsonCodec,
  serialized,
} from '../../../../../src/engine/media-types/json/json';
import { shapeOf } from '../shapes';

const shape = shapeOf({ type: 'integer', format: 'int64' });

test('a kept value gives its text, and the value as often as it is asked', () => {
  const read: string[] = [];
  const value = serialized(shape, '7', (text) => {
    read.push(text);
    return BigInt(text);
  });
  expect(value).toMatchObject({ shape, text: '7' });
  expect(read).toStrictEqual([]);
  expect([value.read(), value.read()]).toStrictEqual([7n, 7n]);
  expect(isSerialized(value)).toBe(true);
});

describe('nothing that a request says is kept, or a listing', () => {
  const text = '{"shape":{},"text":"x","mark":true,"parse":1,"read":1,"__proto__":{"read":1}}';
  test.each([
    ['an object with the same members', { shape, text: '7', read: () => 7n }],
    ['JSON with the names of the members', readerOf(jsonCodec, shapeOf({}), 'request')(text)],
    ['a list', [serialized(shape, '7', BigInt)]],
    ['bytes', new Uint8Array(1)],
    ['a text', '7'],
    ['null', null],
    ['nothing', undefined],
  ])('%s', (_title, value) => {
    expect([isSerialized(value), isPages(value)]).toStrictEqual([false, false]);
  });
});
