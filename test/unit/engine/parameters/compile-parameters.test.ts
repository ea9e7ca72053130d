/** What holds for parameters of every style: presence, names, encoding, conversion, defaults, faults. */

import { describe, expect, test } from '@jest/globals';
import type { OpenAPIV3 } from 'openapi-types';
import type { Parameter } from '../../../../src/engine/document/model/operation';
import { parameter, readAll, readOne } from './read-parameter';

type Case = [title: string, given: Partial<Parameter>, text: string, want: unknown];

const schema = (given: OpenAPIV3.SchemaObject): Pick<Parameter, 'schema'> => ({ schema: given });
const int64 = schema({ type: 'integer', format: 'int64' });
const int32 = schema({ type: 'integer', format: 'int32' });
const texts = schema({ type: 'array', items: { type: 'string' } });
const faulty = (message: string) => ({ errors: [message] });
const required = faulty('is required');
const repeated = faulty('must not be given more than once');
const badEncoding = faulty('must be well-formed percent-encoded UTF-8');

const check = (_title: string, given: Partial<Parameter>, text: string, want: unknown): void => {
  expect(readOne(given, text)).toEqual(want);
};

describe('content', () => {
  const json = {
    ...schema({ type: 'object', properties: { n: int64.schema } }),
    mediaType: 'application/json',
  };
  test.each<Case>([
    ['JSON in the query', json, 'p=%7B%22n%22%3A+9007199254740993%7D', { n: 9007199254740993n }],
    ['JSON in a header', { in: 'header', ...json }, '{"n": 5}', { n: 5n }],
    ['JSON in a cookie', { in: 'cookie', ...json }, '%7B%22n%22:5%7D', { n: 5n }],
    ['JSON in the path', { in: 'path', ...json }, '%7B%22n%22:5%7D', { n: 5n }],
    ['given twice', json, 'p={}&p={}', repeated],
    ['a type that nothing reads stays text', { ...json, mediaType: 'text/x-own' }, 'p=%7B', '{'],
  ])('P11 %s', check);

  test.each(['p=', 'p=nonsense', 'p={"n":1', 'p={"a":1,"a":2}'])('P11 unparsable: %s', (query) => {
    expect(readOne(json, query)).toEqual({ errors: [expect.any(String)] });
  });
});

describe('presence', () => {
  test.each<[string, Partial<Parameter>]>([
    ['path', { in: 'path', required: true }],
    ['query', { required: true }],
    ['header', { in: 'header', required: true }],
    ['cookie', { in: 'cookie', required: true }],
    ['exploded array', { required: true, ...texts }],
    ['exploded object', { required: true, ...schema({ type: 'object', properties: { R: {} } }) }],
    ['deepObject', { required: true, style: 'deepObject', ...schema({ type: 'object' }) }],
    ['with a default, which does not excuse it', { required: true, ...schema({ default: 1 }) }],
  ])('P19 a required parameter that is missing: %s', (_title, given) => {
    const declared = parameter(given);
    expect(readAll([declared], {}).errors).toEqual([
      { in: declared.in, path: 'p', message: 'is required' },
    ]);
  });

  test.each<Case>([
    ['a scalar', schema({ type: 'string', default: 'available' }), '', 'available'],
    ['int64', schema({ type: 'integer', format: 'int64', default: 5 }), '', 5n],
    ['an integer', schema({ type: 'integer', default: 5 }), '', 5],
    [
      'an array',
      schema({ type: 'array', items: { type: 'integer', format: 'int64' }, default: [1] }),
      '',
      [1n],
    ],
    ['false', schema({ type: 'boolean', default: false }), '', false],
    ['an empty value is not replaced', schema({ type: 'integer', default: 5 }), 'p=', ''],
    ['a wrong value is not replaced', schema({ type: 'integer', default: 5 }), 'p=x', 'x'],
    ['no default', {}, '', undefined],
  ])('P19 default: %s', check);

  test('P19 each request has a default of its own', () => {
    const given = [parameter(schema({ type: 'array', items: {}, default: ['a'] }))];
    expect(readAll(given, {}).values.query['p']).not.toBe(readAll(given, {}).values.query['p']);
  });

  test.each<Case>([
    ['empty is unused', { allowEmptyValue: true }, 'p=', undefined],
    ['without an equals sign', { allowEmptyValue: true }, 'p', undefined],
    ['unused takes the default', { allowEmptyValue: true, ...schema({ default: 'x' }) }, 'p=', 'x'],
    ['not empty', { allowEmptyValue: true }, 'p=x', 'x'],
    ['a required one is something', { allowEmptyValue: true, required: true }, 'p=', ''],
    ['without it the empty string is the value', {}, 'p=', ''],
    ['and no number', int32, 'p=', ''],
  ])('P17 %s', check);
});

