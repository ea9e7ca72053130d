/** Parameters beyond what HTTP shows; the rest is in test/conformance. */

import { expect, test } from '@jest/globals';
import { parameter, readAll } from './read-parameter';

const texts = { type: 'array', items: { type: 'string' } };

test('P19 each request has a default of its own', () => {
  const given = [parameter({ schema: { ...texts, default: ['a'] } })];
  expect(readAll(given, {}).values.query['p']).not.toBe(readAll(given, {}).values.query['p']);
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
  const list = parameter({ in: 'header', schema: texts });
  expect(readAll([list], raw).values.header).toEqual({ p: ['a', 'b'] });
});
