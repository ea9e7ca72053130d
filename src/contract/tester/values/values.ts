/** Arbitrary values of schemas, typed as the engine has them: int64 is bigint, binary is bytes. One place may be spoilt. */

import fc from 'fast-check';
import type { SchemaContext } from '../../../engine';
import {
  choicesOf,
  planOf,
  type SamplePlan,
  typedValue,
  wholeSchema,
} from '../../../schema/samples/sample-plan';
import { type Facets, facetsOf, isMarked } from './facets';
import { integerArbitrary, numberArbitrary } from './numbers';
import { type Alphabet, keepFitting, LONGEST, textArbitrary } from './texts';

/** In place of a value: the property is left out. */
export const absent: unique symbol = Symbol('absent');

/** A place in a value, and what stands there instead of what its schema says. */
export interface Replacement {
  /** Names of properties; `*` for the items of a list. */
  readonly path: readonly string[];
  readonly value: fc.Arbitrary<unknown>;
}

/** Options for making values. */
export interface ValueOptions {
  readonly tools: SchemaContext;
  readonly alphabet: Alphabet;
  /** The presence of optional properties: always, sometimes (true) or never (false). */
  readonly optional: boolean | 'always';
  /** Levels that may follow; below, only what is required is made. */
  readonly depth: number;
  readonly replacement?: Replacement | undefined;
}

const MOST_ITEMS = 4;
/** Longer lists are not made, whatever a schema requires. */
const LONGEST_LIST = 500;

