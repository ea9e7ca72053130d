/** Parameters in every style: P01 to P10 and P23. */

import { describe, test } from '@jest/globals';
import {
  type Bad,
  color,
  type Declared,
  type Good,
  inCookie,
  inHeader,
  inPath,
  inQuery,
  int64,
  integer,
  list,
  reads,
  refuses,
  text,
} from './read-parameters';

const texts = list(text);
const numbers = list(int64);
const rgb = { R: 100, G: 200n };
const decimal = { type: 'number' };
const ids = { type: 'object', properties: { ids: numbers } };
const notPairs = 'must be a list of key=value pairs';
const notAlternating = 'must be a list of keys and values';
const repeated = 'must not be given more than once';
const keyTwice = 'must not name a property more than once';
const styled = (style: string, explode?: boolean): Declared => ({
  style,
  ...(explode === undefined ? {} : { explode }),
});

describe('form and simple', () => {
  test.each<Good>([
    ['query: form, exploded', inQuery(texts), '?p=a&p=b,c', { p: ['a', 'b,c'] }],
    ['query: form, an object spread', inQuery(color), '?R=100&G=200', { p: rgb }],
    ['path: simple', inPath(texts), '/a,b', { p: ['a', 'b'] }],
    ['path: simple, not exploded', inPath(color), '/R,100,G,200', { p: rgb }],
    ['header: simple', inHeader(numbers), '', { 'X-P': [1n, 2n] }, { 'X-P': '1, 2' }],
    ['header: simple, not exploded', inHeader(color), '', { 'X-P': rgb }, { 'X-P': 'R,100,G,200' }],
    ['cookie: form', inCookie(int64), '', { p: 5n }, { Cookie: 'p=5' }],
    [
      'another style is not exploded',
      inQuery(texts, styled('pipeDelimited')),
      '?p=a|b',
      { p: ['a', 'b'] },
    ],
    [
      'explode alone keeps the style',
      inQuery(texts, { explode: false }),
      '?p=a,b',
      { p: ['a', 'b'] },
    ],
  ])('P01 %s', reads);

  test.each<Good>([
    ['two', inQuery(numbers), '?p=1&p=9223372036854775807', { p: [1n, 9223372036854775807n] }],
    ['one', inQuery(numbers), '?p=1', { p: [1n] }],
    ['none', inQuery(numbers), '', {}],
    ['an empty one', inQuery(texts), '?p=', { p: [''] }],
    ['as some clients write it', inQuery(texts), '?p[]=a&p%5B%5D=b', { p: ['a', 'b'] }],
    ['with others between', inQuery(texts), '?p=a&q=1&p=b', { p: ['a', 'b'] }],
    ['in the order of numbers', inQuery(texts), '?p[10]=c&p[2]=b&p[0]=a', { p: ['a', 'b', 'c'] }],
    ['a huge number makes no huge array', inQuery(texts), '?p[999999999]=a', { p: ['a'] }],
  ])('P02 a repeated key: %s', reads);

  test.each<Bad>([
    ['an item of another type', inQuery(numbers), '?p=1&p=x', ['query p/1']],
    ['too many', inQuery({ ...numbers, maxItems: 1 }), '?p=1&p=2', ['query p']],
    ['too few', inQuery({ ...texts, minItems: 2 }), '?p=1', ['query p']],
  ])('P02 a repeated key, refused: %s', refuses);

  test.each<Good>([
    ['split', inQuery(numbers, { explode: false }), '?p=1,2', { p: [1n, 2n] }],
    [
      'an encoded comma stays',
      inQuery(texts, { explode: false }),
      '?p=a%2Cb,c',
      { p: ['a,b', 'c'] },
    ],
    ['empty items', inQuery(texts, { explode: false }), '?p=a,,', { p: ['a', '', ''] }],
  ])('P03 commas: %s', reads);

  test('P03 commas, refused: the key twice', () =>
    refuses('', inQuery(texts, { explode: false }), '?p=a&p=b', [`query p ${repeated}`]));

  test.each<Good>([
    [
      'keys of the query',
      [inQuery(color), inQuery(text, { name: 'q' })],
      '?q=x&G=200&R=100',
      { p: rgb, q: 'x' },
    ],
    ['none of its keys', inQuery(color), '?p=1', {}],
    ['a list', inQuery(color, { explode: false }), '?p=R,100,G,200', { p: rgb }],
    ['encoded', inQuery(color, { explode: false }), '?p=R,100,%47,2%300', { p: rgb }],
    ['a member that is an array', inQuery(ids), '?ids=1&ids=2', { p: { ids: [1n, 2n] } }],
    [
      'names of every object',
      inQuery(color, { explode: false }),
      '?p=__proto__,1,constructor,2',
      { p: JSON.parse('{"__proto__":"1","constructor":"2"}') },
    ],
  ])('P04 an object: %s', reads);

  test.each<Bad>([
    ['odd length', inQuery(color, { explode: false }), '?p=R,100,G', [`query p ${notAlternating}`]],
    ['a key twice', inQuery(color, { explode: false }), '?p=R,1,R,2', [`query p ${keyTwice}`]],
    ['a member of another type', inQuery(color), '?R=x', ['query p/R']],
    ['a member twice', inQuery(color), '?R=1&R=2', [`query p ${repeated}`]],
    ['required, and nothing of it came', inQuery(color, { required: true }), '?x=1', ['query p']],
  ])('P04 an object, refused: %s', refuses);

  test.each<Good>([
    ['path', inPath(texts), '/a,b', { p: ['a', 'b'] }],
    ['path, exploded', inPath(texts, { explode: true }), '/a,b', { p: ['a', 'b'] }],
    ['path, an encoded comma stays', inPath(texts), '/a%2Cb,c', { p: ['a,b', 'c'] }],
    ['path, plus is plus', inPath(texts), '/a+b', { p: ['a+b'] }],
    ['header, blanks', inHeader(numbers), '', { 'X-P': [1n, 2n, 3n] }, { 'X-P': '1, 2 ,3' }],
    ['header, not decoded', inHeader(texts), '', { 'X-P': ['a%2Cb'] }, { 'X-P': 'a%2Cb' }],
    [
      'header, exploded',
      inHeader(texts, { explode: true }),
      '',
      { 'X-P': ['a', 'b'] },
      { 'X-P': 'a,b' },
    ],
  ])('P05 an array: %s', reads);

  test.each<Good>([
    ['a list', inPath(color), '/G,200,R,100', { p: rgb }],
    ['a list in a header', inHeader(color), '', { 'X-P': rgb }, { 'X-P': 'R, 100, G, 200' }],
    ['pairs', inPath(color, { explode: true }), '/R=100,G=200', { p: rgb }],
    [
      'pairs in a header',
      inHeader(color, { explode: true }),
      '',
      { 'X-P': rgb },
      { 'X-P': 'R=100, G=200' },
    ],
  ])('P06 an object: %s', reads);

  test.each<Bad>([
    ['odd length', inPath(color), '/R,100,G', [`path p ${notAlternating}`]],
    ['no pairs', inPath(color, { explode: true }), '/R,100', [`path p ${notPairs}`]],
    ['a key twice', inPath(color, { explode: true }), '/R=1,R=2', [`path p ${keyTwice}`]],
  ])('P06 an object, refused: %s', refuses);
});

