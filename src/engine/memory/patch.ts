/** Changes of items: merge patches, and the reading of their bodies, whose absent members keep what is stored. */

import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import type { Shape, ShapeOf } from '../../schema/shape';

/** Applies a merge patch (RFC 7396): null removes a member, objects are merged, and all else replaces. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isPlainObject(patch)) return patch;
  const merged: PlainObject = isPlainObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else setOwn(merged, name, mergePatch(merged[name], value));
  }
  return merged;
};

/** Makes shapes without defaults, by which a reader leaves absent members absent. */
export const withoutDefaults = (shapeOf: ShapeOf): ShapeOf => {
  const bare = memoize(
    (shape: Shape): Shape => ({
      ...shape,
      defaultValue: undefined,
      get properties() {
        return new Map([...shape.properties].map(([name, property]) => [name, bare(property)]));
      },
      get alternatives() {
        return shape.alternatives.map((one) => ({ ...one, shape: bare(one.shape) }));
      },
    }),
  );
  return (schema) => bare(shapeOf(schema));
};
