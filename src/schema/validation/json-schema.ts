/** Translates a schema of the model into a JSON Schema (draft-07) with the keywords of ajv-keywords.ts, for Ajv. */

import { isPlainObject } from '../../base/plain-object';
import { InvalidSchema, isNever, type Schema } from '../../model/schema';
import { otherTag } from '../choices';
import type { Mode } from '../shape';
import { type Check, excluded } from './checks/type-check';
import { checksOf } from './checks-of';
import { evaluatedBy } from './evaluation';
import {
  infoOf,
  noSchemaInfo,
  type SchemaInfo,
  type Surroundings,
  schemaInfo,
  surroundingsOf,
} from './schema-info';
import {
  hasUnevaluated,
  isApart,
  isLarge,
  isWrittenOut,
  MOST_WRITTEN,
  TOO_LARGE,
} from './written-size';

/** A schema as Ajv takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the id of a schema that is compiled by itself: one of a part of the value, or a member of a large schema, which has
 * surroundings.
 */
export type IdOf = (schema: Schema, mode: Mode, surroundings?: Surroundings) => string;

interface Place {
  readonly mode: Mode;
  readonly info: SchemaInfo;
  /** The schemas being applied to the very same value. */
  readonly applied: ReadonlySet<Schema>;
  /** The number of schemas written out so far, and whether one of them has a trail. */
  readonly written: { count: number; hasTrail: boolean };
  /** True where the properties and items that are evaluated join the trail. */
  readonly isTracked: boolean;
  /** True within a large schema, whose members are functions of their own. */
  readonly isDivided: boolean;
  /** The schema whose keywords are being translated. */
  readonly around: Schema;
  /** The schemas that this one is written inside of, itself included, so that a document with shared objects ends. */
  readonly enclosing: ReadonlySet<Schema>;
  readonly idOf: IdOf;
  readonly formats: ReadonlyMap<string, Check>;
}

/**
 * Translates a schema for a part of the value: those that stand elsewhere are referred to, so that cycles end; so are schemas with
 * members, which are written out where they stand: unions within unions would be written out exponentially often. Others are in place.
 */
const translatePart = (schema: Schema, place: Place): JsonSchema => {
  if (place.enclosing.has(schema) || !isWrittenOut(schema, place.around)) {
    return { refersTo: place.idOf(schema, place.mode) };
  }
  const applied: ReadonlySet<Schema> = new Set();
  return translate(schema, { ...place, info: noSchemaInfo, applied, isTracked: false });
};

/**
 * Translates a schema for the same value, written out so that its surroundings count; undefined where it is already being
 * applied. What is evaluated joins a trail that ends with the function.
 */
const translateMember = (schema: Schema, place: Place): JsonSchema | undefined => {
  if (place.applied.has(schema)) return undefined;
  if (!place.isDivided || place.isTracked || !isApart(schema)) return translate(schema, place);
  return { refersTo: place.idOf(schema, place.mode, surroundingsOf(schema, place.info)) };
};

const isScalar = ({ hides, ...part }: JsonSchema): boolean =>
  Object.keys(part).every((key) => key === 'checks') && (!isPlainObject(hides) || isScalar(hides));

/**
 * Schemas by property name, scalars first: a tag then rules an alternative out before anything nested is looked into,
 * without which a recursive union takes exponential time. `__proto__` needs a pattern, since Ajv passes over it as a name.
 */
const translateProperties = (schema: Schema, place: Place): JsonSchema => {
  const { properties = [], patternProperties = [] } = schema;
  const { unchecked } = place.info;
  const parts = [...properties].map(([name, part]): [string, JsonSchema] => [
    name,
    unchecked.has(name) ? {} : translatePart(part, place),
  ]);
  const sorted = parts.toSorted(([, a], [, b]) => Number(isScalar(b)) - Number(isScalar(a)));
  const isPrototype = ([name]: [string, JsonSchema]): boolean => name === '__proto__';
  const patterns = [
    ...sorted.filter(isPrototype).map(([, part]) => ['^__proto__$', part] as const),
    ...[...patternProperties].map(
      ([source, part]) => [source, translatePart(part, place)] as const,
    ),
  ];
  const named = sorted.filter((property) => !isPrototype(property));
  return {
    ...(named.length > 0 ? { properties: Object.fromEntries(named) } : {}),
    ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
  };
};

