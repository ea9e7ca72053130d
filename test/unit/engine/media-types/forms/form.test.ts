/** Forms beyond what HTTP shows: the places of faults, what is left to validation, bounds, and the way back. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/base/malformed-text';
import { readLimits } from '../../../../../src/base/read-limits';
import { readerOf } from '../../../../../src/engine/media-types/codec/codec';
import { codecTable } from '../../../../../src/engine/media-types/codecs';
import { formCodec } from '../../../../../src/engine/media-types/forms/form';
import { valuesOf } from '../../../../support/text-cases';
import { shapeOf } from '../shapes';

const cases = join(__dirname, 'form.cases.txt');

const string = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const strings = { type: 'array', items: string };
const tag = { type: 'object', properties: { id: int64, name: string } };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const read = (schema: object, text: string, encoding = {}) =>
  readerOf(formCodec, shapeOf(schema), 'request', readLimits, encoding)(text);

test('a scalar given twice is an error with its place', () => {
  expect(() => read(object({ 'a/b': string }), 'a/b=1&a/b=2')).toThrow(
    expect.objectContaining({ name: 'MalformedText', path: '/a~1b' }),
  );
});

test.each([
  ['F01 brackets in the place of a scalar', object({ a: string }), 'a[x]=1', { a: { x: '1' } }],
  ['F01 names that are no numbers', object({ a: strings }), 'a[x]=1', { a: { x: '1' } }],
  ['F02 no JSON', object({ o: tag }), 'o={"id"', { o: '{"id"' }],
  ['F02 a repeated key', object({ o: tag }), 'o={"id":1,"id":2}', { o: '{"id":1,"id":2}' }],
  ['F03 other texts', object({ n: int64 }), 'n=0x10', { n: '0x10' }],
  ['F09 an empty number', object({ n: int64 }), 'n', { n: '' }],
])('what does not fit is left to validation: %s', (_title, schema, text, value) => {
  const result = read(schema, text);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(result).toStrictEqual(value);
});

test('readOnly is dropped', () => {
  expect(read(object({ id: { ...int64, readOnly: true } }), 'id=5')).toStrictEqual({});
});

test.each(valuesOf<[title: string, text: string, path: string]>(cases, 'refused'))(
  'F10 %s are refused',
  (_title, text, path) => {
    expect(() => read(object({ l: strings }), text)).toThrow(
      expect.objectContaining({ name: 'MalformedText', path }),
    );
  },
);

test.each([
  ['fields', 'a&'.repeat(100_001)],
  ['depth', `a${'[b]'.repeat(100)}=1`],
  ['depth far beyond', `a${'[b]'.repeat(500_000)}=1`],
  ['values of a list', `d=${','.repeat(100_001)}`],
])('F10 %s are bounded', (_title, text) => {
  const encoding = { d: { explode: false } };
  expect(() => read(object({ d: strings }), text, encoding)).toThrow(MalformedText);
});

describe('writing', () => {
  const schema = object({
    id: int64,
    names: strings,
    tags: { type: 'array', items: tag },
    secret: { ...string, writeOnly: true },
  });
  test.each([
    [{ id: 9223372036854775807n }, 'id=9223372036854775807'],
    [{ names: ['a b', '&=+%é'] }, 'names=a+b&names=%26%3D%2B%25%C3%A9'],
    [
      { tags: [{ id: 1n }], x: { y: [1] } },
      'tags=%5B%7B%22id%22%3A1%7D%5D&x=%7B%22y%22%3A%5B1%5D%7D',
    ],
    [{ id: null, names: undefined, secret: 's' }, ''],
    [{ names: ['\ud800'] }, 'names=%EF%BF%BD'],
    ['no object', ''],
  ])('%p', (value, text) => {
    expect(formCodec.writer(shapeOf(schema), 'response')(value)).toBe(text);
  });
});

describe('fields of other formats', () => {
  const form = codecTable().codecFor('application/x-www-form-urlencoded');
  const unsaid = {
    ...{ pointer: '', headers: [], style: undefined, explode: undefined, allowReserved: undefined },
    ...{ prefixEncoding: [], itemEncoding: undefined },
  };
  const inner = { type: 'object', properties: { a: { type: 'integer' } }, xml: { name: 'p' } };
  test.each([
    ['application/xml', '<?xml version="1.0" encoding="UTF-8"?>\n<p><a>5</a></p>'],
    ['application/yaml', 'a: 5\n'],
    ['application/json', '{"a":5}'],
    ['application/x-www-form-urlencoded', 'a=5'],
  ])('%s is written as it is read', (contentType, text) => {
    const shape = shapeOf({ type: 'object', properties: { x: inner } });
    const encodings = { x: { ...unsaid, contentType } };
    const written = form?.writer(shape, 'response', encodings)({ x: { a: 5 } });
    expect(new URLSearchParams(written).get('x')).toBe(text);
    expect(form && readerOf(form, shape, 'request', readLimits, encodings)(written ?? '')).toEqual({
      x: { a: 5 },
    });
  });
});
