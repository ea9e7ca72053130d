/**
 * One keyword added to a schema is breaking for requests where it refuses one of the values that the schema accepts, and nothing
 * otherwise: verdicts on all pairs of a table, against those of the validators over values that the schemas tell apart.
 */

import { expect, test } from '@jest/globals';
import { diffDocuments } from '../../../../src/contract';
import { type ApiDocument, schemaContext } from '../../../../src/engine';
import { documentOf } from './compare-fragments';

type Json = Readonly<Record<string, unknown>>;

/** Biome takes an object with a literal `then` for a promise. */
const conditional = (condition: Json, consequence: Json): Json =>
  Object.fromEntries([
    ['if', condition],
    ['then', consequence],
  ]);

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

const numbers: readonly Json[] = [
  { type: 'integer', minimum: 1, maximum: 3 },
  { type: 'integer', enum: [1, 2] },
  { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 2 },
  { type: 'number', minimum: 0.5, maximum: 2 },
  { const: 2 },
  { oneOf: [{ const: 1 }, { type: 'integer', minimum: 3, maximum: 4 }] },
];

const texts: readonly Json[] = [
  { type: 'string', enum: ['a', 'ab'] },
  { type: 'string', maxLength: 2 },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'uuid' },
  { type: 'string', pattern: '^[ab]{1,2}$' },
  { type: 'string', pattern: 'b' },
  { anyOf: [{ const: 'a' }, { type: 'string', format: 'date' }] },
];

const lists: readonly Json[] = [
  { type: 'array', maxItems: 1 },
  { type: 'array', prefixItems: [{ type: 'integer' }], items: false },
  { type: 'array', contains: { type: 'string' } },
  { type: 'array', contains: { type: 'string' }, minContains: 2, items: { type: 'string' } },
  { type: 'array', items: { type: 'integer' } },
];

const objects: readonly Json[] = [
  { type: 'object', required: ['a'], properties: { a: {}, b: {} } },
  { type: 'object', properties: { a: {} }, additionalProperties: false },
  { type: 'object', required: ['a', 'b'], additionalProperties: { type: 'integer' } },
  { allOf: [{ required: ['a'] }, { type: 'object', required: ['b'] }] },
];

/** Schemas, the keywords that are added to each, and values. */
const table: readonly (readonly [schemas: readonly Json[], added: readonly Json[]])[] = [
  [
    numbers,
    [
      ...[0, 1, 2].map((minimum) => ({ minimum })),
      ...[2, 3, 4].map((maximum) => ({ maximum })),
      ...[0, 0.5].map((exclusiveMinimum) => ({ exclusiveMinimum })),
      ...[2, 4, 5].map((exclusiveMaximum) => ({ exclusiveMaximum })),
      ...['int32', 'date', 'uuid'].map((format) => ({ format })),
      { not: { type: 'string' } },
      { not: { type: 'number', minimum: 5 } },
      conditional({ type: 'string' }, { minLength: 1 }),
      { minLength: 5, pattern: 'x', maxItems: 0, required: ['z'] },
    ],
  ],
  [
    texts,
    [
      ...[0, 1, 2, 10, 36].map((minLength) => ({ minLength })),
      ...[1, 2, 10, 36].map((maxLength) => ({ maxLength })),
      ...['^', '^[ab]', 'b$'].map((pattern) => ({ pattern })),
      { not: { type: 'integer' } },
      { not: { type: 'string', minLength: 37 } },
      { not: false },
      conditional({}, {}),
      { minimum: 5, uniqueItems: true, minProperties: 3 },
    ],
  ],
  [
    lists,
    [
      ...[0, 1, 2].map((minItems) => ({ minItems })),
      ...[0, 1, 2].map((maxItems) => ({ maxItems })),
      { uniqueItems: true },
      { not: { type: 'object' } },
    ],
  ],
  [
    objects,
    [
      ...[0, 1, 2, 3].map((minProperties) => ({ minProperties })),
      ...[0, 1, 2].map((maxProperties) => ({ maxProperties })),
      { not: { type: 'array' } },
    ],
  ],
];

const values: readonly unknown[] = [
  ...[-1, 0, 0.5, 1, 1.5, 2, 3, 4, 5],
  ...['', 'a', 'b', 'ab', 'ba', 'bx', 'abab', 'xb', '2024-02-29', uuid, `${uuid}b`],
  ...[[], [1], [1, 1], ['a'], ['a', 'a'], ['a', 'b', 'c'], [1, 2, 'a'], [1, 2, 3]],
  ...[{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }],
  ...[null, true, false],
];

const document = (schema: Json): ApiDocument =>
  documentOf({
    openapi: '3.1.1',
    paths: {
      '/a': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { description: 'A' } },
        },
      },
    },
  });

/** Returns the values that a document accepts. */
const acceptedBy = (given: ApiDocument): readonly unknown[] => {
  const schema = given.operations[0]?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('The document has no schema');
  const validate = schemaContext(given).validators.validatorOf(schema, 'request');
  return values.filter((value) => validate(value).length === 0);
};

const rows = table.flatMap(([schemas, added]) =>
  schemas.flatMap((schema) =>
    added
      .filter((keywords) => Object.keys(keywords).every((keyword) => !(keyword in schema)))
      .map(
        (keywords) => [JSON.stringify(schema), JSON.stringify(keywords), schema, keywords] as const,
      ),
  ),
);

test.each(rows)('%s with %s', (_schema, _keywords, schema, keywords) => {
  const [old, now] = [document(schema), document({ ...schema, ...keywords })];
  const accepted = acceptedBy(now);
  const refused = acceptedBy(old).filter((value) => !accepted.includes(value));
  const changes = diffDocuments(old, now).map(({ severity }) => severity);
  expect([changes, refused]).toEqual([refused.length > 0 ? ['breaking'] : [], refused]);
});
