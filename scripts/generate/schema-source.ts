/** The schemas of a document as the printers need them: references resolved, types named. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Parameter } from '../../src/engine';

/** A Schema Object of OAS 3.0, or a reference to one. */
export type Schema = Parameter['schema'];

/** The direction of a message: requests carry no `readOnly` properties, responses no `writeOnly` ones. */
export type Direction = 'request' | 'response';

export interface SchemaSource {
  /** The schemas under components/schemas, in the document's order. */
  readonly components: ReadonlyMap<string, Schema>;
  /**
   * Schemas elsewhere that references name, by those references. They need types of their own: written out at each reference
   * they would be repeated exponentially often where one leads to others.
   */
  readonly elsewhere?: ReadonlyMap<string, Schema>;
  /** The schema that a reference names; undefined where it names none. */
  resolve(ref: string): Schema | undefined;
}

/** A source whose component schemas have been given their type names. */
export interface NamedSchemas extends SchemaSource {
  /** The name of the type of a component, or of the schema elsewhere that a reference names; undefined where it is missing. */
  nameOf(place: string, direction: Direction): string | undefined;
}

export const isReference = (schema: Schema): schema is OpenAPIV3.ReferenceObject =>
  '$ref' in schema;

/** The component that a reference names directly. */
export const componentOf = (ref: string): string | undefined =>
  /^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];

/** The schema behind any number of references; undefined where they lead nowhere or in a circle. */
export const followSchema = (
  schema: Schema | undefined,
  source: SchemaSource,
): OpenAPIV3.SchemaObject | undefined => {
  const seen = new Set<string>();
  let current = schema;
  while (current !== undefined && isReference(current)) {
    if (seen.has(current.$ref)) return undefined;
    seen.add(current.$ref);
    current = source.resolve(current.$ref);
  }
  return current;
};

/** The subschemas that a value itself must fit, not those of its members. */
export const branchesOf = (schema: OpenAPIV3.SchemaObject): readonly Schema[] => [
  ...(schema.allOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.anyOf ?? []),
];

/** The schemas of a value's members: properties, items, additional properties. */
export const memberSchemasOf = (schema: OpenAPIV3.SchemaObject): readonly Schema[] => {
  const { additionalProperties: additional } = schema;
  return [
    ...Object.values(schema.properties ?? {}),
    ...('items' in schema && schema.items ? [schema.items] : []),
    ...(typeof additional === 'object' ? [additional] : []),
  ];
};

/** The type and format of a value that is neither object nor array. */
export interface Scalar {
  readonly type: OpenAPIV3.NonArraySchemaObjectType | undefined;
  readonly format: string | undefined;
}

/** The context in which a schema is printed. */
export interface SchemaContext {
  readonly schemas: NamedSchemas;
  readonly direction: Direction;
  /** References to other places than components/schemas that are being written out, so that circles end. */
  readonly open: readonly string[];
  /** The type and format by an enclosing schema, for branches that only add to it. */
  readonly scalar: Scalar | undefined;
}

/** The context of a value that travels in that direction. */
export const schemaContext = (schemas: NamedSchemas, direction: Direction): SchemaContext => ({
  schemas,
  direction,
  open: [],
  scalar: undefined,
});

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

/** Tells whether messages of a direction carry a property (OAS 3.0.3, Schema Object, readOnly and writeOnly). */
export const travels = (property: Schema, direction: Direction, source: SchemaSource): boolean => {
  const parts = allParts(property, source);
  return direction === 'request'
    ? parts.every(({ readOnly }) => readOnly !== true)
    : parts.every(({ writeOnly }) => writeOnly !== true);
};

/** Tells whether requests and responses carry the schema's values differently, at any depth. */
export const differsByDirection = (schema: Schema, source: SchemaSource): boolean => {
  const seen = new Set<Schema>();
  const differs = (given: Schema): boolean => {
    if (seen.has(given)) return false;
    seen.add(given);
    if (isReference(given)) {
      const target = source.resolve(given.$ref);
      return target !== undefined && differs(target);
    }
    return (
      Object.values(given.properties ?? {}).some(
        (property) =>
          !travels(property, 'request', source) || !travels(property, 'response', source),
      ) || [...branchesOf(given), ...memberSchemasOf(given)].some(differs)
    );
  };
  return differs(schema);
};
