/** Translates a schema of the model into a JSON Schema (draft-07) with the keywords of ajv-keywords.ts, for Ajv. */

import { isPlainObject } from '../../base/plain-object';
import { InvalidSchema, isNever, type Schema, schemasInPlace } from '../../model/schema';
import { addMembers, partsOf } from '../schema-parts';
import type { Mode } from '../shape';
import { patternTest } from './checks/pattern-check';
import { type Check, excluded, type Representation } from './checks/type-check';
import { checksOf } from './checks-of';
import { evaluatedBy } from './evaluation';
import { hasUnevaluated, isWrittenOut, MOST_WRITTEN, TOO_LARGE } from './written-size';

/** Information on a schema and on all schemas that are applied to the same value beneath it. */
interface SchemaInfo {
  /** Properties that `required` does not require in this direction, also where an alternative alone says so. */
  readonly unrequired: (name: string) => boolean;
  /** Properties that are not looked at in this direction, because they are dropped. */
  readonly unchecked: ReadonlySet<string>;
  readonly representation: Representation;
  /** True where no message may repeat the value. */
  readonly secret: boolean;
}

/** Nothing known. */
const noSchemaInfo: SchemaInfo = {
  unrequired: () => false,
  unchecked: new Set(),
  representation: undefined,
  secret: false,
};

type Flag = 'readOnly' | 'writeOnly';

/** Flags by mode (OAS 3.0.3, Schema Object): `readOnly` travels in responses alone, `writeOnly` in requests alone. */
const flagsOf: Readonly<Record<Mode, { readonly unrequired: Flag[]; readonly unchecked: Flag[] }>> =
  {
    request: { unrequired: ['readOnly'], unchecked: ['readOnly'] },
    response: { unrequired: ['writeOnly'], unchecked: ['writeOnly'] },
    storage: { unrequired: [], unchecked: [] },
    any: { unrequired: ['readOnly', 'writeOnly'], unchecked: [] },
  };

const representationOf = ({ format }: Schema): Representation =>
  format === 'binary' ? format : undefined;

/** Tells whether a value is declared as a password, or is never sent. */
const isSecret = ({ format, writeOnly }: Schema): boolean => format === 'password' || writeOnly;

/** Lists the names, or patterns of names, of the properties that have one of the flags. */
const flaggedProperties = (
  members: ReadonlySet<Schema>,
  keyword: 'properties' | 'patternProperties',
  flags: readonly Flag[],
): string[] => {
  if (flags.length === 0) return [];
  const isFlagged = (property: Schema): boolean =>
    partsOf(property).some((member) => flags.some((flag) => member[flag]));
  return [...members].flatMap(({ [keyword]: properties = [] }) =>
    [...properties].flatMap(([name, schema]) => (isFlagged(schema) ? [name] : [])),
  );
};

/**
 * Adds the information of a schema to that of the schemas around it.
 * @param around the information of the schema that applies this one to the same value
 */
const schemaInfo = (schema: Schema, mode: Mode, around: SchemaInfo): SchemaInfo => {
  const members = addMembers(new Set(), schema);
  const alternatives = addMembers(new Set(), schema, schemasInPlace);
  const { unrequired, unchecked } = flagsOf[mode];
  const optional = new Set(flaggedProperties(alternatives, 'properties', unrequired));
  const patterns = flaggedProperties(alternatives, 'patternProperties', unrequired);
  const tests = patterns.map((source) => patternTest(source));
  const ignored = flaggedProperties(members, 'properties', unchecked);
  const representations = [...members].map(representationOf);
  return {
    unrequired: (name) =>
      optional.has(name) || tests.some((test) => test(name)) || around.unrequired(name),
    unchecked: new Set([...around.unchecked, ...ignored]),
    secret: [...alternatives].some(isSecret),
    representation: representations.find((found) => found !== undefined) ?? around.representation,
  };
};

/** A schema as Ajv takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the id of a schema that is applied to a part of the value and compiled by itself. */
type IdOf = (schema: Schema, mode: Mode) => string;

interface Place {
  readonly mode: Mode;
  readonly info: SchemaInfo;
  /** The schemas being applied to the very same value. */
  readonly applied: ReadonlySet<Schema>;
  /** The number of schemas written out so far, and whether one of them has a trail. */
  readonly written: { count: number; hasTrail: boolean };
  /** True where the properties and items that are evaluated join the trail. */
  readonly isTracked: boolean;
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
 * applied.
 */
const translateMember = (schema: Schema, place: Place): JsonSchema | undefined =>
  place.applied.has(schema) ? undefined : translate(schema, place);

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
  const all = members.map((member) => translateMember(member, place));
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
  const branches = (possible.length > 0 ? possible : alternatives).map((branch) =>
    translateMember(branch, place),
  );
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

/** Wraps a translated schema where it says something of what it does not evaluate. */
const withUnevaluated = (schema: Schema, within: JsonSchema, place: Place): JsonSchema => {
  if (!hasUnevaluated(schema)) return within;
  const [properties] = translateRest(schema, 'unevaluatedProperties', place);
  const [items] = translateRest(schema, 'unevaluatedItems', place);
  return { unevaluated: { within, properties, items } };
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
  const translated = withUnevaluated(schema, keywords, place);
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
  idOf: IdOf,
  formats: ReadonlyMap<string, Check>,
): JsonSchema => {
  const written = { count: 0, hasTrail: false };
  const translated = translate(schema, {
    mode,
    info: noSchemaInfo,
    applied: new Set(),
    written,
    isTracked: false,
    around: schema,
    enclosing: new Set(),
    idOf,
    formats,
  });
  const spendsFuel = Math.ceil(written.count / WRITTEN_A_STEP);
  return { spendsFuel, ...(written.hasTrail ? { trail: true } : {}), ...translated };
};
