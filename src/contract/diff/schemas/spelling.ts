/** Values of a document as its author spells them: for readers, as exact numbers, and as keys that are equal for equal values. */

import { isNumeric, numberKey } from '../../../base/exact-number';
import { isPlainObject } from '../../../base/plain-object';
import type { LoadedDocument } from '../../../document/document';
import type { Spot } from '../rules/finding';

/** Longer texts are cut. */
const LONGEST = 200;

/** Gives a value as a place; its text is cut where it is long. Values may be large, and are written when they are read. */
export const valueSpot = (document: LoadedDocument, pointer: string): Spot => ({
  pointer,
  get json() {
    return document.spelledAt(pointer)?.text;
  },
  get text() {
    const json = document.spelledAt(pointer)?.text;
    return json !== undefined && json.length > LONGEST ? `${json.slice(0, LONGEST)}…` : json;
  },
});

/** Gives the same key for equal values: `1` and `1.0` are. */
export const spelledKey = (value: unknown): string => {
  if (isNumeric(value)) return numberKey(value);
  if (Array.isArray(value)) return `[${value.map(spelledKey).join(',')}]`;
  if (!isPlainObject(value)) return typeof value === 'string' ? JSON.stringify(value) : `${value}`;
  const members = Object.keys(value).sort();
  const memberKey = (name: string) => `${JSON.stringify(name)}:${spelledKey(value[name])}`;
  return `{${members.map(memberKey).join(',')}}`;
};
