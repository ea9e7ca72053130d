import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { jsonSchema202012, openApi30 } from '../../../../src/document/versions/schema-keywords';
import type { SchemaError } from '../../../../src/schema/validation/schema-errors';
import { casesOf, readValue, rowsOf } from '../../../support/text-cases';
import { readSchema, refTo, validatorsOf } from './validators-of';

const tooLong = 'x'.repeat(3000);

type Case = [title: string, schema: object, value: unknown, want: Record<string, string>];

const check = (
  schema: object,
  value: unknown,
  want: Record<string, string>,
  dialect = openApi30,
): void => {
  const components = { Flag: readSchema('*boolean'), Nothing: { enum: [null] } };
  const faults = validatorsOf(components, dialect).validatorOf(schema, 'storage')(value);
  expect(Object.fromEntries(faults.map(({ path, message }) => [path, message]))).toEqual(want);
  expect(JSON.stringify(faults)).not.toMatch(/secret/i);
};

describe.each(casesOf(join(__dirname, 'messages.cases.txt')))('%s', (group, lines) => {
  const dialect = group.endsWith('3.1') ? jsonSchema202012 : openApi30;
  test.each(rowsOf(lines))('%s', (_title, schema = '', value = '', fault = '') => {
    const [, place = '', message = ''] = /^(\S+) (.*)$/.exec(fault) ?? [];
    const want = { [place === 'itself' ? '' : place]: message };
    check(readSchema(schema), readValue(value), want, dialect);
  });
});

describe('what a fault says', () => {
  test.each<Case>([
    ['a limit', { minimum: 2n ** 60n }, 1, { '': 'must be at least 1152921504606846976' }],
    [
      'a length in bytes',
      { type: 'string', format: 'binary', maxLength: 2 },
      new Uint8Array(3),
      { '': 'must be at most 2 bytes long' },
    ],
    [
      'alternatives of a large value',
      { anyOf: [{ type: 'string' }, { items: { type: 'integer' } }] },
      Array(5000).fill('secret'),
      { '': 'must fit at least one of 2 alternatives' },
    ],
    [
      'a name too long to repeat',
      { properties: { a: { additionalProperties: false } } },
      { a: { [tooLong]: 1 } },
      { '/a': 'must not be present, since no such property is allowed' },
    ],
  ])('%s', (_title, schema, value, want) => check(schema, value, want));

  test('union branches may be references', () => {
    const { validatorOf } = validatorsOf({ Cat: readSchema('*cat'), Dog: readSchema('*dog') });
    const schema: object = { anyOf: [refTo('Cat'), refTo('Dog')] };
    expect(validatorOf(schema, 'storage')({ kind: 'cat', lives: 1.5 })).toEqual([
      {
        path: '/lives',
        message: 'must be an integer, not the number 1.5',
        rule: 'type',
        allowed: ['integer'],
        got: 'the number 1.5',
      },
    ]);
  });

  test.each<[schema: string, value: unknown, fault: Partial<SchemaError>]>([
    ['{enum: [a, b]}', 'c', { rule: 'enum', allowed: ['a', 'b'], got: 'c' }],
    ['{enum: [a]}', 'x'.repeat(41), { rule: 'enum', allowed: ['a'] }],
    ['{enum: [0.5]}', 1.5, { rule: 'enum', allowed: [0.5], got: 1.5 }],
    ['{enum: [1, 2]}', 3n, { rule: 'enum', allowed: [1, 2], got: 3 }],
    ['{enum: [1, 2]}', 2n ** 60n + 1n, { rule: 'enum', got: '1152921504606846977' }],
    ['{enum: [true]}', false, { rule: 'enum', allowed: [true], got: false }],
    ['{enum: [a]}', ['secret'], { rule: 'enum', allowed: ['a'] }],
    ['{enum: [[a]]}', 'secret', { rule: 'enum', allowed: [['a']] }],
    ['{enum: [a], writeOnly: true}', 'secret', { rule: 'enum', allowed: ['a'] }],
    ['{enum: [a], format: password}', 'secret', { rule: 'enum', allowed: ['a'] }],
    ['{const: a}', 'c', { rule: 'const', allowed: 'a', got: 'c' }],
    ['{const: {a: 1}}', 'secret', { rule: 'const', allowed: { a: 1 } }],
    ['{const: null}', 7, { rule: 'const', allowed: null, got: 7 }],
    ['{anyOf: [{const: 1}, {const: 2}]}', 3, { rule: 'anyOf' }],
  ])('%s of %p', (schema, value, fault) => {
    const validators = validatorsOf({}, jsonSchema202012);
    const [told] = validators.validatorOf(readSchema(schema), 'request')(value);
    expect(told).toMatchObject({ path: '', ...fault });
    expect(told?.got).toBe(fault.got);
  });

  test('at most twenty faults of a small value, one of a large', () => {
    const validate = validatorsOf({ Flag: readSchema('*boolean') }).validatorOf(
      { type: 'array', items: { type: 'string' } },
      'storage',
    );
    expect(validate(Array(1000).fill(1))).toHaveLength(20);
    expect(validate(Array(1_000_000).fill(1))).toEqual([
      {
        path: '/0',
        message: 'must be a string, not the number 1',
        rule: 'type',
        allowed: ['string'],
        got: 'the number 1',
      },
    ]);
  });
});
