/** A schema as the text of a TypeScript type. */

import type { OpenAPIV3 } from 'openapi-types';
import {
  allParts,
  branchesOf,
  componentOf,
  findProperty,
  impliedType,
  isReference,
  type Scalar,
  type Schema,
  type SchemaContext,
  travels,
  typeOf,
} from './schema-source';
import {
  arrayOf,
  commentText,
  docComment,
  intersection,
  objectType,
  quoteText,
  readonlyMember,
  saysNothing,
  union,
} from './type-text';

/**
 * The type and format of a value: what the schema's parts say, else what the enclosing schema says, so that
 * `{type: integer, format: int64, anyOf: [{maximum: 5}, {minimum: 11}]}` is of one type throughout.
 */
const mergeScalar = (
  parts: readonly OpenAPIV3.SchemaObject[],
  enclosing: Scalar | undefined,
): Scalar => ({
  type: parts.map(({ type }) => type).find(isScalarType) ?? enclosing?.type,
  format: parts.find(({ format }) => format !== undefined)?.format ?? enclosing?.format,
});

const isScalarType = (
  type: OpenAPIV3.SchemaObject['type'],
): type is OpenAPIV3.NonArraySchemaObjectType =>
  type !== undefined && type !== 'array' && type !== 'object';

/** int64 is `bigint`, binary `Uint8Array`. */
const printScalar = (scalar: Scalar | undefined): string => {
  const { type, format } = scalar ?? {};
  if (type === 'string') return format === 'binary' ? 'Uint8Array' : 'string';
  if (type === 'integer') return format === 'int64' ? 'bigint' : 'number';
  return type ?? 'unknown';
};

/** One literal per value of the enum that fits the type; null is left to `nullable`. */
const printLiterals = (schema: OpenAPIV3.SchemaObject, scalar: Scalar | undefined): string[] =>
  (schema.enum ?? []).flatMap((value: unknown) =>
    !scalar?.type || fits[scalar.type]?.(value) ? printLiteral(value, scalar) : [],
  );

const printLiteral = (value: unknown, scalar: Scalar | undefined): string[] => {
  if (typeof value === 'string') return [quoteText(value)];
  if (typeof value === 'number' || typeof value === 'bigint') {
    const isBigint = printScalar(scalar) === 'bigint';
    return [isBigint ? `${BigInt(value)}n` : String(value)];
  }
  return typeof value === 'boolean' || value === null ? [String(value)] : [];
};

const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === 'bigint';

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  integer: isInteger,
  boolean: (value) => typeof value === 'boolean',
};

/** Properties in the document's order, then required ones it does not describe, then the index signature. */
export const objectMembers = (
  schema: OpenAPIV3.SchemaObject,
  context: SchemaContext,
): readonly string[] => {
  const properties = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const known = new Set(properties.map(([name]) => name));
  const travelling = properties.filter(([, property]) =>
    travels(property, context.direction, context.schemas),
  );
  const composed = schema.allOf !== undefined;
  const undescribed = composed ? [] : [...required].filter((name) => !known.has(name));
  return [
    ...travelling.map(
      ([name, property]) =>
        describe(property) +
        readonlyMember(name, printMember(property, context), required.has(name)),
    ),
    ...undescribed.map((name) => readonlyMember(name, 'unknown', true)),
    ...indexSignature(schema, travelling, context),
  ];
};

// Siblings of $ref are ignored (OAS 3.0.3, Reference Object): the referenced type has its own comment.
const describe = (property: Schema): string =>
  '$ref' in property ? '' : docComment([property.description]);

/**
 * Prints the type of undeclared properties. TypeScript wants declared ones to fit the index signature, which is therefore as wide
 * as all of them together. Undeclared properties are accepted by default, but a type with properties keeps silent about them.
 */
const indexSignature = (
  schema: OpenAPIV3.SchemaObject,
  properties: readonly (readonly [string, Schema])[],
  context: SchemaContext,
): readonly string[] => {
  const additional =
    schema.additionalProperties ?? Object.keys(schema.properties ?? {}).length === 0;
  if (additional === false) return [];
  const value = additional === true ? 'unknown' : printMember(additional, context);
  if (saysNothing(value)) return [`readonly [name: string]: ${value}`];
  const required = new Set(schema.required ?? []);
  const declared = properties.map(([, property]) => printMember(property, context));
  const anyOptional = properties.some(([name]) => !required.has(name));
  return [
    `readonly [name: string]: ${union([value, ...declared, ...(anyOptional ? ['undefined'] : [])])}`,
  ];
};

