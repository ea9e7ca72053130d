/** Without sending stored JSON texts as they are: each is parsed and serialized for every response, as one of another shape is. */

import type { Shape } from '../../../src/schema/shape';
import { moduleOf } from './product';

const ours = moduleOf<typeof import('../../../src/engine/media-types/json/json')>(
  'engine/media-types/json/json',
);
const { SerializedJson, storedJson } = ours;

const others = new WeakMap<Shape, Shape>();

const otherOf = (shape: Shape): Shape => {
  const other = others.get(shape) ?? { ...shape };
  others.set(shape, other);
  return other;
};

ours.storedJson = <Value>(shape: Shape) => {
  const stored = storedJson<Value>(shape);
  return {
    ...stored,
    serialized: (text: string) => new SerializedJson(otherOf(shape), text, stored.read),
  };
};
