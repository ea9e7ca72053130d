import { describe, expect, test } from '@jest/globals';
import { printSchema } from '../../../../scripts/generate/print-schema';
import { type Schema, schemaContext } from '../../../../scripts/generate/schema-source';
import { namedSchemas } from './named-schemas';

const pet: Schema = {
  type: 'object',
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const account: Schema = {
  type: 'object',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'integer', readOnly: true },
    secret: { type: 'string', writeOnly: true },
  },
};
const ref = (component: string): string => `#/components/schemas/${component}`;

const schemas = namedSchemas({
  Pet: pet,
  Account: account,
  Owner: { properties: { account: { $ref: ref('Account') } } },
});

const print = (schema: Schema, direction: 'request' | 'response') =>
  printSchema(schema, schemaContext(schemas, direction));

describe('D03 directions', () => {
  test.each<
    readonly [title: string, direction: 'request' | 'response', given: Schema, want: string]
  >([
    ['a request', 'request', account, '{ secret: string }'],
    ['a response', 'response', account, '{ id: number }'],
    [
      'a property whose allOf says so',
      'response',
      { properties: { a: { allOf: [{ type: 'string' }, { writeOnly: true }] } } },
      '{}',
    ],
    ['a component in a request', 'request', { $ref: ref('Account') }, 'Account'],
    ['a component in a response', 'response', { $ref: ref('Account') }, 'AccountResponse'],
    ['what refers to it, in a response', 'response', { $ref: ref('Owner') }, 'OwnerResponse'],
    ['what does not differ, in a response', 'response', { $ref: ref('Pet') }, 'Pet'],
    [
      'a required property that does not travel',
      'response',
      { allOf: [{ $ref: ref('Account') }], required: ['id', 'secret'] },
      'AccountResponse & { id: number }',
    ],
  ])('D03 %s', (_, direction, given, want) => {
    expect(print(given, direction)).toBe(want);
  });
});
