/** The size of a schema whose members are written out in their places, as validators have it (json-schema.ts). */

import { memoize } from '../../../base/memoize';
import { isPlainObject } from '../../../base/plain-object';
import { followReference, type SchemaFields } from '../schema-parts';
import type { SchemaSource } from '../shape';

/**
 * More is refused: schemas that share what they are composed of can grow exponentially when it is written out, and one
 * of this size is compiled in some tenths of a second, during which nothing else is answered.
 */
export const MOST_WRITTEN = 2_000;

/** The error of a schema that is larger. */
export const TOO_LARGE = `The schema must not be composed of more than ${MOST_WRITTEN} others.`;

/** Keywords whose schemas are applied to the very same value, and so are written out where they stand. */
export const MEMBERS = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

const membersOf = (schema: SchemaFields): readonly unknown[] =>
  MEMBERS.flatMap((keyword) => schema[keyword] ?? []);

/** Schemas of parts of the value that are written out, too: those that neither refer nor are composed. */
const plainParts = ({
  properties,
  items,
  additionalProperties,
}: SchemaFields): readonly unknown[] =>
  [...(isPlainObject(properties) ? Object.values(properties) : []), items, additionalProperties]
    .filter(isPlainObject)
    .filter((part) => part['$ref'] === undefined && membersOf(part).length === 0);

/** Makes the function that works each schema out once. */
const sizesOf = memoize((source: SchemaSource) => {
  const sizes = new Map<SchemaFields, number>();
  const sizeOf = (given: unknown): number => {
    const { schema } = followReference(given, source);
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    // One that is applied to the value already is not written out again.
    sizes.set(schema, 0);
    const inner = [...membersOf(schema), ...plainParts(schema)];
    const size = inner.reduce((sum: number, part) => sum + sizeOf(part), 1);
    sizes.set(schema, size);
    return size;
  };
  return sizeOf;
});

/** Counts the schemas that a schema is composed of, itself included; 0 where references lead nowhere, which another rule reports. */
export const writtenSize = (schema: object, source: SchemaSource): number => {
  try {
    return sizesOf(source)(schema);
  } catch {
    return 0;
  }
};

/** Says that the schema is too large; undefined where it is not, or is a reference. */
export const writtenSizeError = (schema: object, source: SchemaSource): string | undefined =>
  !('$ref' in schema) && writtenSize(schema, source) > MOST_WRITTEN ? TOO_LARGE : undefined;
