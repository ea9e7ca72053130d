import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../../src/engine/lang/malformed-text';
import { formCodec } from '../../../../../src/engine/media-types/forms/form';
import { formReader } from '../../../../../src/engine/media-types/forms/form-reader';
import { shapeOf } from '../shapes';

const string = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const strings = { type: 'array', items: string };
const integers = { type: 'array', items: { type: 'integer' } };
const tag = { type: 'object', properties: { id: int64, name: string } };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const read = (schema: object, text: string, encoding = {}) =>
  formReader(shapeOf(schema), encoding, 'request')(text);

describe('F01 form style, exploded', () => {
  test.each([
    ['a repeated key fills an array', object({ a: strings }), 'a=1&a=2&a=', { a: ['1', '2', ''] }],
    ['a single occurrence is an array of one', object({ a: strings }), 'a=1', { a: ['1'] }],
    ['a[]', object({ a: strings }), 'a[]=1&a%5B%5D=2', { a: ['1', '2'] }],
    ['a[0]', object({ a: strings }), 'a[1]=y&a[0]=x&a[10]=z', { a: ['x', 'y', 'z'] }],
    [
      'a property whose name has brackets',
      object({ 'a[]': strings }),
      'a[]=1&a[]=2',
      { 'a[]': ['1', '2'] },
    ],
    [
      'objects nest by brackets',
      object({ a: tag }),
      'a[id]=5&a[name]=x+y',
      { a: { id: 5n, name: 'x y' } },
    ],
    [
      'deeper',
      object({ a: object({ b: object({ c: integers }) }) }),
      'a[b][c][]=1&a[b][c][]=2',
      { a: { b: { c: [1, 2] } } },
    ],
    [
      'arrays of objects',
      object({ a: { type: 'array', items: tag } }),
      'a[0][id]=1&a[1][id]=2&a[1][name]=x',
      { a: [{ id: 1n }, { id: 2n, name: 'x' }] },
    ],
    [
      'arrays of objects without numbers',
      object({ a: { type: 'array', items: tag } }),
      'a[][id]=1&a[][id]=2',
      { a: [{ id: 1n }, { id: 2n }] },
    ],
    [
      'undeclared fields stay text',
      object({}),
      'a=1&b=1&b=2&c[d]=1&c=2',
      { a: '1', b: ['1', '2'], c: { d: '1', '': '2' } },
    ],
    [
      'undeclared fields of a map',
      object({}, { additionalProperties: int64 }),
      'a=1&b=2',
      { a: 1n, b: 2n },
    ],
    [
      'names that are not numbers are no array',
      object({ a: strings }),
      'a[x]=1',
      { a: { x: '1' } },
    ],
    ['brackets in the place of a scalar', object({ a: string }), 'a[x]=1', { a: { x: '1' } }],
    [
      'brackets that do not match',
      object({}),
      'a[b=1&c]=2&[d]=3',
      { 'a[b': '1', 'c]': '2', '[d]': '3' },
    ],
    [
      'prototype names',
      object({ constructor: int64 }),
      '__proto__=1&constructor=2&__proto__[x]=3',
      JSON.parse('{"__proto__":{"x":"3","":"1"}}'),
    ],
  ])('%s', (_title, schema, text, value) => {
    const result = read(schema, text);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(result).toMatchObject(value);
  });

  test('prototype names are own properties', () => {
    const result = Object(read(object({ constructor: int64 }), '__proto__[x]=3&constructor=2'));
    expect(Object.entries(result)).toStrictEqual([
      ['constructor', 2n],
      ['__proto__', { x: '3' }],
    ]);
  });

  test('a scalar given twice is an error with its place', () => {
    expect(faultOf(() => read(object({ 'a/b': string }), 'a/b=1&a/b=2'))).toMatchObject({
      name: 'MalformedText',
      path: '/a~1b',
    });
    expect(() => read(object({ a: tag }), 'a[id]=1&a[id]=2')).toThrow(MalformedText);
    expect(() => read(object({ a: tag }), 'a[id]=1&a={}')).toThrow(MalformedText);
  });
});

