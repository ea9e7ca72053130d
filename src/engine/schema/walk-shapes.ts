/** Visits every shape that can be reached from one, each once. */

import type { Shape } from './shape';

/** Calls `visit` for the shape and everything inside it. */
export function walkShapes(root: Shape, visit: (shape: Shape) => void): void {
  const seen = new Set<Shape>([root]);
  // Whatever is added while they are visited is visited, too.
  for (const shape of seen) {
    visit(shape);
    for (const inner of innerShapes(shape)) seen.add(inner);
  }
}

function innerShapes(shape: Shape): readonly Shape[] {
  const { properties, items, additional, alternatives } = shape;
  return [
    ...properties.values(),
    ...(items ? [items] : []),
    ...(typeof additional === 'object' ? [additional] : []),
    ...alternatives.map(({ shape: inner }) => inner),
  ];
}
