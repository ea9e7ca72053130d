/** Parameters whose schema is oneOf or anyOf of arrays or objects: read as the branch that takes them. */

import { MalformedText } from '../media-types/codec/codec';
import type { Shape } from '../schema/shape';

/** Reads a value from where it stands; undefined where it is absent. */
export type Read<Source> = (source: Source) => unknown;

const isScalar = ({ type }: Shape): boolean => type !== 'array' && type !== 'object';

const attempt = <Source>(read: Read<Source>, source: Source): unknown => {
  try {
    return read(source);
  } catch (error) {
    if (error instanceof MalformedText) return undefined;
    throw error;
  }
};

/**
 * The first branch whose reading validates, else the reading by the shape itself, for validation to refuse. Alternatives
 * within alternatives are not followed, so that a schema that contains itself ends.
 */
export const withAlternatives = <Source>(
  shape: Shape,
  readerOf: (shape: Shape) => Read<Source>,
): Read<Source> => {
  const readSelf = readerOf(shape);
  // Between scalars the reading of the text itself chooses.
  if (shape.alternatives.every((alternative) => isScalar(alternative.shape))) return readSelf;
  const branches = shape.alternatives.map((alternative) => ({
    read: readerOf(alternative.shape),
    accepts: alternative.accepts,
  }));
  return (source) => {
    for (const { read, accepts } of branches) {
      const value = attempt(read, source);
      if (value !== undefined && accepts(value)) return value;
    }
    return readSelf(source);
  };
};
