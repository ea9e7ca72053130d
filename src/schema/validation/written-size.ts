/** The size of a schema whose members are written out in their places, as validators have it (json-schema.ts). */

import { type Schema, schemasInPlace, schemasOfParts } from '../../model/schema';

/**
 * More is refused: schemas that share what they are composed of can grow exponentially when it is written out, and one
 * of this size is compiled in some tenths of a second, during which nothing else is answered.
 */
export const MOST_WRITTEN = 2_000;

/** The error of a schema that is larger. */
export const TOO_LARGE = `The schema must not be composed of more than ${MOST_WRITTEN} others.`;

/** Lists the schemas that are applied to the very same value, and so are written out where they stand. */
const sameValueSchemas = (schema: Schema): readonly Schema[] => [
  ...schemasInPlace(schema),
  ...(schema.not ? [schema.not] : []),
];

/** Tells whether a keyword concerns what others do not evaluate. */
export const hasUnevaluated = (schema: Schema): boolean =>
  (schema.unevaluatedProperties ?? schema.unevaluatedItems) !== undefined;

/**
 * Lists the schemas of parts of the value that are written out, too: those that stand within the schema and are not composed.
 * @see isWrittenOut
 */
const plainParts = (schema: Schema): readonly Schema[] =>
  schemasOfParts(schema).filter((part) => isWrittenOut(part, schema));

/** Tells whether the schema of a part of the value stands within another schema, and is not composed. */
export const isWrittenOut = (part: Schema, within: Schema): boolean =>
  part.pointer.startsWith(`${within.pointer}/`) &&
  !hasUnevaluated(part) &&
  sameValueSchemas(part).length === 0;

const sizes = new WeakMap<Schema, number>();

/** Counts the schemas that a schema is composed of, itself included. */
export const writtenSize = (schema: Schema): number => {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  // One that is applied to the value already is not written out again.
  sizes.set(schema, 0);
  const inner = [...sameValueSchemas(schema), ...plainParts(schema)];
  const size = inner.reduce((sum, part) => sum + writtenSize(part), 1);
  sizes.set(schema, size);
  return size;
};

/** Says that the schema is too large; undefined where it is not. */
export const writtenSizeError = (schema: Schema): string | undefined =>
  writtenSize(schema) > MOST_WRITTEN ? TOO_LARGE : undefined;