/** Lists of the facets with items of an arbitrary; undefined where they would be too long. */
const listArbitrary = (
  facets: Facets,
  item: fc.Arbitrary<unknown>,
  { optional }: ValueOptions,
): fc.Arbitrary<unknown[]> | undefined => {
  const { minItems, maxItems, uniqueItems } = facets;
  const usual = optional ? minItems + MOST_ITEMS : Math.max(1, minItems);
  const most = Math.min(optional ? (maxItems ?? usual) : usual, maxItems ?? usual, LONGEST_LIST);
  if (minItems > most) return undefined;
  const make = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> =>
    uniqueItems
      ? fc.uniqueArray(item, { minLength, maxLength, comparator: sameText })
      : fc.array(item, { minLength, maxLength, size: 'max' });
  const near = make(minItems, Math.min(most, minItems + MOST_ITEMS));
  return most > MOST_ITEMS && !uniqueItems ? fc.oneof(near, make(most, most)) : near;
};

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}n` : one)) ?? '';

const sameText = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

type Maybe = fc.Arbitrary<unknown> | undefined;

const anything = fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('text', 'é'));

const listOf = (facets: Facets, options: ValueOptions): Maybe => {
  const [step, ...path] = options.replacement?.path ?? [];
  const inner = step === '*' ? deeper(options, path) : deeper(options, undefined);
  const item = facets.items.length === 0 ? anything : valueArbitrary(planOf(facets.items), inner);
  if (item === undefined) return facets.minItems === 0 ? fc.constant([]) : undefined;
  if (step !== '*') return listArbitrary(facets, item, options);
  const sound = valueArbitrary(planOf(facets.items), deeper(options, undefined)) ?? item;
  const rest = listArbitrary({ ...facets, maxItems: Math.max(1, facets.minItems) }, sound, options);
  return rest && fc.tuple(item, rest).map(([first, others]) => [first, ...asList(others).slice(1)]);
};

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const deeper = (options: ValueOptions, path: readonly string[] | undefined): ValueOptions => ({
  ...options,
  depth: options.depth - 1,
  replacement: path && options.replacement ? { path, value: options.replacement.value } : undefined,
});

/** Decides the presence of a property: always, sometimes or never. */
const presenceOf = (
  name: string,
  { required, minProperties }: Facets,
  { optional, depth }: ValueOptions,
): ValueOptions['optional'] => {
  if (required.has(name) || minProperties > required.size) return 'always';
  return depth > 0 && optional;
};

const propertyOf = (
  name: string,
  facets: Facets,
  options: ValueOptions,
): readonly [string, fc.Arbitrary<unknown>] | undefined => {
  const inner = planOf(facets.properties.get(name) ?? facets.additional ?? []);
  const [step, ...path] = options.replacement?.path ?? [];
  const isReplaced = step === name;
  // OAS 3.0.3, Schema Object: readOnly properties should not be sent.
  if (!isReplaced && isMarked(inner, 'readOnly')) return undefined;
  const presence = isReplaced ? 'always' : presenceOf(name, facets, options);
  const value = presence
    ? valueArbitrary(inner, deeper(options, isReplaced ? path : undefined))
    : undefined;
  if (value === undefined) return undefined;
  return [name, presence === 'always' ? value : fc.option(value, { nil: absent, freq: 3 })];
};

/** Names of undeclared properties, where so many properties are required. */
const fillers = ({ minProperties, properties, required }: Facets): string[] => {
  const missing = Math.min(50, minProperties - new Set([...properties.keys(), ...required]).size);
  return Array.from({ length: Math.max(0, missing) }, (_, index) => `more${index + 1}`);
};

const objectOf = (facets: Facets, options: ValueOptions): Maybe => {
  const { properties, required } = facets;
  const replaced = options.replacement?.path.slice(0, 1) ?? [];
  const names = new Set([...properties.keys(), ...required, ...replaced, ...fillers(facets)]);
  const members: (readonly [string, fc.Arbitrary<unknown>])[] = [];
  for (const name of names) {
    const member = propertyOf(name, facets, options);
    if (member !== undefined) members.push(member);
    else if (required.has(name) && !isMarked(planOf(properties.get(name) ?? []), 'readOnly')) {
      // At once: in a schema that requires itself, the rest would multiply with each level.
      return undefined;
    }
  }
  return fc.tuple(...members.map(([, value]) => value)).map((values) => {
    const entries = members.map(([name], index) => [name, values[index]] as const);
    const present = entries.filter(([, value]) => value !== absent);
    const isKept = ([name]: readonly [string, unknown]) =>
      required.has(name) || name === replaced[0];
    const neededFirst = present.toSorted(
      (one, other) => Number(isKept(other)) - Number(isKept(one)),
    );
    return Object.fromEntries(neededFirst.slice(0, facets.maxProperties));
  });
};

const bytesOf = ({ minLength, maxLength = Math.max(64, minLength) }: Facets): Maybe => {
  const [least, most] = [Math.max(1, minLength), Math.min(maxLength, LONGEST)];
  return least > most ? undefined : fc.uint8Array({ minLength: least, maxLength: most });
};

const scalarOf = (facets: Facets, { alphabet }: ValueOptions): Maybe => {
  switch (facets.type) {
    case 'string':
      return facets.format === 'binary' ? bytesOf(facets) : textArbitrary(facets, alphabet);
    case 'integer':
      return integerArbitrary(facets);
    case 'number':
      return numberArbitrary(facets);
    case 'boolean':
      return fc.boolean();
    default:
      return anything;
  }
};

/** Values of the facets of a plan without unions. */
export const facetsArbitrary = (facets: Facets, options: ValueOptions): Maybe => {
  if (facets.type === 'array') return listOf(facets, options);
  return facets.type === 'object' ? objectOf(facets, options) : scalarOf(facets, options);
};

const ofEnumeration = (values: readonly unknown[], plan: SamplePlan, { tools }: ValueOptions) =>
  fc.constantFrom(...values.map(typedValue(wholeSchema(plan), tools.shapeOf)));

/** Levels below which only the first branch of a union is made: others may lead back to it. */
const ofUnion = (plan: SamplePlan, options: ValueOptions): Maybe => {
  const choices = choicesOf(plan);
  const few =
    options.replacement !== undefined || options.depth <= 0 ? choices.slice(0, 1) : choices;
  const branches = few.flatMap((choice) => valueArbitrary(choice, options) ?? []);
  const either = branches.length === 0 ? undefined : fc.oneof(...branches);
  // A value that is being spoilt fits no branch in the end.
  if (either === undefined || options.replacement !== undefined) return either;
  return keepFitting(either, options.tools.validators.accepts(wholeSchema(plan), 'request'));
};

/** The deepest that anything is made, required or not: such a schema has no finite values. */
const DEEPEST = -6;

/**
 * Values that fit the plan, so far as its keywords tell; undefined where none can be made. What a schema says by `not` has to be
 * looked at afterwards.
 */
export const valueArbitrary = (plan: SamplePlan, options: ValueOptions): Maybe => {
  if (options.replacement?.path.length === 0) return options.replacement.value;
  if (options.depth < DEEPEST) return undefined;
  const facets = facetsOf(plan);
  if (plan.unions.length > 0) return ofUnion(plan, options);
  const { enumerated } = facets;
  if (enumerated !== undefined) {
    return enumerated.length === 0 ? undefined : ofEnumeration(enumerated, plan, options);
  }
  const value = facetsArbitrary(facets, options);
  const mayBeNull =
    facets.nullable && options.replacement === undefined && options.optional === true;
  return value && mayBeNull ? fc.option(value, { freq: 6 }) : value;
};
