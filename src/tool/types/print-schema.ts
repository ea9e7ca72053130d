/** A schema as the text of a TypeScript type. */

import { type ExactNumber, exactInteger, isNumeric, isWhole } from '../../base/exact-number';
import { isPlainObject } from '../../base/plain-object';
import { isNever, type JsonType, type Schema, UnresolvableReference } from '../../model/schema';
import { isBigInt, isDecimal } from '../../schema/scalars';
import { memberKeywords, SchemaView, viewOf } from '../../schema/schema-view';
import { branchesOf, type NamedSchemas, type TypeDirection, travels } from './named-schemas';
import {
  arrayOf,
  commentText,
  docComment,
  intersection,
  objectType,
  quoteText,
  readonlyMember,
  saysNothing,
  tupleOf,
  union,
} from './type-text';

interface Scalar {
  readonly types: readonly JsonType[] | undefined;
  readonly format: string | undefined;
  readonly isBinary: boolean;
}

/** The context in which a schema is printed. */
export interface TypeContext {
  readonly schemas: NamedSchemas;
  readonly direction: TypeDirection;
  /** Schemas with names that are being written out, so that circles end. */
  readonly open: readonly Schema[];
  /** The types and format by an enclosing schema, for branches that only add to it. */
  readonly scalar: Scalar | undefined;
}

/** The context of a value that travels in that direction. */
export const typeContext = (schemas: NamedSchemas, direction: TypeDirection): TypeContext => ({
  schemas,
  direction,
  open: [],
  scalar: undefined,
});

/**
 * The types and format of a value: what the schema's parts say, else what the enclosing schema says, so that
 * `{type: integer, format: int64, anyOf: [{maximum: 5}, {minimum: 11}]}` is of one type throughout.
 */
const mergeScalar = (schema: Schema, enclosing: Scalar | undefined): Scalar => {
  const view = viewOf(schema);
  const others: readonly JsonType[] = ['array', 'object', 'null'];
  const named = view.values('types').find((types) => types.some((type) => !others.includes(type)));
  const [format] = view.values('format');
  const binary = view.isBinary || enclosing?.isBinary === true;
  return {
    types: named ?? enclosing?.types ?? (binary ? ['string'] : undefined),
    format: format ?? enclosing?.format,
    isBinary: binary,
  };
};

/** The type of what a value may be: int64 is `bigint`, a decimal `string`, binary `Uint8Array`. */
const printScalar = (type: JsonType, { format, isBinary }: Scalar): string => {
  if (type === 'string') return isBinary ? 'Uint8Array' : 'string';
  if (isBigInt({ type, format })) return 'bigint';
  if (isDecimal({ type, format })) return 'string';
  return type === 'integer' ? 'number' : type;
};

const numberLiteral = (value: ExactNumber, { types = [], format }: Scalar): string => {
  if (types.some((type) => isDecimal({ type, format }))) return quoteText(String(value));
  const isOfBigInts = types.some((type) => isBigInt({ type, format }));
  return isOfBigInts ? `${exactInteger(value)}n` : String(Number(value));
};

const fits: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: isNumeric,
  integer: isWhole,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isPlainObject,
  array: Array.isArray,
};

/** One literal for each listed value that fits the types; none where an object or a list is among them. */
const printLiterals = ({ enum: values = [] }: Schema, scalar: Scalar): readonly string[] => {
  const { types } = scalar;
  const fitting = values.filter((value) => types?.some((type) => fits[type](value)) ?? true);
  if (fitting.some((value) => isPlainObject(value) || Array.isArray(value))) return [];
  return fitting.map((value) => {
    if (isNumeric(value)) return numberLiteral(value, scalar);
    return typeof value === 'string' ? quoteText(value) : String(value);
  });
};

