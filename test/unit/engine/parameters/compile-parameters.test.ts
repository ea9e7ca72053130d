/** What parameters cannot show over HTTP; the rest is in test/conformance. */

import { describe, expect, test } from '@jest/globals';
import type { OpenAPIV3 } from 'openapi-types';
import type { Parameter } from '../../../../src/engine/document/model/operation';
import { parameter, readAll, readOne } from './read-parameter';

type Case = [title: string, given: Partial<Parameter>, text: string, want: unknown];

const schema = (given: OpenAPIV3.SchemaObject): Pick<Parameter, 'schema'> => ({ schema: given });
const texts = schema({ type: 'array', items: { type: 'string' } });

test('P19 each request has a default of its own', () => {
  const given = [parameter(schema({ type: 'array', items: {}, default: ['a'] }))];
  expect(readAll(given, {}).values.query['p']).not.toBe(readAll(given, {}).values.query['p']);
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

test('P21 a header that came as several', () => {
  const raw = { headers: { p: ['a', 'b'] } };
  expect(readAll([parameter({ in: 'header' })], raw).errors).toHaveLength(1);
  const list = parameter({ in: 'header', ...texts });
  expect(readAll([list], raw).values.header).toEqual({ p: ['a', 'b'] });
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
    [
      'a single value: given twice',
      single,
      'p=a&p=b',
      { errors: ['must not be given more than once'] },
    ],
    [
      'a single value: default',
      { ...single, ...schema({ type: 'array', items: {}, default: ['x'] }) },
      '',
      ['x'],
    ],
    ['in a header', { ...single, in: 'header' }, 'a, b', ['a', 'b']],
  ])('P03 %s', (_title, given, text, want) => {
    expect(readOne(given, text)).toEqual(want);
  });
});
