import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { exactNumber } from '../../../../src/base/exact-number';
import { jsonSchema202012 } from '../../../../src/document/versions/schema-keywords';
import { printSchema, typeContext } from '../../../../src/tool/types/print-schema';
import { schemasOf } from '../../../support/schemas';
import { casesOf, readText, rowsOf } from '../../../support/text-cases';
import { readSchema } from '../../schema/validation/validators-of';
import { namedSchemas } from './named-schemas';

const account =
  '{type: object, required: [id, secret], properties: {id: {type: integer, format: int32, readOnly: true}, secret: {type: string, writeOnly: true}}}';

const components = {
  Pet: readSchema('{type: object, properties: {id: *int64, name: *string}}'),
  Owner: readSchema('{type: object, properties: {pet: *Pet, account: *Account}}'),
  Account: readSchema(account),
  Id: readSchema('*integer'),
  Status: readSchema('{type: object, properties: {text: {type: string, enum: [a, b]}}}'),
};
const read = schemasOf(components);
const schemas = namedSchemas(components, read);

const print = (schema: object, direction: 'request' | 'response' = 'request') =>
  printSchema(read(schema), typeContext(schemas, direction));

describe.each(casesOf(join(__dirname, 'print-schema.cases.txt')))('%s', (group, lines) => {
  const readGiven = group.startsWith('JSON Schema')
    ? schemasOf(components, jsonSchema202012)
    : read;
  const named = namedSchemas(components, readGiven);

  test.each(rowsOf(lines))('%s', (_title, schema = '', ...want) => {
    const type = printSchema(readGiven(readSchema(schema)), typeContext(named, 'request'));
    expect(type).toBe(readText(want.join(' | ')));
  });
});

test.each([
  ['integers', { type: 'integer' }, '1 | 9007199254740992 | 9007199254740994'],
  ['numbers', { type: 'number' }, '1 | 9007199254740992 | 9007199254740994 | 0.12345678901234568'],
  [
    'decimals',
    { type: 'number', format: 'decimal' },
    "'1' | '9007199254740993' | '9007199254740994' | '0.1234567890123456789'",
  ],
])('an enum of %s is what handlers get', (_title, schema, want) => {
  const texts = ['1', '9007199254740993', '9007199254740994', '0.1234567890123456789'];
  expect(print({ ...schema, enum: texts.map(exactNumber) })).toBe(want);
});

test('a value of an enum beyond 2^53', () => {
  const schema = { type: 'integer', format: 'int64', enum: [9223372036854775807n] };
  expect(print(schema)).toBe('9223372036854775807n');
});

describe('D03 as requests and responses carry it', () => {
  test.each<readonly [title: string, given: string, request: string, response: string]>([
    ['an object', account, '{ readonly secret: string }', '{ readonly id: number }'],
    ['a component', '*Account', 'Account', 'AccountResponse'],
    ['what refers to it', '*Owner', 'Owner', 'OwnerResponse'],
    ['what does not differ', '*Pet', 'Pet', 'Pet'],
    [
      'what its allOf says',
      '{type: object, properties: {a: {allOf: [*string, {writeOnly: true}]}}}',
      '{ readonly a?: string | undefined }',
      '{}',
    ],
    [
      'a required property that does not travel',
      '{allOf: [*Account], required: [id, secret]}',
      'Account & { readonly secret: string }',
      'AccountResponse & { readonly id: number }',
    ],
  ])('D03 %s', (_, given, request, response) => {
    const schema = readSchema(given);
    expect([print(schema, 'request'), print(schema, 'response')]).toEqual([request, response]);
  });
});
