/** The keywords that OpenAPI 3.1 has and 3.0 has not: what fits, and what is said of the rest. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { drawFrom, makeFuel } from '../../../../src/base/fuel';
import { jsonSchema202012 } from '../../../../src/document/versions/schema-keywords';
import { casesOf, readValue, rowsOf } from '../../../support/text-cases';
import { readSchema, refTo, validatorsOf } from './validators-of';

const components = {
  Extended: { properties: { e: true } },
  Name: { const: 'a' },
  Never: false as unknown as object,
  Node: { properties: { next: refTo('Node') }, unevaluatedProperties: false },
  Branching: {
    anyOf: [{ properties: { next: refTo('Branching') } }, { required: ['none'] }],
    unevaluatedProperties: false,
  },
};

const { validatorOf } = validatorsOf(components, jsonSchema202012);

describe.each(casesOf(join(__dirname, 'json-schema-2020-12.cases.txt')))('%s', (_group, lines) => {
  test.each(rowsOf(lines))('%s', (_title, schema = '', value = '', want = '') => {
    const faults = validatorOf(readSchema(schema), 'storage')(readValue(value));
    const found = faults.map(({ path, message }) => `${path || 'itself'} ${message}`);
    expect(found.join(' ') || 'fits').toBe(want);
  });
});

test.each([
  ['V06 a condition is not relaxed', '{if: {required: [id]}, then: {required: [b]}}', []],
  ['V07 what a request omits is not required', '{dependentRequired: {a: [id]}}', []],
  ['V07 what it need not omit is', '{dependentRequired: {a: [b]}}', ['/b']],
])('%s', (_title, schema, want) => {
  const properties = { id: { type: 'integer', readOnly: true } };
  const faults = validatorOf({ properties, ...readSchema(schema) }, 'request')({ a: 1 });
  expect(faults.map(({ path }) => path)).toEqual(want);
});

test('V10 a tree is decided in steps that grow with it, and by the same answer each time', () => {
  const treeOf = (levels: number, inner: object): object =>
    Array.from({ length: levels }).reduce<object>((next) => ({ next }), inner);
  const validate = validatorOf(refTo('Branching'), 'request');
  const stepsFor = (levels: number): number => {
    const fuel = makeFuel(100_000);
    expect(drawFrom(fuel, () => validate(treeOf(levels, {})))).toEqual([]);
    return fuel.capacity - fuel.left;
  };
  expect(stepsFor(80)).toBeLessThan(3 * stepsFor(40));
  expect(validate(treeOf(60, { x: 1 }))).not.toEqual([]);
});

test.each([
  ['V08 every name fits a pattern of another language', {}],
  ['V08 the others are told apart', { additionalProperties: false }],
  ['V08 what is unevaluated, too', { unevaluatedProperties: false }],
])('%s', (_title, rest) => {
  const named = { '(?i)^a$': { type: 'integer' }, '^b$': { type: 'integer' } };
  const validate = validatorOf({ patternProperties: named, ...rest }, 'storage');
  expect(validate({ A: 'x', c: 'x', b: 5 })).toEqual([]);
  expect(validate({ b: 'x' }).map(({ path }) => path)).toEqual(['/b']);
});

test('V08 every text and every name fits a pattern of another language', () => {
  const pattern = '\\A[a-z]+\\z';
  expect(validatorOf({ type: 'string', pattern }, 'storage')('5')).toEqual([]);
  expect(validatorOf({ propertyNames: { pattern } }, 'storage')({ 5: 1 })).toEqual([]);
});

test('a schema that excludes itself is told where parts are tracked, too', () => {
  const liar: Record<string, unknown> = { unevaluatedProperties: false };
  liar['not'] = liar;
  expect(() => validatorOf(liar, 'storage')({})).toThrow('must not exclude itself');
});
