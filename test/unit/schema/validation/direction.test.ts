import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Direction } from '../../../../src/schema/shape';
import { casesOf, readValue, rowsOf } from '../../../support/text-cases';
import { readSchema, refTo, validatorsOf } from './validators-of';

const readOnlyId = { type: 'integer', format: 'int64', readOnly: true };
const secret = { type: 'string', writeOnly: true };
const components = {
  Id: readOnlyId,
  Account: {
    type: 'object',
    required: ['id', 'name', 'password'],
    properties: { id: refTo('Id'), name: { type: 'string' }, password: secret },
  },
  Base: { type: 'object', required: ['id', 'name'] },
  Marks: { properties: { id: readOnlyId } },
};

const pathsOf = (schema: object, direction: Direction, value: unknown): string[] =>
  validatorsOf(components)
    .validatorOf(
      schema,
      direction,
    )(value)
    .map(({ path }) => path);

describe.each(casesOf(join(__dirname, 'direction.cases.txt')))('%s', (_group, lines) => {
  test.each(rowsOf(lines))('%s', (_title, schema = '', direction = '', value = '', want = '') => {
    const paths = pathsOf(readSchema(schema), direction as Direction, readValue(value));
    expect(paths.map((path) => path || 'itself').join(' ') || 'fits').toBe(want);
  });
});

test('a format of bytes in one member, the type in another', () => {
  const schema = readSchema('{allOf: [*string, {format: binary}]}');
  expect(pathsOf(schema, 'request', new Uint8Array(1))).toEqual([]);
});

test('D03 accepts: neither is required, both are checked', () => {
  const accepts = validatorsOf(components).accepts(refTo('Account'));
  expect(accepts({ name: 'x' })).toBe(true);
  expect(accepts({ name: 'x', id: 'x' })).toBe(false);
  expect(accepts({ name: 'x', password: 5 })).toBe(false);
  expect(accepts({})).toBe(false);
});