describe('label and matrix', () => {
  test.each<Good>([
    ['primitive', inPath(int64, styled('label')), '/.5', { p: 5n }],
    ['array', inPath(texts, styled('label')), '/.a,b', { p: ['a', 'b'] }],
    [
      'array by dots, as 3.0.3 shows it',
      inPath(texts, styled('label')),
      '/.a.b',
      { p: ['a', 'b'] },
    ],
    ['number with a dot', inPath(decimal, styled('label')), '/.1.5', { p: 1.5 }],
    [
      'array by commas keeps dots',
      inPath(list(decimal), styled('label')),
      '/.1.5,2',
      { p: [1.5, 2] },
    ],
    ['array, exploded', inPath(texts, styled('label', true)), '/.a.b', { p: ['a', 'b'] }],
    [
      'array, exploded, keeps commas',
      inPath(texts, styled('label', true)),
      '/.a,b.c',
      { p: ['a,b', 'c'] },
    ],
    [
      'object by dots, as 3.0.3 shows it',
      inPath(color, styled('label')),
      '/.R.100.G.200',
      { p: rgb },
    ],
    ['object', inPath(color, styled('label')), '/.R,100,G,200', { p: rgb }],
    ['object, exploded', inPath(color, styled('label', true)), '/.R=100.G=200', { p: rgb }],
  ])('P07 label: %s', reads);

  test.each<Bad>([
    ['no dot', inPath(int64, styled('label')), '/5', ['path p must begin with a dot']],
    ['no pairs', inPath(color, styled('label', true)), '/.R.100', [`path p ${notPairs}`]],
  ])('P07 label, refused: %s', refuses);

  test.each<Good>([
    ['primitive', inPath(int64, styled('matrix')), '/;p=5', { p: 5n }],
    ['primitive, exploded', inPath(int64, styled('matrix', true)), '/;p=5', { p: 5n }],
    ['an empty text', inPath(text, styled('matrix')), '/;p', { p: '' }],
    ['array', inPath(texts, styled('matrix')), '/;p=a,b', { p: ['a', 'b'] }],
    ['array, exploded', inPath(texts, styled('matrix', true)), '/;p=a;p=b', { p: ['a', 'b'] }],
    ['object', inPath(color, styled('matrix')), '/;p=R,100,G,200', { p: rgb }],
    ['object, exploded', inPath(color, styled('matrix', true)), '/;R=100;G=200', { p: rgb }],
  ])('P08 matrix: %s', reads);

  test.each<Bad>([
    [
      'another name',
      inPath(int64, styled('matrix')),
      '/;q=5',
      ['path p must consist of the parameter itself'],
    ],
    [
      'no semicolon',
      inPath(int64, styled('matrix')),
      '/p=5',
      ['path p must begin with a semicolon'],
    ],
    ['twice', inPath(int64, styled('matrix')), '/;p=5;p=6', [`path p ${repeated}`]],
    ['an array twice', inPath(texts, styled('matrix')), '/;p=5;p=6', [`path p ${repeated}`]],
    ['odd length', inPath(color, styled('matrix')), '/;p=R', [`path p ${notAlternating}`]],
  ])('P08 matrix, refused: %s', refuses);
});

