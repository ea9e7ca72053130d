/** Says what is wrong with a field that the specification does not know at its place. */

import type { ObjectName } from './field-type';
import { objectTypes } from './object-types';

/** How many single-character changes make one word of the other (Levenshtein). */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [left, otherLetter] of [...other].entries()) {
      const replaced = (row[left] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

const isKnown = (name: ObjectName, key: string): boolean =>
  Object.hasOwn(objectTypes[name].fields, key) ||
  key.startsWith('x-') ||
  objectTypes[name].members !== undefined ||
  (objectTypes[name].referable && key === '$ref');

const nearest = (name: ObjectName, key: string): string | undefined =>
  key.length > 64
    ? undefined
    : Object.keys(objectTypes[name].fields).find(
        (known) => distance(key.toLowerCase(), known.toLowerCase()) <= (key.length > 4 ? 2 : 1),
      );

/** What to do about it. */
const advice = (name: ObjectName, key: string): string => {
  const meant = nearest(name, key);
  if (meant !== undefined) return `Write \`${meant}\`, if that is meant.`;
  const isOfSchema = Object.hasOwn(objectTypes.Schema.fields, key);
  return isOfSchema && (name === 'Parameter' || name === 'Header')
    ? 'Move it into `schema`.'
    : 'Remove it, or begin its name with `x-`.';
};

/** A sentence about a key of an object; undefined where it is a field or an extension. */
export const unknownField = (name: ObjectName, key: string): string | undefined =>
  isKnown(name, key)
    ? undefined
    : `OpenAPI 3.0 knows no field \`${key}\` of this ${objectTypes[name].title}, and it is ignored. ${advice(name, key)}`;
