/** A schema as the text of a TypeScript type. */

import type { OpenAPIV3 } from 'openapi-types';
import { travels } from './directions';
import { objectMembers } from './print-object';
import { mergeScalar, printLiterals, printScalar } from './print-scalar';
import { allParts, findProperty, impliedType, typeOf } from './schema-parts';
import {
  branchesOf,
  componentOf,
  isReference,
  type Schema,
  type SchemaContext,
} from './schema-source';
import { arrayOf, commentText, intersection, objectType, readonlyMember, union } from './type-text';

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
      return [objectType(objectMembers(schema, context, printMember))];
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
