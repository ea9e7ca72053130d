/** Which schemas take the octets of a part as they are. */

import type { Shape } from '../../schema/shape';

/** Whether values of the shape are octets. */
export const isOctets = ({ type, format }: Shape): boolean =>
  format === 'binary' && (type === 'string' || type === 'any');

/** Whether a part may hold octets: the shape itself, its items, or one of its alternatives. */
export const mayBeOctets = (shape: Shape, seen = new Set<Shape>()): boolean => {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return (
    isOctets(shape) ||
    (shape.type === 'array' && shape.items !== undefined && mayBeOctets(shape.items, seen)) ||
    shape.alternatives.some((alternative) => mayBeOctets(alternative.shape, seen))
  );
};
