/** deepObject: nested keys in brackets become nested values. */

import { expect, test } from '@jest/globals';
import type { OpenAPIV3 } from 'openapi-types';
import type { Schema } from '../../../../src/engine/schema/shape';
import { parameter, readAll, readOne } from './read-parameter';

const read = (schema: Schema, query: string): unknown =>
  readOne({ style: 'deepObject', schema }, query);

const integers: OpenAPIV3.SchemaObject = { type: 'array', items: { type: 'integer' } };
const object = (properties: Record<string, Schema> = {}): OpenAPIV3.SchemaObject => ({
  type: 'object',
  properties,
});
const node: Schema = { $ref: '#/components/schemas/Node' };
const repeated = { errors: ['must not name a property more than once'] };
const tooDeep = { errors: ['must not nest deeper than 10 levels'] };

test.each<[string, Schema, string, unknown]>([
  ['one level', object({ R: { type: 'integer' } }), 'p[R]=100&p[G]=x', { R: 100, G: 'x' }],
  ['encoded brackets', object({ R: { type: 'integer' } }), 'p%5BR%5D=100', { R: 100 }],
  ['nested levels', node, 'p[next][next][value]=3', { next: { next: { value: 3 } } }],
  ['[]', object({ ids: integers }), 'p[ids][]=1&p[ids][]=2', { ids: [1, 2] }],
  ['[0]', object({ ids: integers }), 'p[ids][1]=2&p[ids][0]=1', { ids: [1, 2] }],
  ['a repeated key', object({ ids: integers }), 'p[ids]=1&p[ids]=2', { ids: [1, 2] }],
  [
    'an array of objects',
    object({ list: { type: 'array', items: node } }),
    'p[list][0][value]=1&p[list][1][value]=2',
    { list: [{ value: 1 }, { value: 2 }] },
  ],
  ['an array itself', integers, 'p[]=1&p[]=2', [1, 2]],
  ['a huge index', object({ ids: integers }), 'p[ids][999999999]=1', { ids: [1] }],
  ['names that are no index', object({ ids: integers }), 'p[ids][a]=1', { ids: { a: '1' } }],
  ['undeclared keys', object(), 'p[a][b]=1&p[c][]=2', { a: { b: '1' }, c: ['2'] }],
  ['typed maps', { type: 'object', additionalProperties: integers }, 'p[a][]=1', { a: [1] }],
  ['keys that look like indices', object(), 'p[0]=a', { 0: 'a' }],
  ['values are form-decoded', object(), 'p[a+b]=c+d%2B', { 'a b': 'c d+' }],
  ['a property twice', object({ R: { type: 'integer' } }), 'p[R]=1&p[R]=2', repeated],
  ['a value in the object’s place', object(), 'p=1', '1'],
  ['brackets that do not match are another name', object(), 'p[a=1&p[a]]=2&p[[b]=3', undefined],
  ['absent', object(), 'q[a]=1', undefined],
  [
    'ten levels',
    object(),
    `p${'[a]'.repeat(10)}=1`,
    JSON.parse(`${'{"a":'.repeat(10)}"1"${'}'.repeat(10)}`),
  ],
  ['eleven levels', object(), `p${'[a]'.repeat(11)}=1`, tooDeep],
  [
    'defaults of properties',
    object({ R: { type: 'integer', default: 7 } }),
    'p[G]=1',
    { R: 7, G: '1' },
  ],
])('P10 %s', (_title, schema, query, want) => {
  expect(read(schema, query)).toEqual(want);
});

test('P10 prototype names are plain data', () => {
  const query = 'p[__proto__][polluted]=1&p[constructor]=2';
  const { values } = readAll([parameter({ style: 'deepObject', schema: object() })], { query });
  expect(JSON.stringify(values.query['p'])).toBe(
    '{"__proto__":{"polluted":"1"},"constructor":"2"}',
  );
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