describe('names', () => {
  test.each(['X-Trace', 'x-trace', 'X-TRACE'])('P13 header %s is found', (name) => {
    const declared = parameter({ in: 'header', name });
    expect(readAll([declared], { headers: { 'x-trace': 'a' } }).values.header).toEqual({
      [name]: 'a',
    });
  });

  test('P14 query and path names are case-sensitive', () => {
    const given = [parameter({ name: 'a' }), parameter({ name: 'A' })];
    expect(readAll(given, { query: 'A=1' }).values.query).toEqual({ A: '1' });
    const paths = [parameter({ in: 'path', name: 'id' })];
    expect(readAll(paths, { path: { ID: '1' } }).errors).toHaveLength(1);
  });

  test('P14 an encoded name is the same name', () => {
    expect(readOne({ name: 'café au' }, 'caf%C3%A9+au=1')).toBe('1');
  });

  test('P22 undeclared query parameters are accepted and left out', () => {
    const { values, errors } = readAll([parameter()], { query: 'p=1&other=2&other=3' });
    expect({ values: values.query, errors }).toEqual({ values: { p: '1' }, errors: [] });
  });

  test.each<[string, OpenAPIV3.SchemaObject, string, unknown]>([
    [
      'takes what no other declares',
      { type: 'object' },
      'x=1&a=2&d[k]=3&a[]=6&ab=7&y=4&y=5',
      { x: '1', ab: '7', y: ['4', '5'] },
    ],
    ['typed', { additionalProperties: { type: 'integer' } }, 'x=1', { x: 1 }],
    ['after its own', { properties: { R: { type: 'integer' } } }, 'R=1&x=2', { R: 1, x: '2' }],
    ['is not present by foreign keys', { properties: { R: {} } }, 'x=2', undefined],
    ['closed', { properties: { R: {} }, additionalProperties: false }, 'R=1&x=2', { R: '1' }],
  ])('P22 an exploded free-form object %s', (_title, given, query, want) => {
    const others = [
      parameter({ name: 'a' }),
      parameter({ name: 'd', style: 'deepObject', ...schema({ type: 'object' }) }),
    ];
    const { values } = readAll([parameter(schema(given)), ...others], { query });
    expect(values.query['p']).toEqual(want);
  });

  test.each(['__proto__', 'constructor', 'toString'])('P22 the name %s is plain', (name) => {
    const given = (['query', 'header', 'cookie'] as const).map((location) =>
      parameter({ in: location, name }),
    );
    const { values } = readAll(given, {});
    expect(Object.keys(values.query)).toEqual([]);
    expect(Object.keys(values.header)).toEqual([]);
    expect(Object.keys(values.cookie)).toEqual([]);
    expect(Object.keys(readAll(given, { query: `${name}=1` }).values.query)).toEqual([name]);
  });
});

