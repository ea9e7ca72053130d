/** Follows a pointer through references, so that what is said of a part behind one names the part itself. */

import { isPlainObject } from '../../codecs/plain-object';
import { pointerOf, pointerOfFragment, pointerSteps, valueAt } from '../json-pointer';
import { referenceOf } from '../references';

const longestChain = 100;

/** The pointer at which a step below `pointer` is really found: behind references that stand in its way. */
const behindReferences = (definition: object, pointer: string, step: string): string => {
  let current = pointer;
  for (let hops = 0; hops < longestChain; hops += 1) {
    const value = valueAt(definition, current);
    const ref =
      isPlainObject(value) && !Object.hasOwn(value, step) ? referenceOf(value) : undefined;
    const target = ref?.startsWith('#') ? pointerOfFragment(ref.slice(1)) : undefined;
    if (target === undefined) return current;
    current = target;
  }
  return pointer;
};

/** The pointer to the same place that passes no reference. */
export const truePointer = (definition: object, pointer: string): string =>
  pointerSteps(pointer).reduce(
    (current, step) => behindReferences(definition, current, step) + pointerOf([step]),
    '',
  );