/** Properties in the document's order, then required ones it does not describe, then the index signature. */
export const objectMembers = (schema: Schema, context: TypeContext): readonly string[] => {
  const { properties = new Map<string, Schema>(), required } = schema;
  const members = [...properties]
    .filter(([, property]) => travels(property, context.direction))
    .map(([name, property]) => ({
      name,
      comment: context.schemas.bySchema.has(property) ? '' : docComment([property.description]),
      type: printMember(property, context),
      isRequired: required.includes(name),
    }));
  const undescribed = required.filter((name) => !properties.has(name));
  const declared = [
    ...members.map(({ type }) => type),
    ...(members.every(({ isRequired }) => isRequired) ? [] : ['undefined']),
  ];
  return [
    ...members.map(
      ({ name, comment, type, isRequired }) => comment + readonlyMember(name, type, isRequired),
    ),
    ...(schema.members.length > 0 ? [] : undescribed).map((name) =>
      readonlyMember(name, 'unknown', true),
    ),
    ...indexSignature(schema, declared, context),
  ];
};

/** The schema of what `unevaluated…` stands for, where there are no branches that may evaluate it. */
const unevaluated = (schema: Schema, keyword: 'unevaluatedItems' | 'unevaluatedProperties') =>
  branchesOf(schema).length > 0 || schema.dependentSchemas || schema.contains
    ? undefined
    : schema[keyword];

/**
 * Prints the type of undeclared properties. TypeScript wants declared ones to fit the index signature, which is therefore as wide
 * as all of them together. Undeclared properties are accepted by default, but a type with properties keeps silent about them.
 */
const indexSignature = (schema: Schema, declared: readonly string[], context: TypeContext) => {
  const patterns = [...(schema.patternProperties?.values() ?? [])];
  const others = schema.additionalProperties ?? unevaluated(schema, 'unevaluatedProperties');
  const isSilent = others === undefined && patterns.length === 0 && schema.properties?.size;
  const values = [...patterns, others]
    .filter((value) => value === undefined || !isNever(value))
    .map((value) => (value === undefined ? 'unknown' : printMember(value, context)));
  if (isSilent || values.length === 0) return [];
  const value = union(values);
  return [`readonly [name: string]: ${saysNothing(value) ? value : union([value, ...declared])}`];
};