describe('F01 other styles of the Encoding Object', () => {
  const value = object({ a: strings, o: tag });
  test.each([
    [
      'form, not exploded',
      { a: { style: 'form', explode: false } },
      'a=1,2%2C3&a=4',
      { a: ['1', '2,3', '4'] },
    ],
    ['explode alone', { a: { explode: false } }, 'a=1,2', { a: ['1', '2'] }],
    ['spaceDelimited', { a: { style: 'spaceDelimited' } }, 'a=1%202+3', { a: ['1', '2', '3'] }],
    ['pipeDelimited', { a: { style: 'pipeDelimited' } }, 'a=1|2%7C3', { a: ['1', '2', '3'] }],
    [
      'pipeDelimited, exploded',
      { a: { style: 'pipeDelimited', explode: true } },
      'a=1|2&a=3',
      { a: ['1|2', '3'] },
    ],
    ['deepObject', { o: { style: 'deepObject', explode: true } }, 'o[id]=1', { o: { id: 1n } }],
    [
      'form: an object is spread',
      { o: { style: 'form' } },
      'id=1&name=x&a=y',
      { o: { id: 1n, name: 'x' }, a: ['y'] },
    ],
    [
      'form, not exploded: an object is a list',
      { o: { explode: false } },
      'o=id,1,name,a%2Cb',
      { o: { id: 1n, name: 'a,b' } },
    ],
    ['an odd list is no object', { o: { explode: false } }, 'o=id,1,name', { o: 'id,1,name' }],
    [
      'JSON text even so',
      { o: { explode: false } },
      'o={"id":1,"name":"x"}',
      { o: { id: 1n, name: 'x' } },
    ],
  ])('%s', (_title, encoding, text, expected) => {
    expect(read(value, text, encoding)).toStrictEqual(expected);
  });
});

describe('F02 JSON text and brackets alike', () => {
  const schema = object({
    o: tag,
    l: { type: 'array', items: tag },
    m: { type: 'array', items: integers },
  });
  test.each([
    ['an object', 'o={"id":9223372036854775807}', { o: { id: 9223372036854775807n } }],
    ['objects, one by one', 'l={"id":1}&l=%7B%22id%22%3A2%7D', { l: [{ id: 1n }, { id: 2n }] }],
    ['objects in one text', 'l=[{"id":1},{"id":2}]', { l: [{ id: 1n }, { id: 2n }] }],
    ['no objects', 'l=[]', { l: [] }],
    ['arrays, one by one', 'm=[1,2]&m=[3]', { m: [[1, 2], [3]] }],
    ['a single array of arrays', 'm=[[1],[2]]', { m: [[1], [2]] }],
    ['null', 'o=null', { o: null }],
    ['text that is no JSON is left to validation', 'o={"id"&l=x', { o: '{"id"', l: ['x'] }],
    ['so is JSON with a repeated key', 'o={"id":1,"id":2}', { o: '{"id":1,"id":2}' }],
  ])('%s', (_title, text, value) => {
    expect(read(schema, text)).toStrictEqual(value);
  });

  test.each([
    ['a list', integers, '[1,2]', [1, 2]],
    ['a text', string, '"x"', 'x'],
    ['an int64', int64, '5', 5n],
  ])('contentType application/json: %s', (_title, property, json, value) => {
    const encoding = { p: { contentType: 'application/json' } };
    expect(read(object({ p: property }), `p=${json}`, encoding)).toStrictEqual({ p: value });
  });
});

