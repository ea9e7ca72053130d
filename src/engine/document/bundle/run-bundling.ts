/** Runs the bundling of a document: of its root file alone, or with the files that it refers to. */

import type { PlainObject } from '../../../base/plain-object';
import type { OpenFile, SourceFile } from '../source/source-files';
import { MissingFile, unreadable } from '../source/source-text';
import type { Bundle } from './bundle';
import { bundling } from './bundling';

const sentences = {
  circle: 'References that are written where none may stand lead in a circle.',
  depth: 'References that are written where none may stand nest too deeply.',
  size: 'References that are written where none may stand repeat too much.',
};

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
  const message = `${sentences[excess]} Write out what they lead to.`;
  throw unreadable(file, 'misplaced-reference', message);
};

/** Takes no other file; whatever leads to one cannot be followed. */
export const bundleAlone = (root: SourceFile, definition: PlainObject): Bundle => {
  const work = bundling(root, definition);
  let step = work.next();
  while (!step.done) step = work.throw(new MissingFile('it leaves the document'));
  return step.value;
};

/** Opens every file that is reachable. */
export const bundleFiles = async (
  root: SourceFile,
  definition: PlainObject,
  open: OpenFile,
): Promise<Bundle> => {
  const work = bundling(root, definition);
  let step = work.next();
  while (!step.done) {
    const { uri, from } = step.value;
    try {
      step = work.next(await open(uri, from));
    } catch (error) {
      step = work.throw(error);
    }
  }
  return step.value;
};
