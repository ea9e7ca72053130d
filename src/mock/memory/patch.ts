/** Changes of items: merge patches and JSON Patches. */

import { pointerSteps } from '../../base/json-pointer';
import { copyOf, isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import { valueKey } from '../../schema/validation/checks/equality-checks';

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

/** Returns the operations of a JSON Patch; undefined where the body is none. */
export const jsonPatchIn = (body: unknown): readonly PlainObject[] | undefined => {
  const isOperation = (value: unknown): value is PlainObject =>
    isPlainObject(value) && typeof value['op'] === 'string' && typeof value['path'] === 'string';
  return Array.isArray(body) && body.length > 0 && body.every(isOperation) ? body : undefined;
};

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Returns what stands at a place; throws where there is nothing. */
const readAt = (root: unknown, steps: readonly string[]): unknown =>
  steps.reduce((value, step) => {
    const isThere = Array.isArray(value) ? INDEX.test(step) : isPlainObject(value);
    if (!isThere || !Object.hasOwn(Object(value), step)) throw new Error(`There is no ${step}`);
    return (value as PlainObject)[step];
  }, root);

const removeAt = (root: unknown, steps: readonly string[]): unknown => {
  const [removed, holder] = [readAt(root, steps), readAt(root, steps.slice(0, -1))];
  const key = steps.at(-1) ?? '';
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete (holder as PlainObject)[key];
  return removed;
};

const addAt = (root: unknown, steps: readonly string[], value: unknown): void => {
  const [holder, key = ''] = [readAt(root, steps.slice(0, -1)), steps.at(-1)];
  if (isPlainObject(holder)) {
    setOwn(holder, key, value);
    return;
  }
  const index = key === '-' && Array.isArray(holder) ? String(holder.length) : key;
  if (!Array.isArray(holder) || !INDEX.test(index) || Number(index) > holder.length) {
    throw new Error(`There is no place ${key}`);
  }
  holder.splice(Number(index), 0, value);
};

/**
 * Applies a JSON Patch to a copy (RFC 6902).
 * @throws Error where one of its operations cannot be applied
 */
export const applyJsonPatch = (target: unknown, operations: readonly PlainObject[]): unknown => {
  // The holder lets the whole be replaced.
  const root = { whole: copyOf(target) };
  const stepsOf = (pointer: unknown): string[] => {
    if (typeof pointer === 'string' && /^(?:\/|$)/.test(pointer)) {
      return ['whole', ...pointerSteps(pointer)];
    }
    throw new Error('This is no JSON Pointer');
  };
  const appliers = new Map<unknown, (one: PlainObject, steps: readonly string[]) => unknown>([
    ['add', ({ value }, steps) => addAt(root, steps, value)],
    ['remove', (_, steps) => removeAt(root, steps)],
    ['replace', ({ value }, steps) => [removeAt(root, steps), addAt(root, steps, value)]],
    ['move', ({ from }, steps) => addAt(root, steps, removeAt(root, stepsOf(from)))],
    ['copy', ({ from }, to) => addAt(root, to, copyOf(readAt(root, stepsOf(from))))],
    [
      'test',
      ({ value }, steps) => {
        if (valueKey(readAt(root, steps)) !== valueKey(value)) throw new Error('The test fails');
      },
    ],
  ]);
  for (const step of operations) {
    const apply = appliers.get(step['op']);
    if (apply === undefined) throw new Error(`There is no operation ${String(step['op'])}`);
    apply(step, stepsOf(step['path']));
  }
  return root.whole;
};