const rests = {
  additionalProperties: 'property',
  unevaluatedProperties: 'property',
  items: 'item',
  unevaluatedItems: 'item',
} as const;

/** Translates the schema of the properties or items that others do not speak of, as a list of one; empty where there is none. */
const translateRest = (
  schema: Schema,
  keyword: keyof typeof rests,
  place: Place,
): readonly JsonSchema[] => {
  const rest = schema[keyword];
  if (rest === undefined) return [];
  return [isNever(rest) ? { checks: [excluded(rests[keyword])] } : translatePart(rest, place)];
};

const translateRequired = (
  { required, dependentRequired }: Schema,
  { info: { unrequired } }: Place,
): JsonSchema => {
  const needed = (names: readonly string[]) => names.filter((name) => !unrequired(name));
  const dependent = [...(dependentRequired ?? [])].map(
    ([name, names]) => [name, needed(names)] as const,
  );
  return {
    ...(required.length > 0 ? { required: needed(required) } : {}),
    ...(dependent.length > 0 ? { dependentRequired: Object.fromEntries(dependent) } : {}),
  };
};

const translateItems = (schema: Schema, place: Place): JsonSchema => {
  const { prefixItems } = schema;
  const [items] = translateRest(schema, 'items', place);
  if (prefixItems.length === 0) return items ? { items } : {};
  const first = prefixItems.map((item) => translatePart(item, place));
  return { items: first, ...(items ? { additionalItems: items } : {}) };
};

const translateContains = (
  { contains, minContains: least = 1, maxContains: most }: Schema,
  place: Place,
): JsonSchema => {
  if (contains === undefined) return {};
  const bounds = [
    least > 0 || most === undefined ? `at least ${least}` : '',
    most === undefined ? '' : `at most ${most}`,
  ].filter((text) => text !== '');
  const message = `must contain ${bounds.join(' and ')} of the items that the document describes`;
  const item = translatePart(contains, place);
  return { holds: { item, least, most: most ?? Number.POSITIVE_INFINITY, message } };
};

const translateParts = (schema: Schema, place: Place): JsonSchema => {
  const { propertyNames } = schema;
  const [additional] = translateRest(schema, 'additionalProperties', place);
  return {
    ...translateRequired(schema, place),
    ...translateProperties(schema, place),
    ...(additional ? { additionalProperties: additional } : {}),
    ...(propertyNames ? { fitsNames: place.idOf(propertyNames, place.mode) } : {}),
    ...translateItems(schema, place),
    ...translateContains(schema, place),
  };
};

const counts = ['minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

const translateCounts = (schema: Schema): JsonSchema =>
  Object.fromEntries(
    counts.flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]],
    ),
  );

const translateAll = ({ members }: Schema, place: Place): JsonSchema => {
  const all = [...new Set(members)].map((member) => translateMember(member, place));
  return members.length > 0 ? { allOf: all.filter((member) => member !== undefined) } : {};
};

/** Translates a union. One that contains a schema already being applied is left out: it holds wherever that schema does. */
const translateUnion = (
  alternatives: readonly Schema[],
  to: 'fitsAny' | 'fitsOne',
  place: Place,
): JsonSchema => {
  if (alternatives.length === 0) return {};
  const possible = alternatives.filter((branch) => !isNever(branch));
  const branches = (possible.length > 0 ? possible : alternatives).map((branch) => {
    const translated = translateMember(branch, place);
    if (!place.isDivided || translated === undefined) return translated;
    // Where it is a function of its own, objects of another tag need not come there.
    const { unchecked } = schemaInfo(branch, place.mode, place.info);
    return { ...translated, isForeign: otherTag(branch, unchecked) };
  });
  return branches.every((branch) => branch !== undefined) ? { [to]: branches } : {};
};

/** Returns the place of a schema that may fail without harm, and beneath which no rule is relaxed: that would tighten the whole. */
const unrelaxed = (place: Place): Place => ({
  ...place,
  mode: 'storage',
  info: { ...noSchemaInfo, representation: place.info.representation },
});

