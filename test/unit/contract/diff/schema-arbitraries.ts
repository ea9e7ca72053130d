/** Schemas of each dialect, changes of them, and values that may fit them, made at random. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';

export type Json = Readonly<Record<string, unknown>>;

const count = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 0.5, 1, 2, 3);
const names = ['a', 'b'] as const;
const someNames = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });

const optional = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>, ...required: string[]) =>
  fc.record(model, { requiredKeys: required });

const listed = (...values: readonly unknown[]): fc.Arbitrary<unknown[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

const numeric = {
  type: fc.constantFrom('integer', 'number'),
  minimum: bound,
  maximum: bound,
  multipleOf: fc.constantFrom(0.5, 1, 2, 3),
  enum: listed(0, 1, 2, 3),
};

const text = {
  type: fc.constant('string'),
  minLength: count,
  maxLength: count,
  pattern: fc.constantFrom('^a', 'b$', '.*'),
  enum: listed('', 'a', 'ab', 'b', null),
};

const untyped = optional({ enum: listed(1, 'a', null, true), maxLength: count, minimum: bound });

/** The keywords of lists and objects that both dialects have, around other schemas. */
const composites = (schema: fc.Arbitrary<unknown>) => ({
  array: {
    type: fc.constant('array'),
    items: schema,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
  },
  object: {
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom(...names), schema, { maxKeys: 2 }),
    required: someNames,
    additionalProperties: fc.oneof(fc.boolean(), schema),
    minProperties: count,
    maxProperties: count,
  },
});

const depth = { maxDepth: 2, depthIdentifier: 'schema' };

const combined = (schema: fc.Arbitrary<unknown>): fc.Arbitrary<Json>[] => {
  const union = fc.array(schema, { minLength: 1, maxLength: 3 });
  return [
    fc.record({ allOf: union }),
    fc.record({ oneOf: union }),
    fc.record({ anyOf: union }),
    fc.record({ type: fc.constant('string'), not: schema }),
  ];
};

const { schema: openApi30 } = fc.letrec<{ schema: Json }>((tie) => {
  const schema = tie('schema');
  const { array, object } = composites(schema);
  const nullable = fc.boolean();
  const exclusive = { exclusiveMinimum: fc.boolean(), exclusiveMaximum: fc.boolean() };
  return {
    schema: fc.oneof(
      depth,
      optional({ ...numeric, ...exclusive, nullable }, 'type'),
      optional({ ...text, nullable }, 'type'),
      untyped,
      fc.record({ type: fc.constant('boolean'), nullable }),
      optional(array, 'type', 'items'),
      optional(object, 'type'),
      ...combined(schema),
    ),
  };
});

const { schema: jsonSchema } = fc.letrec<{ schema: Json; inner: Json | boolean }>((tie) => {
  const [schema, inner] = [tie('schema'), tie('inner')];
  const { array, object } = composites(inner);
  const byName = fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 2 });
  const types = fc.uniqueArray(fc.constantFrom('string', 'integer', 'null', 'array', 'object'), {
    minLength: 1,
    maxLength: 3,
  });
  const lists = {
    ...array,
    prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
    contains: inner,
    minContains: count,
    maxContains: count,
    unevaluatedItems: inner,
  };
  const objects = {
    ...object,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', ''), inner, { maxKeys: 2 }),
    propertyNames: fc.constantFrom({ maxLength: 1 }, { enum: ['a', 'c'] }, { pattern: '^a' }),
    dependentRequired: fc.dictionary(fc.constantFrom(...names), someNames, { maxKeys: 2 }),
    dependentSchemas: byName,
    unevaluatedProperties: inner,
  };
  const conditional = ['if', 'then', 'else', 'unevaluatedProperties'].map((name) => [name, inner]);
  const condition = optional({ ...Object.fromEntries(conditional), properties: byName }, 'if');
  return {
    inner: fc.oneof({ arbitrary: schema, weight: 6 }, fc.boolean()),
    schema: fc.oneof(
      depth,
      optional({ ...numeric, exclusiveMinimum: bound, exclusiveMaximum: bound }, 'type'),
      optional(text, 'type'),
      untyped,
      fc.record({ const: fc.constantFrom(1, 'a', null) }),
      optional({ type: types, maxLength: count, minimum: bound, items: inner }, 'type'),
      optional(lists, 'type'),
      optional(objects, 'type'),
      condition,
      optional({ oneOf: fc.array(inner, { minLength: 1, maxLength: 2 }), ...objects }, 'oneOf'),
      ...combined(inner),
    ),
  };
});

type Setting = readonly [keyword: string, value: unknown];

/** Keywords that a change may set, by type; those under an empty name for any. */
type Settings = Readonly<Record<string, readonly Setting[]>>;

const shared: Settings = parse(readFileSync(join(__dirname, 'schema-arbitraries.yaml'), 'utf8'));

const old: Settings = { number: [['exclusiveMinimum', true]], '': [['nullable', true]] };

