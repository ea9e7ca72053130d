/** Header values in simple style, and the way back. */

import { describe, expect, test } from '@jest/globals';
import { writeSimple } from '../../../../src/engine/responses/content-writers';
import type { Schema } from '../../../../src/engine/schema/shape';
import { readOne, shapeOf } from './read-parameter';

const int64: Schema = { type: 'integer', format: 'int64' };
const object: Schema = {
  type: 'object',
  properties: { R: int64, G: int64, secret: { type: 'string', writeOnly: true } },
};

test.each<[string, unknown, Schema, boolean, string]>([
  ['an integer', 5000, { type: 'integer' }, false, '5000'],
  ['int64 exactly', 9223372036854775807n, int64, false, '9223372036854775807'],
  ['a date-time', '2024-01-01T00:00:00Z', { type: 'string' }, false, '2024-01-01T00:00:00Z'],
  ['a boolean', false, { type: 'boolean' }, false, 'false'],
  ['null', null, { type: 'string', nullable: true }, false, ''],
  ['bytes', new Uint8Array([1, 2]), { type: 'string', format: 'byte' }, false, 'AQI='],
  ['an array', [1n, 2n], { type: 'array', items: int64 }, false, '1,2'],
  ['an exploded array', ['a', 'b'], { type: 'array', items: {} }, true, 'a,b'],
  ['an object', { R: 100n, G: 200n }, object, false, 'R,100,G,200'],
  ['an exploded object', { R: 100n, G: 200n }, object, true, 'R=100,G=200'],
  ['absent and secret members', { R: 1n, G: undefined, secret: 'x' }, object, true, 'R=1'],
  ['no second line', 'a\r\nSet-Cookie: b', { type: 'string' }, false, 'a Set-Cookie: b'],
])('R07 %s', (_title, value, schema, explode, want) => {
  expect(writeSimple(value, shapeOf(schema), explode)).toBe(want);
});

describe('R07 what is written reads back', () => {
  test.each<[unknown, Schema]>([
    [9223372036854775807n, int64],
    [[1n, -2n], { type: 'array', items: int64 }],
    [{ R: 1n, G: 2n }, object],
  ])('%p', (value, schema) => {
    for (const explode of [true, false]) {
      const text = writeSimple(value, shapeOf(schema), explode);
      expect(readOne({ in: 'header', schema, explode }, text)).toEqual(value);
    }
  });
});
