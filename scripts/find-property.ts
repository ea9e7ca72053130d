/** Finds a property in a schema, behind references and in the members of allOf. */

import type { OpenAPIV3 } from 'openapi-types';
import { followSchema, type Schema, type SchemaSource } from './schema-source';

/** The property's schema; undefined where the schema declares none of that name. */
export const findProperty = (
  schema: Schema | undefined,
  name: string,
  source: SchemaSource,
): Schema | undefined =>
  allParts(schema, source)
    .flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : []))
    .find((property) => property !== undefined);

/** The schema and every member of its allOf, at any depth, each once. */
const allParts = (
  schema: Schema | undefined,
  source: SchemaSource,
  seen = new Set<Schema>(),
): readonly OpenAPIV3.SchemaObject[] => {
  const object = followSchema(schema, source);
  if (object === undefined || seen.has(object)) return [];
  seen.add(object);
  return [object, ...(object.allOf ?? []).flatMap((part) => allParts(part, source, seen))];
};
