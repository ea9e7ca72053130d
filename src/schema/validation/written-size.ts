/**
 * The size of the function that validates a schema (json-schema.ts). Members are written out in their places, which is fastest, unless
 * that makes it large: then each is a function of its own, compiled once however often it is applied.
 */

import { memoize } from '../../base/memoize';
import { type Schema, schemasInPlace, schemasOfParts } from '../../model/schema';

/**
 * More is refused: schemas that are composed of themselves, and those beside `unevaluated…`, are always written out, which can
 * grow exponentially, and one of this size is compiled in some tenths of a second, during which nothing else is answered.
 */
export const MOST_WRITTEN = 2_000;

/** A schema of more is divided into functions. */
const LARGE = MOST_WRITTEN / 2;
/** Members of a large schema that are no larger stay in their places. */
const SMALL = 10;

/** The error of a schema that is larger. */
export const TOO_LARGE = `The schema must not be composed of more than ${MOST_WRITTEN} others.`;

/** Lists the schemas that are applied to the very same value, and so are written out where they stand. */
export const sameValueSchemas = (schema: Schema): readonly Schema[] => [
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

/** Makes a function that measures schemas, each once; one that is applied to the value already is not written out again. */
const measure = (sizeOf: (schema: Schema) => number): ((schema: Schema) => number) => {
  const sizes = new WeakMap<Schema, number>();
  return (schema) => {
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    sizes.set(schema, 0);
    const size = sizeOf(schema);
    sizes.set(schema, size);
    return size;
  };
};

/** Counts the schemas that a schema is composed of, itself included, each as often as it is applied. */
const wholeSize = measure((schema) =>
  [...sameValueSchemas(schema), ...plainParts(schema)].reduce(
    (sum, part) => sum + wholeSize(part),
    1,
  ),
);

/** Tells whether a schema is too large to be written out as a whole. */
export const isLarge = (schema: Schema): boolean => wholeSize(schema) > LARGE;

/** Tells whether a member of a large schema is a function of its own; one that is applied again to its value depends on what is being applied. */
export const isApart = memoize((member: Schema): boolean => {
  if (wholeSize(member) <= SMALL) return false;
  const applied = new Set(sameValueSchemas(member));
  for (const inner of applied) for (const next of sameValueSchemas(inner)) applied.add(next);
  return !applied.has(member);
});

const dividedSize = measure((schema) => {
  if (hasUnevaluated(schema)) return wholeSize(schema);
  const sizeOf = (member: Schema): number => (isApart(member) ? 1 : dividedSize(member));
  const ownSize = plainParts(schema).reduce((sum, part) => sum + wholeSize(part), 1);
  return sameValueSchemas(schema).reduce((sum, member) => sum + sizeOf(member), ownSize);
});

/** Counts the schemas that are written out where a schema is validated, itself included. */
export const writtenSize = (schema: Schema): number =>
  isLarge(schema) ? dividedSize(schema) : wholeSize(schema);

/** Says that the schema is too large; undefined where it is not. */
export const writtenSizeError = (schema: Schema): string | undefined =>
  writtenSize(schema) > MOST_WRITTEN ? TOO_LARGE : undefined;