const modern: Settings = {
  number: [['exclusiveMinimum', 1]],
  array: [
    ['prefixItems', [{ type: 'integer' }]],
    ['items', false],
    ['contains', { type: 'integer' }],
    ['minContains', 2],
    ['maxContains', 1],
    ['unevaluatedItems', false],
  ],
  object: [
    ['patternProperties', { '^a': { type: 'integer' } }],
    ['propertyNames', { enum: ['a'] }],
    ['dependentRequired', { a: ['b'] }],
    ['dependentSchemas', { a: { properties: { b: { type: 'string' } } } }],
    ['unevaluatedProperties', false],
    ['unevaluatedProperties', { type: 'string' }],
    ['if', { required: ['a'] }],
    ['then', { required: ['b'] }],
  ],
  '': [
    ['const', 1],
    ['type', ['string', 'null']],
    ['anyOf', [{ type: 'integer' }, { type: ['string', 'null'] }]],
    ['if', { type: 'string' }],
    ['then', { maxLength: 1 }],
    ['else', { type: 'integer' }],
  ],
};

/** The schemas of a version of OpenAPI, and keywords to change in them. */
export const dialects: readonly (readonly [version: string, fc.Arbitrary<Json>, Settings])[] = [
  ['3.0.3', openApi30, old],
  ['3.1.1', jsonSchema, modern],
];

const without = (schema: Json, keyword: string): Json => {
  const { [keyword]: _before, ...rest } = schema;
  return rest;
};

/** The schema with one keyword set or taken away: two schemas made apart have little to do with each other. */
const changed = (schema: Json, own: Settings): fc.Arbitrary<Json> => {
  const types = ['', ...[schema['type']].flat().map(String)];
  const settings = types.flatMap((type) => [...(shared[type] ?? []), ...(own[type] ?? [])]);
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

/** Makes pairs of schemas, most of which differ in one keyword. */
export const pairsOf = (
  schemas: fc.Arbitrary<Json>,
  settings: Settings,
): fc.Arbitrary<readonly [old: Json, now: Json]> => {
  const near = schemas
    .chain((one) => fc.tuple(fc.constant(one), changed(one, settings), fc.nat(3), fc.boolean()))
    .map(([one, other, at, isTurned]) => {
      const [before, after] = isTurned ? [other, one] : [one, other];
      return [wrapped(before, at), wrapped(after, at)] as const;
    });
  return fc.oneof({ arbitrary: near, weight: 5 }, fc.tuple(schemas, schemas));
};

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (schema: Json, keyword: string): readonly unknown[] => {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
};

const mapIn = (schema: Json, keyword: string): Json => {
  const map = schema[keyword];
  return isJson(map) ? map : {};
};

const numbers = fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2, 3, 6);
const texts = fc.constantFrom('', 'a', 'ab', 'b', 'abab');
const scalars = fc.oneof(numbers, texts, fc.constantFrom(null, true, false));

const likelyObject = (schema: Json): fc.Arbitrary<unknown> => {
  const fields = Object.entries(mapIn(schema, 'properties'));
  const declared = fc.record(Object.fromEntries(fields.map(([name, one]) => [name, likely(one)])), {
    requiredKeys: [],
  });
  const open = ['additionalProperties', 'unevaluatedProperties'].map((keyword) => schema[keyword]);
  const values = [...open, ...Object.values(mapIn(schema, 'patternProperties'))].map(likely);
  const others = fc.dictionary(fc.constantFrom(...names, 'c'), fc.oneof(...values), { maxKeys: 3 });
  return fc.tuple(others, declared).map(([other, own]) => ({ ...other, ...own }));
};

const likelyArray = (schema: Json): fc.Arbitrary<unknown> => {
  const others = ['items', 'contains', 'unevaluatedItems'].map((keyword) => schema[keyword]);
  const first = fc.tuple(...listIn(schema, 'prefixItems').map(likely));
  const rest = fc.array(fc.oneof(...others.map(likely)), { maxLength: 4 });
  return fc.tuple(first, rest).map(([before, after]) => [...before, ...after]);
};

const byType: Readonly<Record<string, (schema: Json) => fc.Arbitrary<unknown>>> = {
  integer: () => numbers,
  number: () => numbers,
  string: () => texts,
  array: likelyArray,
  object: likelyObject,
};

/** Values that have a chance to fit: of the schema's type, with parts that may fit theirs. */
export function likely(schema: unknown): fc.Arbitrary<unknown> {
  if (!isJson(schema)) return scalars;
  const members = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listIn(schema, keyword)),
    ...['if', 'then', 'else'].flatMap((keyword) => schema[keyword] ?? []),
    ...Object.values(mapIn(schema, 'dependentSchemas')),
  ].map(likely);
  const given = [...listIn(schema, 'enum'), schema['const'] ?? null].map((one) => fc.constant(one));
  const own = [schema['type']].flat().map((type) => byType[String(type)]?.(schema) ?? scalars);
  // A union of objects may name what it holds beside it.
  const whole = 'oneOf' in schema ? [likelyObject(schema)] : [];
  return fc.oneof(
    { arbitrary: fc.oneof(...own), weight: 4 },
    scalars,
    ...whole,
    ...members,
    ...given,
  );
}
