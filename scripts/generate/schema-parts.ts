/** A schema means itself and every member of its allOf: what they say together. */

import type { OpenAPIV3 } from 'openapi-types';
import { followSchema, type Schema, type SchemaSource } from './schema-source';

/** The schema and the members of its allOf at any depth, references followed, each once. */
export const allParts = (
  schema: Schema | undefined,
  source: SchemaSource,
  seen = new Set<Schema>(),
): readonly OpenAPIV3.SchemaObject[] => {
  const object = followSchema(schema, source);
  if (object === undefined || seen.has(object)) return [];
  seen.add(object);
  return [object, ...(object.allOf ?? []).flatMap((part) => allParts(part, source, seen))];
};

/** The property's schema; undefined where no part declares one of that name. */
export const findProperty = (
  schema: Schema | undefined,
  name: string,
  source: SchemaSource,
): Schema | undefined =>
  allParts(schema, source)
    .flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : []))
    .find((property) => property !== undefined);

type JsonType = OpenAPIV3.SchemaObject['type'];

/** The JSON type: the one that is named, else the one that other keywords imply. */
export const typeOf = (parts: readonly OpenAPIV3.SchemaObject[]): JsonType =>
  parts.find(({ type }) => type !== undefined)?.type ?? impliedType(parts);

/** The JSON type that keywords for members imply. */
export const impliedType = (parts: readonly OpenAPIV3.SchemaObject[]): JsonType => {
  if (parts.some((part) => part.properties ?? part.additionalProperties)) return 'object';
  return parts.some((part) => 'items' in part) ? 'array' : undefined;
};
