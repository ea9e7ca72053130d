/** Translates a Schema Object of OAS 3.0 into a JSON Schema (draft-07) with the keywords of ajv-keywords.ts, for Ajv. */

import { isPlainObject } from '../../../base/plain-object';
import {
  addMembers,
  fieldsOf,
  followReference,
  InvalidSchema,
  readCount,
  readList,
  type SchemaFields,
  type SchemaPart,
} from '../schema-parts';
import type { Mode, SchemaSource } from '../shape';
import type { Representation } from './checks/type-check';
import { checksOf } from './checks-of';
import { MEMBERS, MOST_WRITTEN, TOO_LARGE } from './written-size';

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

const possible = ['allOf', 'anyOf', 'oneOf'] as const;

const representationOf = ({ format }: SchemaFields): Representation =>
  format === 'int64' || format === 'binary' ? format : undefined;

/** Tells whether a value is declared as a password, or is never sent. */
const isSecret = ({ format, writeOnly }: SchemaFields): boolean =>
  format === 'password' || writeOnly === true;

const flaggedProperties = (
  members: ReadonlySet<SchemaPart>,
  flags: readonly Flag[],
  source: SchemaSource,
): string[] => {
  if (flags.length === 0) return [];
  const isFlagged = (property: unknown): boolean =>
    [...addMembers(new Set(), property, source)].some((member) =>
      flags.some((flag) => member[flag] === true),
    );
  return [...members].flatMap(({ properties }) =>
    isPlainObject(properties)
      ? Object.entries(properties).flatMap(([name, schema]) => (isFlagged(schema) ? [name] : []))
      : [],
  );
};

/**
 * Adds the information of a schema to that of the schemas around it.
 * @param around the information of the schema that applies this one to the same value
 */
const schemaInfo = (
  schema: SchemaFields,
  mode: Mode,
  source: SchemaSource,
  around: SchemaInfo,
): SchemaInfo => {
  const members = addMembers(new Set(), schema, source);
  const alternatives = addMembers(new Set(), schema, source, possible);
  const { unrequired, unchecked } = flagsOf[mode];
  const optional = flaggedProperties(alternatives, unrequired, source);
  const ignored = flaggedProperties(members, unchecked, source);
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

interface TranslationSource extends SchemaSource {
  /** Returns the id of a schema that is applied to a part of the value and compiled by itself. */
  idOf(schema: SchemaFields, mode: Mode): string;
}

interface Place {
  readonly mode: Mode;
  readonly info: SchemaInfo;
  /** The schemas being applied to the very same value. */
  readonly applied: ReadonlySet<SchemaFields>;
  /** The number of schemas written out so far. */
  readonly written: { count: number };
  /** The schemas that this one is written inside of; not empty, so that a document with shared objects ends. */
  readonly enclosing: ReadonlySet<SchemaFields>;
  readonly source: TranslationSource;
}

const hasMembers = (schema: SchemaFields): boolean =>
  MEMBERS.some((keyword) => schema[keyword] !== undefined);

/**
 * Translates a schema for a part of the value: references stand by themselves, so that cycles end; so do schemas with members, which
 * are written out where they stand: unions within unions would be written out exponentially often. Others are in place.
 */
const translatePart = (given: unknown, place: Place): JsonSchema => {
  const { schema } = followReference(given, place.source);
  if (schema !== given || place.enclosing.has(schema) || hasMembers(schema)) {
    return { refersTo: place.source.idOf(schema, place.mode) };
  }
  return translate(schema, { ...place, info: noSchemaInfo, applied: new Set() });
};

/**
 * Translates a schema for the same value, written out so that its surroundings count; undefined where it is already being
 * applied.
 */
const translateMember = (given: unknown, place: Place): JsonSchema | undefined => {
  const { schema } = followReference(given, place.source);
  return place.applied.has(schema) ? undefined : translate(schema, place);
};

const isScalar = ({ hides, ...part }: JsonSchema): boolean =>
  Object.keys(part).every((key) => key === 'checks') && (!isPlainObject(hides) || isScalar(hides));

/**
 * Schemas by property name, scalars first: a tag then rules an alternative out before anything nested is looked into,
 * without which a recursive union takes exponential time. `__proto__` needs a pattern, since Ajv passes over it as a name.
 */
const translateProperties = (schema: SchemaFields, place: Place): JsonSchema => {
  if (schema['properties'] === undefined) return {};
  const { unchecked } = place.info;
  const parts = Object.entries(fieldsOf(schema['properties'])).map(
    ([name, part]): [string, JsonSchema] => [
      name,
      unchecked.has(name) ? {} : translatePart(part, place),
    ],
  );
  const sorted = parts.toSorted(([, a], [, b]) => Number(isScalar(b)) - Number(isScalar(a)));
  const prototype = sorted.find(([name]) => name === '__proto__');
  return {
    properties: Object.fromEntries(sorted.filter(([name]) => name !== '__proto__')),
    ...(prototype ? { patternProperties: { '^__proto__$': prototype[1] } } : {}),
  };
};

const requiredNames = (schema: SchemaFields, { info }: Place): JsonSchema => {
  const required = schema['required'];
  // Many documents write `required: true` at a property, where it says nothing in OAS 3.0.
  if (required === undefined || typeof required === 'boolean') return {};
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
    throw new InvalidSchema('The keyword "required" must be a list of names.');
  }
  return { required: required.filter((name) => !info.unrequired.has(name)) };
};

