/** Visits every shape that can be reached from one, each once. */

import type { Shape } from './shape';

/** Calls `visit` for the shape and everything inside it, with a path for messages such as `Thing/tags/items`. */
export function walkShapes(root: Shape, visit: (shape: Shape, path: string) => void): void {
  const seen = new Set<Shape>([root]);
  const waiting: [Shape, string][] = [[root, root.component ?? root.type]];
  for (const [shape, path] of waiting) {
    visit(shape, path);
    for (const [step, inner] of innerShapes(shape)) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      waiting.push([inner, inner.component ?? `${path}/${step}`]);
    }
  }
}

function innerShapes(shape: Shape): readonly (readonly [string, Shape])[] {
  const { properties, items, additional, alternatives } = shape;
  return [
    ...properties,
    ...(items ? [['items', items] as const] : []),
    ...(typeof additional === 'object' ? [['additionalProperties', additional] as const] : []),
    ...alternatives.map(({ shape: inner }, index) => [`alternatives/${index}`, inner] as const),
  ];
}