describe('delimited and nested', () => {
  test.each<Good>([
    ['spaces as plus', inQuery(texts, styled('spaceDelimited')), '?p=a+b', { p: ['a', 'b'] }],
    [
      'spaces encoded',
      inQuery(numbers, styled('spaceDelimited', false)),
      '?p=1%202',
      { p: [1n, 2n] },
    ],
    ['pipes', inQuery(texts, styled('pipeDelimited', false)), '?p=a|b', { p: ['a', 'b'] }],
    [
      'pipes encoded',
      inQuery(texts, styled('pipeDelimited', false)),
      '?p=a%7Cb',
      { p: ['a', 'b'] },
    ],
    [
      'an object alternates',
      inQuery(color, styled('pipeDelimited', false)),
      '?p=R|100|G|200',
      { p: rgb },
    ],
    [
      'an encoded plus stays',
      inQuery(texts, styled('spaceDelimited')),
      '?p=a%2Bb+c',
      { p: ['a+b', 'c'] },
    ],
    [
      'an object by spaces',
      inQuery(color, styled('spaceDelimited', false)),
      '?p=R%20100%20G%20200',
      { p: rgb },
    ],
  ])('P09 %s', reads);

  test('P09 refused: odd length', () =>
    refuses('', inQuery(color, styled('pipeDelimited', false)), '?p=R|100|G', [
      `query p ${notAlternating}`,
    ]));

  const nested = {
    type: 'object',
    properties: {
      n: int64,
      in: { type: 'object', properties: { list: numbers, of: list(color) } },
    },
  };
  test.each<Good>([
    ['members', inQuery(nested, styled('deepObject', true)), '?p[n]=5', { p: { n: 5n } }],
    [
      'encoded brackets',
      inQuery(nested, styled('deepObject', true)),
      '?p%5Bn%5D=5',
      { p: { n: 5n } },
    ],
    [
      'levels',
      inQuery(nested, styled('deepObject', true)),
      '?p[in][list][]=1&p[in][list][]=2',
      { p: { in: { list: [1n, 2n] } } },
    ],
    [
      'numbers',
      inQuery(nested, styled('deepObject', true)),
      '?p[in][of][1][R]=2&p[in][of][0][R]=1',
      { p: { in: { of: [{ R: 1 }, { R: 2 }] } } },
    ],
    ['nothing', inQuery(nested, styled('deepObject', true)), '?p2[n]=5', {}],
  ])('P10 deepObject: %s', reads);

  test.each<Bad>([
    [
      'a member of another type',
      inQuery(nested, styled('deepObject', true)),
      '?p[n]=x',
      ['query p/n'],
    ],
    ['a member twice', inQuery(nested, styled('deepObject', true)), '?p[n]=1&p[n]=2', ['query p']],
    ['text', inQuery(nested, styled('deepObject', true)), '?p=x', ['query p']],
  ])('P10 deepObject, refused: %s', refuses);
});

describe('cookies', () => {
  test.each<Good>([
    ['one value', inCookie(integer), '', { p: 5 }, { Cookie: 'a=b; p=5' }],
    ['encoded', inCookie(text), '', { p: 'a b' }, { Cookie: 'p=a%20b' }],
    ['an array', inCookie(numbers), '', { p: [1n, 2n] }, { Cookie: 'p=1,2' }],
    ['an object', inCookie(color, { explode: false }), '', { p: rgb }, { Cookie: 'p=R,100,G,200' }],
    ['an equals sign', inCookie(text), '', { p: 'a=b' }, { Cookie: 'p=a=b' }],
    ['UTF-8, and plus is plus', inCookie(text), '', { p: 'é+b' }, { Cookie: 'p=%C3%A9+b' }],
    ['an encoded comma stays', inCookie(texts), '', { p: ['a,b', 'c'] }, { Cookie: 'p=a%2Cb,c' }],
    ['no cookies', inCookie(integer), '', {}],
  ])('P23 %s', reads);

  test.each<Bad>([
    ['another type', inCookie(integer), '', ['cookie p'], { Cookie: 'p=x' }],
    ['required', inCookie(integer, { required: true }), '', ['cookie p'], { Cookie: 'P=5' }],
  ])('P23 refused: %s', refuses);
});
