/** What the comparison calls harmless is harmless: values that one document's validator accepts, the other's accepts. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Change, diffDocuments } from '../../../../src/contract';
import { type ApiDocument, type MediaType, schemaContext } from '../../../../src/engine';
import { documentOf } from './compare-fragments';

type Json = Readonly<Record<string, unknown>>;

const count = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 0.5, 1, 2, 3);

const numeric = fc.record(
  {
    type: fc.constantFrom('integer', 'number'),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: fc.boolean(),
    exclusiveMaximum: fc.boolean(),
    multipleOf: fc.constantFrom(0.5, 1, 2, 3),
    nullable: fc.boolean(),
    enum: fc.uniqueArray(fc.constantFrom(0, 1, 2, 3), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['type'] },
);

const text = fc.record(
  {
    type: fc.constant('string'),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom('^a', 'b$', '.*'),
    nullable: fc.boolean(),
    enum: fc.uniqueArray(fc.constantFrom('', 'a', 'ab', 'b', null), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['type'] },
);

const untyped = fc.record(
  {
    enum: fc.uniqueArray(fc.constantFrom(1, 'a', null, true), { minLength: 1, maxLength: 3 }),
    maxLength: count,
    minimum: bound,
  },
  { requiredKeys: [] },
);

const names = ['a', 'b'] as const;

const { schema: schemas } = fc.letrec<{ schema: Json }>((tie) => {
  const schema = tie('schema');
  const union = fc.array(schema, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'schema' },
      numeric,
      text,
      untyped,
      fc.record({ type: fc.constant('boolean'), nullable: fc.boolean() }),
      fc.record(
        {
          type: fc.constant('array'),
          items: schema,
          minItems: count,
          maxItems: count,
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: ['type', 'items'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom(...names), schema, { maxKeys: 2 }),
          required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), schema),
          minProperties: count,
          maxProperties: count,
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ allOf: union }),
      fc.record({ oneOf: union }),
      fc.record({ anyOf: union }),
      fc.record({ type: fc.constant('string'), not: schema }),
    ),
  };
});

const scalars = fc.constantFrom(
  null,
  true,
  false,
  -1,
  0,
  0.5,
  1,
  1.5,
  2,
  3,
  6,
  '',
  'a',
  'ab',
  'b',
  'abab',
);

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'value' },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, 'c'), tie('value'), { maxKeys: 3 }),
  ),
}));

const document = (schema: Json): ApiDocument => {
  const content = { 'application/json': { schema } };
  return documentOf({
    paths: {
      '/a': {
        post: { requestBody: { content }, responses: { 200: { description: 'A', content } } },
      },
    },
  });
};

const validatorOf = (given: ApiDocument, direction: 'request' | 'response') => {
  const [operation] = given.operations;
  const schema: MediaType['schema'] = operation?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('The document has no schema');
  return schemaContext(given).validators.validatorOf(schema, direction);
};

const isHarmless = (changes: readonly Change[], side: Change['side']): boolean =>
  changes.every((change) => change.side !== side || change.severity === 'compatible');

/** One schema is often a small change of the other: two of them made apart have little to do with each other. */
const changed = (schema: Json, keyword: string, value: unknown): Json => {
  const { [keyword]: _before, ...rest } = schema;
  return value === undefined ? rest : { ...rest, [keyword]: value };
};

const change = fc.oneof(
  fc.tuple(fc.constantFrom('minimum', 'maximum', 'multipleOf'), fc.constantFrom(undefined, 1, 2)),
  fc.tuple(
    fc.constantFrom('minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'),
    fc.constantFrom(undefined, 1, 2),
  ),
  fc.tuple(fc.constantFrom('required'), fc.constantFrom(undefined, ['a'], ['a', 'b'])),
  fc.tuple(fc.constantFrom('nullable', 'uniqueItems'), fc.boolean()),
  fc.tuple(
    fc.constantFrom('allOf', 'anyOf', 'oneOf', 'not', 'enum', 'type', 'additionalProperties'),
    fc.constant(undefined),
  ),
  fc.tuple(
    fc.constant('allOf'),
    schemas.map((one) => [one]),
  ),
  fc.tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(schemas, { minLength: 1, maxLength: 2 })),
);

const pairs = fc.oneof(
  fc.tuple(schemas, schemas),
  fc
    .tuple(schemas, change)
    .map(([schema, [keyword, value]]) => [schema, changed(schema, keyword, value)] as const),
  fc
    .tuple(schemas, change)
    .map(([schema, [keyword, value]]) => [changed(schema, keyword, value), schema] as const),
);

/** Names that are not declared say nothing where `additionalProperties` does not: callers were told of none. */
const isDeclared = (schema: unknown, value: unknown): boolean => {
  const text = JSON.stringify(schema);
  const used = JSON.stringify(value).matchAll(/"([abc])":/g);
  return (
    [...used].every(([, name]) => text.includes(`"${name}":`)) ||
    text.includes('additionalProperties')
  );
};

/** The first sample that the source accepts and the target refuses, with the reason; undefined where there is none. */
const refusedSample = (
  [source, target]: readonly [Json, Json],
  side: 'request' | 'response',
  samples: readonly unknown[],
): string | undefined => {
  const accepts = validatorOf(document(source), side);
  const mustAccept = validatorOf(document(target), side);
  const promised = samples.filter(
    (sample) => isDeclared(source, sample) && accepts(sample).length === 0,
  );
  const refused = promised.find((sample) => mustAccept(sample).length > 0);
  return refused === undefined
    ? undefined
    : `${JSON.stringify(refused)} ${mustAccept(refused)[0]?.message}`;
};

test.each(['request', 'response'] as const)('values of a %s that were promised fit', (side) => {
  fc.assert(
    fc.property(
      pairs,
      fc.array(values, { minLength: 20, maxLength: 40 }),
      ([old, now], samples) => {
        if (!isHarmless(diffDocuments(document(old), document(now)), side)) return;
        expect(refusedSample(side === 'request' ? [old, now] : [now, old], side, samples)).toBe(
          undefined,
        );
      },
    ),
    { seed: 20, numRuns: 200 },
  );
});
