/** The members of an object type. */

import type { OpenAPIV3 } from 'openapi-types';
import { travels } from './directions';
import type { Schema, SchemaContext } from './schema-source';
import { docComment, readonlyMember, saysNothing, union } from './type-text';

type Print = (schema: Schema, context: SchemaContext) => string;

/** Properties in the document's order, then required ones it does not describe, then the index signature. */
export const objectMembers = (
  schema: OpenAPIV3.SchemaObject,
  context: SchemaContext,
  print: Print,
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
        describe(property) + readonlyMember(name, print(property, context), required.has(name)),
    ),
    ...undescribed.map((name) => readonlyMember(name, 'unknown', true)),
    ...indexSignature(schema, travelling, context, print),
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
  print: Print,
): readonly string[] => {
  const additional =
    schema.additionalProperties ?? Object.keys(schema.properties ?? {}).length === 0;
  if (additional === false) return [];
  const value = additional === true ? 'unknown' : print(additional, context);
  if (saysNothing(value)) return [`readonly [name: string]: ${value}`];
  const required = new Set(schema.required ?? []);
  const declared = properties.map(([, property]) => print(property, context));
  const anyOptional = properties.some(([name]) => !required.has(name));
  return [
    `readonly [name: string]: ${union([value, ...declared, ...(anyOptional ? ['undefined'] : [])])}`,
  ];
};