describe('F03 conversion by property schema', () => {
  const schema = {
    allOf: [
      object({ n: { type: 'number' }, items: integers }),
      object({
        b: { type: 'boolean' },
        u: { oneOf: [int64, string] },
        d: { ...int64, default: 7 },
      }),
    ],
  };
  test.each([
    ['n=1.5&items=1&items=2', { n: 1.5, items: [1, 2], d: 7n }],
    ['b=true&items=x', { b: true, items: ['x'], d: 7n }],
    ['b=1&n=0x10', { b: '1', n: '0x10', d: 7n }],
    ['u=1&d=2', { u: 1n, d: 2n }],
    ['u=one', { u: 'one', d: 7n }],
  ])('%s', (text, value) => {
    expect(read(schema, text)).toStrictEqual(value);
  });

  test('a form that is a union', () => {
    const union = {
      oneOf: [
        object({ kind: { ...string, enum: ['a'] }, v: int64 }),
        object({ kind: { ...string, enum: ['b'] }, v: strings }),
      ],
    };
    expect(read(union, 'kind=a&v=1')).toStrictEqual({ kind: 'a', v: 1n });
    expect(read(union, 'kind=b&v=1&v=2')).toStrictEqual({ kind: 'b', v: ['1', '2'] });
    expect(read(union, 'kind=b&v=1')).toStrictEqual({ kind: 'b', v: ['1'] });
  });

  test('readOnly is dropped', () => {
    expect(read(object({ id: { ...int64, readOnly: true } }), 'id=5')).toStrictEqual({});
  });
});

test('F04 encoding of unknown properties is ignored', () => {
  const encoding = { b: { style: 'pipeDelimited' } };
  expect(read(object({ a: string }), 'a=1&b=1|2', encoding)).toStrictEqual({ a: '1', b: '1|2' });
});

test.each([
  ['absent is absent', 'b=1', { b: '1' }],
  ['empty is empty text', 's=&n=&l=', { s: '', n: '', l: [''] }],
  ['a key alone is empty text', 's&n', { s: '', n: '' }],
  ['nothing', '', {}],
  ['separators alone', '&&', {}],
])('F09 %s', (_title, text, value) => {
  expect(read(object({ s: string, n: int64, l: strings }), text)).toStrictEqual(value);
});

describe('F10 decoding', () => {
  test.each([
    ['plus is a space', 'a+b=c+d', { 'a b': 'c d' }],
    ['%2B is plus', 'a=%2B', { a: '+' }],
    ['UTF-8', 'a=%C3%A9%F0%9F%98%80é', { a: 'é😀é' }],
    ['an equals sign in the value', 'a=b=c', { a: 'b=c' }],
  ])('%s', (_title, text, value) => {
    expect(read(object({}), text)).toStrictEqual(value);
  });

  test.each([
    ['malformed triples', 'a=%zz', '/a'],
    ['half triples', 'a=%C3%', '/a'],
    ['a percent sign alone', 'a=100%', '/a'],
    ['malformed keys', '%=1', ''],
    ['invalid UTF-8', 'a=%C3%28', '/a'],
    ['overlong UTF-8', 'a=%C0%80', '/a'],
    ['surrogates', 'a=%ED%A0%80', '/a'],
    ['U+0000', 'a=%00', '/a'],
    ['U+0000 inside', 'a[b]=x%00', '/a/b'],
    ['malformed items', 'l=1&l=%', '/l/1'],
  ])('%s are refused', (_title, text, path) => {
    expect(faultOf(() => read(object({ l: strings }), text))).toMatchObject({
      name: 'MalformedText',
      path,
    });
  });

  test.each([
    ['fields', 'a&'.repeat(100_001)],
    ['depth', `a${'[b]'.repeat(100)}=1`],
    ['depth far beyond', `a${'[b]'.repeat(500_000)}=1`],
    ['values of a list', `d=${','.repeat(100_001)}`],
  ])('%s are bounded', (_title, text) => {
    const encoding = { d: { explode: false } };
    expect(() => read(object({ d: strings }), text, encoding)).toThrow(MalformedText);
  });
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

function faultOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
