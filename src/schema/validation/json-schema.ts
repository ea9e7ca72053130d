/** Translates a schema of the model into a JSON Schema (draft-07) with the keywords of ajv-keywords.ts, for Ajv. */

import { isPlainObject } from '../../base/plain-object';
import { InvalidSchema, isNever, type Schema } from '../../model/schema';
import { addMembers } from '../schema-parts';
import type { Mode } from '../shape';
import type { Representation } from './checks/type-check';
import { checksOf } from './checks-of';
import { isWrittenOut, MOST_WRITTEN, TOO_LARGE } from './written-size';

/** Information on a schema and on all schemas that are applied to the same value beneath it. */
interface SchemaInfo {
  /** Properties that `required` does not require in this direction, also where an alternative alone says so. */
  readonly unrequired: ReadonlySet<string>;
  /** Properties that are not looked at in this direction, because they are dropped. */
  readonly unchecked: ReadonlySet<string>;
  readonly representation: Representation;
  /** True where no message may repeat the value. */
  readonly secret: boolean;
}

/** Nothing known. */
const noSchemaInfo: SchemaInfo = {
  unrequired: new Set(),
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

const possible = ({ members, anyOf, oneOf }: Schema): readonly Schema[] => [
  ...members,
  ...anyOf,
  ...oneOf,
];

const representationOf = ({ format }: Schema): Representation =>
  format === 'int64' || format === 'binary' ? format : undefined;

/** Tells whether a value is declared as a password, or is never sent. */
const isSecret = ({ format, writeOnly }: Schema): boolean => format === 'password' || writeOnly;

const flaggedProperties = (members: ReadonlySet<Schema>, flags: readonly Flag[]): string[] => {
  if (flags.length === 0) return [];
  const isFlagged = (property: Schema): boolean =>
    [...addMembers(new Set(), property)].some((member) => flags.some((flag) => member[flag]));
  return [...members].flatMap(({ properties = [] }) =>
    [...properties].flatMap(([name, schema]) => (isFlagged(schema) ? [name] : [])),
  );
};

/**
 * Adds the information of a schema to that of the schemas around it.
 * @param around the information of the schema that applies this one to the same value
 */
const schemaInfo = (schema: Schema, mode: Mode, around: SchemaInfo): SchemaInfo => {
  const members = addMembers(new Set(), schema);
  const alternatives = addMembers(new Set(), schema, possible);
  const { unrequired, unchecked } = flagsOf[mode];
  const optional = flaggedProperties(alternatives, unrequired);
  const ignored = flaggedProperties(members, unchecked);
  const representations = [...members].map(representationOf);
  return {
    unrequired: new Set([...around.unrequired, ...optional]),
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
  /** The number of schemas written out so far. */
  readonly written: { count: number };
  /** The schemas that this one is written inside of; not empty, so that a document with shared objects ends. */
  readonly enclosing: ReadonlySet<Schema>;
  readonly idOf: IdOf;
}

/**
 * Translates a schema for a part of the value: those that stand elsewhere are referred to, so that cycles end; so are schemas with
 * members, which are written out where they stand: unions within unions would be written out exponentially often. Others are in place.
 */
const translatePart = (schema: Schema, place: Place): JsonSchema => {
  const [around] = [...place.enclosing].slice(-1);
  if (around === undefined || place.enclosing.has(schema) || !isWrittenOut(schema, around)) {
    return { refersTo: place.idOf(schema, place.mode) };
  }
  return translate(schema, { ...place, info: noSchemaInfo, applied: new Set() });
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
const translateProperties = ({ properties }: Schema, place: Place): JsonSchema => {
  if (properties === undefined) return {};
  const { unchecked } = place.info;
  const parts = [...properties].map(([name, part]): [string, JsonSchema] => [
    name,
    unchecked.has(name) ? {} : translatePart(part, place),
  ]);
  const sorted = parts.toSorted(([, a], [, b]) => Number(isScalar(b)) - Number(isScalar(a)));
  const prototype = sorted.find(([name]) => name === '__proto__');
  return {
    properties: Object.fromEntries(sorted.filter(([name]) => name !== '__proto__')),
    ...(prototype ? { patternProperties: { '^__proto__$': prototype[1] } } : {}),
  };
};

const translateAdditional = (additional: Schema | undefined, place: Place): JsonSchema => {
  if (additional === undefined) return {};
  return {
    additionalProperties: isNever(additional) ? false : translatePart(additional, place),
  };
};

const translateParts = (schema: Schema, place: Place): JsonSchema => ({
  ...(schema.required.length === 0
    ? {}
    : { required: schema.required.filter((name) => !place.info.unrequired.has(name)) }),
  ...translateProperties(schema, place),
  ...(schema.items === undefined ? {} : { items: translatePart(schema.items, place) }),
  ...translateAdditional(schema.additionalProperties, place),
});

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
  const branches = alternatives.map((branch) => translateMember(branch, place));
  return branches.every((branch) => branch !== undefined) ? { [to]: branches } : {};
};

/** Translates `not`, beneath which no rule is relaxed: that would tighten the whole. */
const translateNot = ({ not }: Schema, place: Place): JsonSchema => {
  if (not === undefined) return {};
  const excluded = translateMember(not, { ...place, mode: 'storage', info: noSchemaInfo });
  if (excluded !== undefined) return { not: excluded };
  throw new InvalidSchema('A schema must not exclude itself by "not".');
};

const translate = (schema: Schema, around: Place): JsonSchema => {
  around.written.count += 1;
  if (around.written.count > MOST_WRITTEN) throw new InvalidSchema(TOO_LARGE);
  const info = schemaInfo(schema, around.mode, around.info);
  const applied = new Set([...around.applied, schema]);
  const place = { ...around, info, applied, enclosing: new Set([...around.enclosing, schema]) };
  const checks = checksOf(schema, info.representation);
  const translated = {
    ...(checks.length > 0 ? { checks } : {}),
    ...translateCounts(schema),
    ...translateParts(schema, place),
    ...translateAll(schema, place),
    ...translateUnion(schema.anyOf, 'fitsAny', place),
    ...translateUnion(schema.oneOf, 'fitsOne', place),
    ...translateNot(schema, place),
  };
  return info.secret ? { hides: translated } : translated;
};

/** Schemas that are looked at in a step where the value has nothing for them. */
const WRITTEN_A_STEP = 10;

/**
 * Translates a schema into a JSON Schema. `discriminator` changes nothing (OAS 3.0.4).
 * Throws where a reference does not resolve or a keyword cannot be enforced.
 */
export const translateSchema = (schema: Schema, mode: Mode, idOf: IdOf): JsonSchema => {
  const written = { count: 0 };
  const translated = translate(schema, {
    mode,
    info: noSchemaInfo,
    applied: new Set(),
    written,
    enclosing: new Set(),
    idOf,
  });
  return { spendsFuel: Math.ceil(written.count / WRITTEN_A_STEP), ...translated };
};
