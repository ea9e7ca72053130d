/** The choices that schemas leave to a value: a branch of a union, a side of a condition, a type of several. */

import { memoize, memoizePairs } from '../base/memoize';
import { isPlainObject } from '../base/plain-object';
import { type JsonType, type Schema, schemaOf, withKeywords } from '../model/schema';
import { type SchemaView, viewOf } from './schema-view';

/** A choice: the schemas that hold beside the others, by the ways to choose, in the order in which they are tried. */
export interface Choice {
  readonly ways: readonly (readonly Schema[])[];
}

const unionsOf = ({ oneOf, anyOf }: Schema) =>
  [
    { branches: oneOf, several: false },
    { branches: anyOf, several: true },
  ]
    .filter(({ branches }) => branches.length > 0)
    .map(({ branches, several }) => {
      // All that null alone does not fit.
      const others = branches.filter(({ types }) => types?.length !== 1 || types[0] !== 'null');
      return { others, several, hasNull: others.length < branches.length };
    });

/** Lists the schemas that hold with another one: its members, and the lone branches of its unions. */
export const alwaysHeld = (schema: Schema): readonly Schema[] => [
  ...schema.members,
  ...unionsOf(schema).flatMap(({ others, hasNull }) =>
    others.length === 1 && !hasNull ? others : [],
  ),
];

/** As `alwaysHeld`, plus the branch of every `T | null` union. */
export const heldUnlessNull = (schema: Schema): readonly Schema[] => [
  ...schema.members,
  ...unionsOf(schema).flatMap(({ others }) => (others.length === 1 ? others : [])),
];

/** Lists the choices that a schema leaves, its members aside; of the same schema always the same ones. */
export const openChoices = memoize((schema: Schema): readonly Choice[] => {
  const { if: condition, ifTrue, ifFalse, dependentSchemas = [] } = schema;
  const unions = unionsOf(schema).filter(({ others }) => others.length > 1);
  const list = (inner: Schema | undefined) => (inner === undefined ? [] : [inner]);
  const ways = [
    // Of anyOf first all branches together, because all that hold count.
    ...unions.map(({ others, several }) => [
      ...(several ? [others] : []),
      ...others.map((branch) => [branch]),
    ]),
    ...(condition && (ifTrue ?? ifFalse) ? [[[condition, ...list(ifTrue)], list(ifFalse)]] : []),
    ...[...dependentSchemas].map(([name, dependent]) => [
      [schemaOf({ required: [name] }), dependent],
      [],
    ]),
  ];
  return ways.map((all) => ({ ways: all }));
});

/** Narrows a schema to one type; applicators are dropped, the caller keeps them. */
const narrowed = memoizePairs((schema: Schema, type: JsonType) =>
  withKeywords(schema, {
    types: [type],
    members: [],
    anyOf: [],
    oneOf: [],
    if: undefined,
    dependentSchemas: undefined,
    unevaluatedItems: undefined,
    unevaluatedProperties: undefined,
  }),
);

/** Makes the choice among several types. */
export const typeChoice = (view: SchemaView): Choice | undefined => {
  const several = view.readTypes;
  const [named] = view.parts.filter(({ types: names = [] }) => names.length > 1);
  if (several.length < 2 || named === undefined) return undefined;
  return { ways: several.map((type) => [narrowed(named, type)]) };
};

/**
 * Makes a predicate that is true of objects that have another value than those that the schema names for a property, so that they
 * cannot fit it; undefined where it names none.
 * @param ignored names of properties that are not looked at
 */
export const otherTag = (
  schema: Schema,
  ignored: ReadonlySet<string> = new Set(),
): ((value: unknown) => boolean) | undefined => {
  const tags = viewOf(schema)
    .values('properties')
    .flatMap((properties) => [...properties])
    .filter(([name, { enum: values }]) => values !== undefined && !ignored.has(name))
    .map(([name, { enum: values = [] }]) => ({ name, values: new Set(values) }))
    .filter(({ values }) => [...values].every((value) => typeof value === 'string'));
  if (tags.length === 0) return undefined;
  return (value) =>
    isPlainObject(value) &&
    tags.some(({ name, values }) => {
      const tag = Object.hasOwn(value, name) ? value[name] : undefined;
      return tag !== undefined && !values.has(tag);
    });
};