describe('encoding', () => {
  test.each(["a/b?c:d@e!f$g'h(i)j*k;l", '[x]', 'a=b', '{"a":1}'])(
    'P16 raw reserved characters are data: %s',
    (text) => {
      expect(readOne({}, `p=${text}`)).toBe(text);
    },
  );

  test.each<Case>([
    ['is decoded once', {}, 'p=%2525', '%25'],
    ['is decoded once in the path', { in: 'path' }, '%2525', '%25'],
    ['an encoded slash is data', { in: 'path' }, 'a%2Fb', 'a/b'],
  ])('P16 a triple %s', check);

  test.each<Case>([
    ['plus', {}, 'p=a+b', 'a b'],
    ['encoded plus', {}, 'p=a%2Bb', 'a+b'],
    ['encoded space', {}, 'p=a%20b', 'a b'],
    ['plus in the path', { in: 'path' }, 'a+b', 'a+b'],
    ['plus in a header', { in: 'header' }, 'a+b', 'a+b'],
  ])('P18 %s', check);

  const malformed = ['%', '%4', '%zz', 'a%', '%C3', '%C3%28', '%ED%A0%80', '%FF', '%C0%80'];
  test.each(malformed)('P24 malformed: %s', (text) => {
    expect(readOne({}, `p=${text}`)).toEqual(badEncoding);
    expect(readOne({ in: 'path' }, text)).toEqual(badEncoding);
    expect(readOne({ in: 'cookie' }, text)).toEqual(badEncoding);
    expect(readOne(texts, `p=a&p=${text}`)).toEqual(badEncoding);
    expect(readOne({ style: 'deepObject', ...schema({}) }, `p[a]=${text}`)).toEqual(badEncoding);
  });

  test.each(malformed)('P24 malformed where nothing is declared: %s', (text) => {
    const whole = { in: 'query', path: '', message: 'must be well-formed percent-encoded UTF-8' };
    expect(readAll([parameter()], { query: `other=${text}` }).errors).toEqual([whole]);
    expect(readAll([parameter()], { query: `${text}=1&p=2` }).errors).toEqual([whole]);
  });

  test('P24 U+0000 is refused', () => {
    const nul = faulty('must not contain the character U+0000');
    expect(readOne({}, 'p=a%00')).toEqual(nul);
    expect(readOne({ in: 'path' }, '%00')).toEqual(nul);
  });

  test('P24 too many pairs are one fault', () => {
    const { errors, values } = readAll([parameter({ required: true })], {
      query: 'a&'.repeat(1001),
    });
    expect(errors).toEqual([
      { in: 'query', path: '', message: 'must not have more than 1000 parameters' },
    ]);
    expect(values.query).toEqual({});
  });
});

