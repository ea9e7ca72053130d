/** Which schemas take the bytes of a part as they are. */

import type { Shape } from '../../schema/shape';

/** Whether values of the shape are bytes. */
export const isBytes = ({ type, format }: Shape): boolean =>
  format === 'binary' && (type === 'string' || type === 'any');

/** Whether a part may hold bytes: the shape itself, its items, or one of its alternatives. */
export const mayBeBytes = (shape: Shape, seen = new Set<Shape>()): boolean => {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return (
    isBytes(shape) ||
    (shape.type === 'array' && shape.items !== undefined && mayBeBytes(shape.items, seen)) ||
    shape.alternatives.some((alternative) => mayBeBytes(alternative.shape, seen))
  );
};
