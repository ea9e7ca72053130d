/** Refuses definitions in which values contain themselves or are repeated without end. */

import { unreadable } from '../source/source-text';
import type { Bundle } from './bundle';

const sentences = {
  circle: 'References that are written where none may stand lead in a circle.',
  depth: 'References that are written where none may stand nest too deeply.',
  size: 'References that are written where none may stand repeat too much.',
};

/** What is wrong with a definition's extent. */
type Excess = keyof typeof sentences;

/** Far above what documents of thousands of operations need. */
const limits = { values: 2_000_000, depth: 1000 };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Parts that stand in several places are counted each time. */
const excessOf = (definition: object): Excess | undefined => {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let excess: Excess | undefined;

  const measure = (value: object): number => {
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) excess ??= 'circle';
    if (open.size > limits.depth) excess ??= 'depth';
    if (excess !== undefined) return 0;
    open.add(value);
    const size = Object.values(value)
      .filter(isObject)
      .reduce((sum, part) => sum + measure(part), 1);
    open.delete(value);
    sizes.set(value, size);
    if (size > limits.values) excess ??= 'size';
    return size;
  };

  measure(definition);
  return excess;
};

/**
 * Checks what references written in place have made of a definition; files themselves are within bounds already.
 * @throws UnreadableDocument
 */
export const requireFinite = (file: string, { definition, replaced }: Bundle): void => {
  const excess = replaced ? excessOf(definition) : undefined;
  if (excess === undefined) return;
  throw unreadable(
    file,
    'misplaced-reference',
    `${sentences[excess]} Write out what they lead to.`,
  );
};
