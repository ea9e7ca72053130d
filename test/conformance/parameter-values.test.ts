/** The values of parameters: defaults, conversion, enumerations; P19 to P22 and P25. */

import { describe, test } from '@jest/globals';
import {
  type Bad,
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

describe('values', () => {
  const limit = { ...int64, default: 20 };
  test.each<Good>([
    ['absent', inQuery(limit), '', { p: 20n }],
    ['present', inQuery(limit), '?p=5', { p: 5n }],
    ['an array', inQuery({ ...list(int64), default: [1] }), '', { p: [1n] }],
    ['an integer', inQuery({ ...integer, default: 5 }), '', { p: 5 }],
    ['false', inQuery({ type: 'boolean', default: false }), '', { p: false }],
    ['a header', inHeader(limit), '', { 'X-P': 20n }],
    ['no default', inQuery(int64), '', {}],
  ])('P19 default: %s', reads);

  test.each<Good>([
    ['text in place of an integer', inQuery({ ...integer, default: '20' }), '', {}],
    ['null that is not allowed', inQuery({ ...text, default: null }), '', {}],
    ['a text that is not listed', inHeader({ ...text, enum: ['a'], default: 'b' }), '', {}],
  ])('D04 a default that does not fit is left out: %s', reads);

  test.each<Bad>([
    ['an empty value', inQuery(limit), '?p=', ['query p']],
    ['a wrong value', inQuery(limit), '?p=x', ['query p']],
    ['a required parameter', inQuery(limit, { required: true }), '', ['query p is required']],
  ])('P19 no default for %s', refuses);

  const needed = { required: true };
  test.each<Bad>([
    ['query', inQuery(text, needed), '', ['query p is required']],
    ['header', inHeader(text, needed), '', ['header X-P is required']],
    ['cookie', inCookie(text, needed), '', ['cookie p is required']],
    ['array', inQuery(list(text), needed), '', ['query p is required']],
    [
      'object',
      inQuery({ type: 'object', properties: { R: {} } }, needed),
      '',
      ['query p is required'],
    ],
    [
      'deepObject',
      inQuery({ type: 'object' }, { ...needed, style: 'deepObject' }),
      '',
      ['query p is required'],
    ],
  ])('P19 a required parameter that is missing: %s', refuses);

  const int32 = { type: 'integer', format: 'int32' };
  test.each<Good>([
    ['the largest int64', inPath(int64), '/9223372036854775807', { p: 9223372036854775807n }],
    ['the least int64', inPath(int64), '/-9223372036854775808', { p: -9223372036854775808n }],
    ['the largest int32', inQuery(int32), '?p=2147483647', { p: 2147483647 }],
    ['the least int32', inQuery(int32), '?p=-2147483648', { p: -2147483648 }],
    ['a number', inQuery({ type: 'number' }), '?p=-1.5e3', { p: -1500 }],
    ['a boolean', inQuery({ type: 'boolean' }), '?p=false', { p: false }],
    ['blanks around a header', inHeader(int64), '', { 'X-P': 7n }, { 'X-P': ' 7 ' }],
    ['a text of digits', inQuery(text), '?p=007', { p: '007' }],
    ['a listed number without a type', inQuery({ enum: [1, 2] }), '?p=2', { p: 2 }],
    [
      'a date-time',
      inQuery({ ...text, format: 'date-time' }),
      '?p=2024-02-29T12:00:00%2B01:00',
      { p: '2024-02-29T12:00:00+01:00' },
    ],
  ])('P20 %s', reads);

  test.each<Bad>([
    ...[
      '9223372036854775808',
      '-9223372036854775809',
      '1.0',
      '1e3',
      '0x10',
      '+1',
      '01',
      ' 1',
      '1 ',
      '1n',
      '1x',
      '1_0',
      '',
      'NaN',
      '١',
    ].map(
      (value): Bad => [
        `${value} as int64`,
        inQuery(int64),
        `?p=${encodeURIComponent(value)}`,
        ['query p'],
      ],
    ),
    ['01 as int64 in the path', inPath(int64), '/01', ['path p']],
    ['2147483648 as int32', inQuery(int32), '?p=2147483648', ['query p']],
    [
      '9007199254740993 as an integer without format',
      inQuery(integer),
      '?p=9007199254740993',
      ['query p'],
    ],
    ['Infinity', inQuery({ type: 'number' }), '?p=Infinity', ['query p']],
    ['TRUE', inQuery({ type: 'boolean' }), '?p=TRUE', ['query p']],
    ['1 as boolean', inQuery({ type: 'boolean' }), '?p=1', ['query p']],
    ['no date-time', inQuery({ ...text, format: 'date-time' }), '?p=today', ['query p']],
  ])('P20 refused: %s', refuses);

  test.each<Bad>([
    ['a primitive', inQuery(text), '?p=a&p=b', ['query p']],
    ['the same value', inQuery(integer), '?p=1&p=1', ['query p must not be given more than once']],
    ['one of them empty', inQuery(integer), '?p=1&p', ['query p must not be given more than once']],
    [
      'one that is comma separated',
      inQuery(text, { 'x-comma-separated': true }),
      '?p=a&p=b',
      ['query p'],
    ],
  ])('P21 given twice: %s', refuses);

  test.each<Good>([
    [
      'in the query',
      inQuery(integer),
      '?p=1&unknown=2&unknown=3&__proto__=4&constructor[a]=5',
      { p: 1 },
    ],
    ['where none is declared', [], '?a=1&b[c]=2&%', {}],
    ['a header', inQuery(integer), '?p=1', { p: 1 }, { 'X-Unknown': 'x', Cookie: 'p=2' }],
  ])('P22 unknown ones are ignored: %s', reads);

  test.each<Good>([
    ['null', inQuery({ ...integer, nullable: true }), '?p=null', { p: null }],
    ['the word, of a text', inQuery({ ...text, nullable: true }), '?p=null', { p: 'null' }],
    ['a number of the list', inQuery({ ...int64, enum: [1, 2] }), '?p=2', { p: 2n }],
    [
      'null of the list',
      inQuery({ ...integer, nullable: true, enum: [1, null] }),
      '?p=null',
      { p: null },
    ],
  ])('P25 %s', reads);

  test.each<Bad>([
    ['null where it is not allowed', inQuery(integer), '?p=null', ['query p']],
    [
      'null that the list lacks',
      inQuery({ ...integer, nullable: true, enum: [1] }),
      '?p=null',
      ['query p'],
    ],
    ['a number that the list lacks', inQuery({ ...int64, enum: [1, 2] }), '?p=3', ['query p']],
    ['another case', inQuery({ ...text, enum: ['sold'] }), '?p=SOLD', ['query p']],
  ])('P25 refused: %s', refuses);

  const either = {
    oneOf: [
      { ...list(integer), minItems: 2 },
      integer,
      { type: 'object', properties: { n: integer }, required: ['n'] },
    ],
  };
  test.each<Good>([
    ['an array', inQuery(either), '?p=1&p=2', { p: [1, 2] }],
    ['a scalar', inQuery(either), '?p=1', { p: 1 }],
    ['an exploded object', inQuery(either), '?n=1', { p: { n: 1 } }],
    ['a list in the path', inPath(either), '/1,2', { p: [1, 2] }],
  ])('P25 alternatives: %s', reads);

  test('P25 alternatives: none of them', () => refuses('', inQuery(either), '?p=x', ['query p']));
});

test('P20 every fault of a request is told at once', () =>
  refuses(
    '',
    [inPath(int64), inQuery(int64, { name: 'q' }), inHeader(int64)],
    '/x?q=y',
    ['path p', 'query q', 'header X-P'],
    { 'X-P': 'z' },
  ));