const printArray = (schema: Schema, context: TypeContext): string => {
  const { prefixItems, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const items = schema.items ?? unevaluated(schema, 'unevaluatedItems');
  const rest = items === undefined ? 'unknown' : printMember(items, context);
  if (prefixItems.length === 0) return arrayOf(rest);
  const positions = prefixItems.slice(0, maxItems).map((item) => printMember(item, context));
  const isClosed = maxItems <= prefixItems.length || (items !== undefined && isNever(items));
  return tupleOf(positions, minItems, isClosed ? undefined : rest);
};

/** The type of the schema's values: int64 `bigint`, binary `Uint8Array`, enums literals. */
export const printSchema = (schema: Schema | undefined, context: TypeContext): string =>
  schema === undefined ? 'unknown' : union(alternativesOf(schema, context));

/** The same as a list of alternatives, for what combines them further. */
export const alternativesOf = (schema: Schema, context: TypeContext): readonly string[] => {
  if (schema.error instanceof UnresolvableReference) {
    return [`unknown /* unresolved: ${commentText(schema.error.ref)} */`];
  }
  const named = context.schemas.bySchema.get(schema);
  if (named !== undefined && (keepsType(schema, context) || context.open.includes(schema))) {
    return [named.names[context.direction]];
  }
  return ownAlternatives(schema, { ...context, open: [...context.open, schema] });
};

/** Tells whether the type and format that an enclosing schema adds leave the schema's type as it is. */
const keepsType = (schema: Schema, { scalar }: TypeContext): boolean => {
  if (scalar === undefined) return true;
  const own = mergeScalar(schema, undefined);
  const merged = mergeScalar(schema, scalar);
  return (own.types ?? []).every((type) => printScalar(type, own) === printScalar(type, merged));
};

/** The alternatives of a schema written out, whether it has a name or none. */
export const ownAlternatives = (schema: Schema, context: TypeContext): readonly string[] => {
  // The schema itself lists null, and no member keeps it out.
  const allowsNull =
    schema.types?.includes('null') === true &&
    viewOf(schema).parts.every(
      (part) => (part.types?.includes('null') ?? true) && (part.enum?.includes(null) ?? true),
    );
  return [...valueAlternatives(schema, context), ...(allowsNull ? ['null'] : [])];
};

const valueAlternatives = (schema: Schema, given: TypeContext): readonly string[] => {
  const context = { ...given, scalar: mergeScalar(schema, given.scalar) };
  const choose = (branches: readonly Schema[]): readonly string[] =>
    branches.flatMap((branch) => alternativesOf(branch, context));
  const { members, oneOf, anyOf, if: condition, ifTrue, ifFalse } = schema;
  const parts = [
    ...ownPart(schema, context),
    ...members.map((member) => choose([member])),
    ...[oneOf, anyOf].filter((branches) => branches.length > 0).map(choose),
    ...(condition && ifTrue && ifFalse
      ? [[...intersect([choose([condition]), choose([ifTrue])]), ...choose([ifFalse])]]
      : []),
    ...requiredPart(schema, context),
  ];
  return intersect(parts);
};

/** Prints the alternatives that fit all parts; a part that says nothing is left out. */
const intersect = (sets: readonly (readonly string[])[]): readonly string[] => {
  const parts = sets.map((part) => [...new Set(part)]).filter((part) => !part.includes('unknown'));
  const distinct = [...new Map(parts.map((part) => [union(part), part])).values()];
  const [only = ['unknown'], ...more] = distinct;
  return more.length === 0 ? only : [intersection(distinct)];
};

/** Prints the keywords beside allOf, oneOf and anyOf; nothing where there are none. */
const ownPart = (schema: Schema, context: TypeContext): readonly (readonly string[])[] => {
  const { types = ['object'], additionalProperties } = schema;
  const isBare =
    types.includes('object') &&
    types.every((type) => type === 'object' || type === 'null') &&
    (schema.enum ?? schema.properties ?? schema.patternProperties) === undefined &&
    (schema.items ?? schema.prefixItems[0]) === undefined &&
    (additionalProperties === undefined || isNever(additionalProperties));
  return isBare && branchesOf(schema).length > 0 ? [] : [keywordAlternatives(schema, context)];
};

const keywordAlternatives = (schema: Schema, context: TypeContext): readonly string[] => {
  const { scalar = mergeScalar(schema, undefined) } = context;
  const literals = printLiterals(schema, scalar);
  if (literals.length > 0) return literals;
  const implied = new SchemaView([schema]).impliedType(memberKeywords);
  const types = schema.types ?? (implied === undefined ? scalar.types : [implied]);
  if (types === undefined) return ['unknown'];
  const alternatives = types
    .filter((type) => type !== 'null')
    .flatMap((type) => {
      if (type === 'array') return [printArray(schema, context)];
      return type === 'object'
        ? [objectType(objectMembers(schema, context))]
        : printScalar(type, scalar);
    });
  if (alternatives.length > 0) return alternatives;
  return [types.length > 0 ? 'null' : 'never'];
};

/** A schema of another value inside this one, which inherits nothing. */
const printMember = (schema: Schema, context: TypeContext): string =>
  printSchema(schema, { ...context, scalar: undefined });

const requiredPart = (schema: Schema, context: TypeContext): readonly string[][] => {
  if (branchesOf(schema).length === 0) return [];
  const members = schema.required.flatMap((name) => {
    if (schema.properties?.has(name)) return [];
    const [property] = viewOf(schema).declared(name);
    if (!property || !travels(property, context.direction)) return [];
    return [readonlyMember(name, printMember(property, context), true)];
  });
  return members.length === 0 ? [] : [[objectType(members)]];
};