describe('conversion', () => {
  test.each<Case>([
    ['int32 at its upper end', int32, 'p=2147483647', 2147483647],
    ['int32 at its lower end', int32, 'p=-2147483648', -2147483648],
    ['int64 at its upper end', int64, 'p=9223372036854775807', 9223372036854775807n],
    ['int64 at its lower end', int64, 'p=-9223372036854775808', -9223372036854775808n],
    ['int64 in the path', { in: 'path', ...int64 }, '9007199254740993', 9007199254740993n],
    ['int64 in a header', { in: 'header', ...int64 }, ' 7 ', 7n],
    ['number', schema({ type: 'number' }), 'p=-1.5e3', -1500],
    ['boolean', schema({ type: 'boolean' }), 'p=true', true],
    ['text', {}, 'p=1', '1'],
  ])('P20 %s', check);

  test.each(['1x', '0x10', '1.0', '+1', ' 1', '1e3', '', '01', '1_0', 'Infinity', 'NaN', '١'])(
    'P20 no integer, left as text: "%s"',
    (text) => {
      expect(readOne(int32, `p=${encodeURIComponent(text)}`)).toBe(text);
      expect(readOne({ in: 'path', ...int64 }, encodeURIComponent(text))).toBe(text);
    },
  );

  const nullable = schema({ type: 'integer', nullable: true });
  test.each<Case>([
    ['null where the schema allows it', nullable, 'p=null', null],
    ['null where it does not', int32, 'p=null', 'null'],
    ['the text null', schema({ type: 'string', nullable: true }), 'p=null', 'null'],
    ['a nullable value', nullable, 'p=5', 5],
    ['enum over typed values', schema({ type: 'integer', enum: [1, 2] }), 'p=2', 2],
    ['a value outside the enum is left', schema({ type: 'integer', enum: [1, 2] }), 'p=3', 3],
  ])('P25 %s', check);

  const either = schema({
    oneOf: [
      { type: 'array', items: { type: 'integer' }, minItems: 2 },
      { type: 'integer' },
      { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    ],
  });
  test.each<Case>([
    ['an array', either, 'p=1&p=2', [1, 2]],
    ['a scalar', either, 'p=1', 1],
    ['an exploded object', either, 'n=1', { n: 1 }],
    ['a list in the path', { in: 'path', ...either }, '1,2', [1, 2]],
    ['none of them', either, 'p=x', 'x'],
  ])('P25 alternatives: %s', check);
});

describe('repetition', () => {
  test.each<Case>([
    ['in the query', {}, 'p=1&p=2', repeated],
    ['with equal values', int32, 'p=1&p=1', repeated],
    ['one of them empty', int32, 'p=1&p', repeated],
    ['a member of an array is not', texts, 'p=1&p=2', ['1', '2']],
  ])('P21 %s', check);

  test('P21 a header that came as several', () => {
    const raw = { headers: { p: ['a', 'b'] } };
    expect(readAll([parameter({ in: 'header' })], raw).errors).toHaveLength(1);
    const list = parameter({ in: 'header', ...texts });
    expect(readAll([list], raw).values.header).toEqual({ p: ['a', 'b'] });
  });
});

describe('x-comma-separated', () => {
  const list: Partial<Parameter> = { commaSeparated: true, ...texts };
  const single: Partial<Parameter> = { ...list, explode: false };
  test.each<Case>([
    ['a list: repeated, separated or both', list, 'p=a,b&p=c', ['a', 'b', 'c']],
    ['a list: its client encodes commas', list, 'p=a%2Cb,c', ['a', 'b', 'c']],
    ['a list: empty items stay', list, 'p=a,,b', ['a', '', 'b']],
    ['a list: absent', list, '', undefined],
    ['a single value', single, 'p=a', ['a']],
    ['a single value: separated', single, 'p=a,b', ['a', 'b']],
    ['a single value: its client encodes commas', single, 'p=a%2Cb', ['a', 'b']],
    ['a single value: empty', single, 'p=', ['']],
    ['a single value: given twice', single, 'p=a&p=b', repeated],
    [
      'a single value: default',
      { ...single, ...schema({ type: 'array', items: {}, default: ['x'] }) },
      '',
      ['x'],
    ],
    ['in a header', { ...single, in: 'header' }, 'a, b', ['a', 'b']],
  ])('P03 %s', check);
});

test('P19 every fault of a request is reported with its place', () => {
  const given = [
    parameter({ in: 'path', name: 'id' }),
    parameter({ name: 'a', required: true }),
    parameter({ name: 'b' }),
    parameter({ in: 'header', name: 'X-H', required: true }),
  ];
  expect(readAll(given, { path: { id: '%' }, query: 'b=1&b=2' }).errors).toEqual([
    { in: 'path', path: 'id', message: badEncoding.errors[0] },
    { in: 'query', path: 'a', message: required.errors[0] },
    { in: 'query', path: 'b', message: repeated.errors[0] },
    { in: 'header', path: 'X-H', message: required.errors[0] },
  ]);
});

test('an operation without parameters reads nothing', () => {
  const nothing = { path: {}, query: {}, header: {}, cookie: {} };
  expect(readAll([], { query: '%' })).toEqual({ values: nothing, errors: [] });
});
