/** Finds a value whose pointer passes through references, as pointers into composed schemas often do. */

import { pointerOf, pointerOfFragment, pointerSteps, valueAt } from '../../lang/json-pointer';
import { isPlainObject } from '../../lang/plain-object';

/** The `$ref` of a Reference Object; undefined for anything else (OAS 3.0.3, Reference Object). */
export const referenceOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
    ? value.$ref
    : undefined;

/** A pointer and the value that it is a pointer into. */
export interface ResolvedPointer {
  readonly root: unknown;
  readonly pointer: string;
}

/** More references in a row are taken for a circle. */
const longestChain = 100;

/** Where a reference within one tree leads; undefined where it leads out of it. */
type Follow = (ref: string, holder: object, root: unknown) => ResolvedPointer | undefined;

/** Follows references within the tree that they stand in. */
export const followLocally: Follow = (ref, _holder, root) => {
  const pointer = ref.startsWith('#') ? pointerOfFragment(ref.slice(1)) : undefined;
  return pointer === undefined ? undefined : { root, pointer };
};

/** Where a step below a pointer is really found: behind the references that stand in its way. */
const behindReferences = (
  start: ResolvedPointer,
  step: string,
  follow: Follow,
): ResolvedPointer => {
  let current = start;
  for (let hops = 0; hops < longestChain; hops += 1) {
    const value = valueAt(current.root, current.pointer);
    if (!isPlainObject(value) || Object.hasOwn(value, step)) return current;
    const ref = referenceOf(value);
    const target = ref === undefined ? undefined : follow(ref, value, current.root);
    if (target === undefined) return current;
    current = target;
  }
  return start;
};

/** The same value by a pointer that passes no reference. */
export const resolvePointer = (
  start: ResolvedPointer,
  follow: Follow = followLocally,
): ResolvedPointer =>
  pointerSteps(start.pointer).reduce<ResolvedPointer>(
    (current, step) => {
      const { root, pointer } = behindReferences(current, step, follow);
      return { root, pointer: pointer + pointerOf([step]) };
    },
    { root: start.root, pointer: '' },
  );