/** Translates `not`; what it evaluates never counts. */
const translateNot = ({ not }: Schema, place: Place): JsonSchema => {
  if (not === undefined) return {};
  if (place.applied.has(not)) {
    throw new InvalidSchema('A schema must not exclude itself by "not".', { keyword: 'not' });
  }
  const written = { ...place.written, hasTrail: false };
  const negated = translate(not, { ...unrelaxed(place), isTracked: false, written });
  if (place.isTracked && written.hasTrail) return { not: { refersTo: place.idOf(not, 'storage') } };
  place.written.count = written.count;
  place.written.hasTrail ||= written.hasTrail;
  return { not: negated };
};

/** Translates `if`. A condition that is being applied already is true. */
const translateIf = (schema: Schema, place: Place): JsonSchema => {
  if (schema.if === undefined) return {};
  const branchOf = (branch: Schema | undefined): JsonSchema =>
    (branch && translateMember(branch, place)) ?? {};
  const condition = translateMember(schema.if, unrelaxed(place)) ?? {};
  return { when: [condition, branchOf(schema.ifTrue), branchOf(schema.ifFalse)] };
};

const translateDependent = ({ dependentSchemas }: Schema, place: Place): JsonSchema => {
  if (dependentSchemas === undefined) return {};
  const entries = [...dependentSchemas].map(
    ([name, schema]) => [name, translateMember(schema, place) ?? {}] as const,
  );
  return { dependentSchemas: Object.fromEntries(entries) };
};

const translate = (schema: Schema, outer: Place): JsonSchema => {
  const { written } = outer;
  written.count += 1;
  if (written.count > MOST_WRITTEN) throw new InvalidSchema(TOO_LARGE);
  const info = schemaInfo(schema, outer.mode, outer.info);
  const applied = new Set([...outer.applied, schema]);
  const enclosing = new Set([...outer.enclosing, schema]);
  const isTracked = outer.isTracked || hasUnevaluated(schema);
  const place = { ...outer, info, applied, around: schema, enclosing, isTracked };
  written.hasTrail ||= isTracked;
  const checks = checksOf(schema, info.representation, outer.formats);
  const keywords = {
    ...(isTracked ? { evaluates: evaluatedBy(schema) } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    ...translateCounts(schema),
    ...translateParts(schema, place),
    ...translateAll(schema, place),
    ...translateUnion(schema.anyOf, 'fitsAny', place),
    ...translateUnion(schema.oneOf, 'fitsOne', place),
    ...translateNot(schema, place),
    ...translateIf(schema, place),
    ...translateDependent(schema, place),
  };
  let translated: JsonSchema = keywords;
  if (hasUnevaluated(schema)) {
    const [properties] = translateRest(schema, 'unevaluatedProperties', place);
    const [items] = translateRest(schema, 'unevaluatedItems', place);
    translated = { unevaluated: { within: keywords, properties, items } };
  }
  return info.secret ? { hides: translated } : translated;
};

/** Schemas that are looked at in a step where the value has nothing for them. */
const WRITTEN_A_STEP = 10;

/**
 * Translates a schema into a JSON Schema. `discriminator` changes nothing (OAS 3.0.4).
 * Throws where a reference does not resolve or a keyword cannot be enforced.
 */
export const translateSchema = (
  schema: Schema,
  mode: Mode,
  surroundings: Surroundings | undefined,
  { idOf, formats }: Pick<Place, 'idOf' | 'formats'>,
): JsonSchema => {
  const written = { count: 0, hasTrail: false };
  const translated = translate(schema, {
    mode,
    info: surroundings === undefined ? noSchemaInfo : infoOf(surroundings),
    applied: new Set(),
    written,
    isTracked: false,
    isDivided: surroundings !== undefined || isLarge(schema),
    around: schema,
    enclosing: new Set(),
    idOf,
    formats,
  });
  const spendsFuel = Math.ceil(written.count / WRITTEN_A_STEP);
  return { spendsFuel, ...(written.hasTrail ? { trail: true } : {}), ...translated };
};
