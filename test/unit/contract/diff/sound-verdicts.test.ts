/** A change that the comparison calls harmless is harmless: values that one document's validator accepts, the other's accepts. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Change, diffDocuments } from '../../../../src/contract';
import { type ApiDocument, schemaContext } from '../../../../src/engine';
import type { MediaType } from '../../../../src/model/operation';
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

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (schema: Json, keyword: string): readonly unknown[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
};

const numbers = fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2, 3, 6);
const texts = fc.constantFrom('', 'a', 'ab', 'b', 'abab');
const scalars = fc.oneof(numbers, texts, fc.constantFrom(null, true, false));

const likelyObject = (schema: Json): fc.Arbitrary<unknown> => {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  const fields = Object.entries(properties).map(([name, one]) => [name, likely(one)] as const);
  const declared = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const name = fc.constantFrom(...names, 'c');
  const others = fc.dictionary(name, likely(schema['additionalProperties']), { maxKeys: 2 });
  return fc.tuple(others, declared).map(([other, own]) => ({ ...other, ...own }));
};

const byType: Readonly<Record<string, (schema: Json) => fc.Arbitrary<unknown>>> = {
  integer: () => numbers,
  number: () => numbers,
  string: () => texts,
  array: (schema) => fc.array(likely(schema['items']), { maxLength: 4 }),
  object: likelyObject,
};

/** Values that have a chance to fit: of the schema's type, with parts that may fit theirs. */
function likely(schema: unknown): fc.Arbitrary<unknown> {
  if (!isJson(schema)) return scalars;
  const members = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    listIn(schema, keyword).map(likely),
  );
  const listed = listIn(schema, 'enum').map((one) => fc.constant(one));
  const own = byType[String(schema['type'])]?.(schema) ?? scalars;
  return fc.oneof({ arbitrary: own, weight: 4 }, scalars, ...members, ...listed);
}

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

const without = (schema: Json, keyword: string): Json => {
  const { [keyword]: _before, ...rest } = schema;
  return rest;
};

const keywordsOf: Readonly<
  Record<string, readonly (readonly [keyword: string, value: unknown])[]>
> = {
  integer: [
    ['minimum', 1],
    ['maximum', 1],
    ['multipleOf', 2],
    ['type', 'number'],
    ['enum', [1, 2]],
  ],
  number: [
    ['minimum', 1],
    ['maximum', 1],
    ['exclusiveMinimum', true],
    ['type', 'integer'],
  ],
  string: [
    ['minLength', 1],
    ['maxLength', 1],
    ['pattern', '^a'],
    ['enum', ['a', 'b']],
  ],
  array: [
    ['minItems', 1],
    ['maxItems', 1],
    ['uniqueItems', true],
    ['items', { type: 'string' }],
  ],
  object: [
    ['required', ['a']],
    ['additionalProperties', false],
    ['additionalProperties', { type: 'string' }],
    ['maxProperties', 1],
    ['properties', { a: { type: 'integer' } }],
  ],
};

const always = [
  ['nullable', true],
  ['not', { enum: ['a', 1] }],
  ['anyOf', [{ type: 'string' }, { type: 'number', minimum: 1 }]],
  ['oneOf', [{ type: 'string' }, { type: 'string', maxLength: 1 }, { type: 'object' }]],
] as const;

/** The schema with one keyword set or taken away: two schemas made apart have little to do with each other. */
const changed = (schema: Json): fc.Arbitrary<Json> => {
  const settings = [...(keywordsOf[String(schema['type'])] ?? []), ...always];
  const set = fc
    .constantFrom(...settings)
    .map(([keyword, value]) => ({ ...schema, [keyword]: value }));
  const present = Object.keys(schema);
  if (present.length === 0) return set;
  return fc.oneof(
    set,
    fc.constantFrom(...present).map((keyword) => without(schema, keyword)),
  );
};

/** A change deep within: as an item, a property, an alternative. */
const wrapped = (schema: Json, at: number): Json => {
  if (at === 1) return { type: 'array', items: schema };
  if (at === 2) return { type: 'object', properties: { a: schema } };
  if (at === 3) return { oneOf: [{ type: 'boolean' }, schema] };
  return schema;
};

const near = schemas
  .chain((schema) => fc.tuple(fc.constant(schema), changed(schema), fc.nat(3), fc.boolean()))
  .map(([one, other, at, isTurned]) => {
    const [old, now] = isTurned ? [other, one] : [one, other];
    return [wrapped(old, at), wrapped(now, at)] as const;
  });

const pairs = fc.oneof({ arbitrary: near, weight: 5 }, fc.tuple(schemas, schemas));

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

const sampled = pairs.chain((pair) =>
  fc.tuple(
    fc.constant(pair),
    fc.array(fc.oneof(likely(pair[0]), likely(pair[1])), { minLength: 20, maxLength: 30 }),
  ),
);

test.each(['request', 'response'] as const)('values of a %s that were promised fit', (side) => {
  fc.assert(
    fc.property(sampled, ([[old, now], samples]) => {
      if (!isHarmless(diffDocuments(document(old), document(now)), side)) return;
      const pair = side === 'request' ? ([old, now] as const) : ([now, old] as const);
      expect(refusedSample(pair, side, samples)).toBe(undefined);
    }),
    { seed: 20, numRuns: 200 },
  );
});