/** The type of the schema's values: int64 `bigint`, binary `Uint8Array`, enums literals. */
export const printSchema = (schema: Schema | undefined, context: SchemaContext): string =>
  schema === undefined ? 'unknown' : union(alternativesOf(schema, context));

/** The same as a list of alternatives, for what combines them further. */
export const alternativesOf = (schema: Schema, context: SchemaContext): readonly string[] =>
  isReference(schema)
    ? referenceAlternatives(schema.$ref, context)
    : [...valueAlternatives(schema, context), ...nullAlternative(schema)];

const referenceAlternatives = (ref: string, context: SchemaContext): readonly string[] => {
  const name = context.schemas.nameOf(componentOf(ref) ?? ref, context.direction);
  if (name) return [name];
  const target = context.schemas.resolve(ref);
  if (target === undefined) return [`unknown /* unresolved: ${commentText(ref)} */`];
  if (context.open.includes(ref)) return [`unknown /* recursive: ${commentText(ref)} */`];
  return alternativesOf(target, { ...context, open: [...context.open, ref] });
};

// OAS 3.0.3 proposal "Clarify Nullable": nullable needs a type beside it, and an enum must list null.
const nullAlternative = (schema: OpenAPIV3.SchemaObject): readonly string[] =>
  schema.nullable && schema.type && (schema.enum?.includes(null) ?? true) ? ['null'] : [];

const valueAlternatives = (
  schema: OpenAPIV3.SchemaObject,
  given: SchemaContext,
): readonly string[] => {
  const context = { ...given, scalar: mergeScalar(allParts(schema, given.schemas), given.scalar) };
  const parts = [
    ...ownPart(schema, context),
    ...(schema.allOf ?? []).map((branch) => alternativesOf(branch, context)),
    ...[schema.oneOf, schema.anyOf]
      .filter((branches) => branches !== undefined)
      .map((branches) => branches.flatMap((branch) => alternativesOf(branch, context))),
    ...requiredPart(schema, context),
  ]
    .map((part) => [...new Set(part)])
    .filter((part) => !part.includes('unknown'));
  const distinct = [...new Map(parts.map((part) => [union(part), part])).values()];
  const [only = ['unknown'], ...more] = distinct;
  return more.length === 0 ? only : [intersection(distinct)];
};

/** Prints the keywords beside allOf, oneOf and anyOf; nothing where there are none. */
const ownPart = (schema: OpenAPIV3.SchemaObject, context: SchemaContext): readonly string[][] => {
  const isBare = (schema.type ?? 'object') === 'object' && !impliedType([schema]) && !schema.enum;
  return isBare && branchesOf(schema).length > 0 ? [] : [ownAlternatives(schema, context)];
};

const ownAlternatives = (schema: OpenAPIV3.SchemaObject, context: SchemaContext): string[] => {
  const literals = printLiterals(schema, context.scalar);
  if (literals.length > 0) return literals;
  switch (typeOf([schema])) {
    case 'array':
      return [arrayOf(printMember('items' in schema ? schema.items : {}, context))];
    case 'object':
      return [objectType(objectMembers(schema, context))];
    default:
      return [printScalar(context.scalar)];
  }
};

/** A schema of another value inside this one, which inherits nothing. */
const printMember = (schema: Schema, context: SchemaContext): string =>
  printSchema(schema, { ...context, scalar: undefined });

/** Properties that this schema requires and its allOf members declare. */
const requiredPart = (
  schema: OpenAPIV3.SchemaObject,
  context: SchemaContext,
): readonly string[][] => {
  if (branchesOf(schema).length === 0) return [];
  const members = (schema.required ?? []).flatMap((name) => {
    if (schema.properties?.[name]) return [];
    const property = findProperty(schema, name, context.schemas);
    if (!property || !travels(property, context.direction, context.schemas)) return [];
    return [readonlyMember(name, printMember(property, context), true)];
  });
  return members.length === 0 ? [] : [[objectType(members)]];
};