const translateParts = (schema: SchemaFields, place: Place): JsonSchema => {
  const { items, additionalProperties: additional } = schema;
  return {
    ...requiredNames(schema, place),
    ...translateProperties(schema, place),
    ...(items === undefined ? {} : { items: translatePart(items, place) }),
    ...(additional === false ? { additionalProperties: false } : {}),
    ...(isPlainObject(additional)
      ? { additionalProperties: translatePart(additional, place) }
      : {}),
  };
};

const COUNTS = ['minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

const translateCounts = (schema: SchemaFields): JsonSchema =>
  Object.fromEntries(
    COUNTS.map((keyword) => [keyword, readCount(schema, keyword)]).filter(
      ([, count]) => count !== undefined,
    ),
  );

const translateAll = (schema: SchemaFields, place: Place): JsonSchema => {
  const members = readList(schema, 'allOf')?.map((member) => translateMember(member, place));
  return members ? { allOf: members.filter((member) => member !== undefined) } : {};
};

/** Translates a union. One that contains a schema already being applied is left out: it holds wherever that schema does. */
const translateUnion = (
  schema: SchemaFields,
  from: 'anyOf' | 'oneOf',
  to: 'fitsAny' | 'fitsOne',
  place: Place,
): JsonSchema => {
  const branches = readList(schema, from)?.map((branch) => translateMember(branch, place));
  return branches?.every((branch) => branch !== undefined) ? { [to]: branches } : {};
};

/** Translates `not`, beneath which no rule is relaxed: that would tighten the whole. */
const translateNot = (schema: SchemaFields, place: Place): JsonSchema => {
  if (schema['not'] === undefined) return {};
  const excluded = translateMember(schema['not'], {
    ...place,
    mode: 'storage',
    info: noSchemaInfo,
  });
  if (excluded !== undefined) return { not: excluded };
  throw new InvalidSchema('A schema must not exclude itself by "not".');
};

const translate = (schema: SchemaFields, around: Place): JsonSchema => {
  around.written.count += 1;
  if (around.written.count > MOST_WRITTEN) throw new InvalidSchema(TOO_LARGE);
  const { mode, source } = around;
  const info = schemaInfo(schema, mode, source, around.info);
  const applied = new Set([...around.applied, schema]);
  const place = { ...around, info, applied, enclosing: new Set([...around.enclosing, schema]) };
  const checks = checksOf(schema, info.representation);
  const translated = {
    ...(checks.length > 0 ? { checks } : {}),
    ...translateCounts(schema),
    ...translateParts(schema, place),
    ...translateAll(schema, place),
    ...translateUnion(schema, 'anyOf', 'fitsAny', place),
    ...translateUnion(schema, 'oneOf', 'fitsOne', place),
    ...translateNot(schema, place),
  };
  return info.secret ? { hides: translated } : translated;
};

/** Schemas that are looked at in a step where the value has nothing for them. */
const WRITTEN_A_STEP = 10;

/**
 * Translates a Schema Object into a JSON Schema. `discriminator` changes nothing (OAS 3.0.4), unknown keywords are left out.
 * Throws where a reference does not resolve or a keyword cannot be enforced.
 */
export const translateSchema = (
  schema: SchemaFields,
  mode: Mode,
  source: TranslationSource,
): JsonSchema => {
  const written = { count: 0 };
  const translated = translate(schema, {
    mode,
    info: noSchemaInfo,
    applied: new Set(),
    written,
    enclosing: new Set(),
    source,
  });
  return { spendsFuel: Math.ceil(written.count / WRITTEN_A_STEP), ...translated };
};
