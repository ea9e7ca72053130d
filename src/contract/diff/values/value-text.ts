/** Values of a document as texts: for readers, and as keys that are equal for equal values. */

import { decimalOf } from '../../../base/decimal';
import { isPlainObject } from '../../../base/plain-object';
import { definitionJson } from '../../../document/bundle/write-definition';
import { numberText } from '../../../document/source/exact-numbers';

/** Longer texts are cut. */
const LONGEST = 200;

/** Writes the value of a key as JSON text with all its digits. */
const jsonIn = (holder: object, key: string): string =>
  numberText(holder, key) ?? definitionJson(Reflect.get(holder, key));

/** Gives the value of a key as a place; its text is cut where it is long. Values may be large, and are written when they are read. */
export const valueSpot = (holder: object, key: string, pointer: string) => ({
  pointer,
  get json() {
    return jsonIn(holder, key);
  },
  get text() {
    const json = jsonIn(holder, key);
    return json.length > LONGEST ? `${json.slice(0, LONGEST)}…` : json;
  },
});

const byName = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Two values that stand in objects or lists have the same key where they are equal: `1` and `1.0` are. */
export const keyIn = (holder: object, key: string): string => {
  const value: unknown = Reflect.get(holder, key);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const decimal = decimalOf(numberText(holder, key) ?? String(value));
    return decimal === undefined ? String(value) : `${decimal.digits}e${decimal.exponent}`;
  }
  if (Array.isArray(value)) return `[${value.map((_, at) => keyIn(value, String(at))).join(',')}]`;
  if (!isPlainObject(value)) return textKey(value);
  const members = Object.keys(value).sort(byName);
  return `{${members.map((name) => `${JSON.stringify(name)}:${keyIn(value, name)}`).join(',')}}`;
};

const textKey = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value);
