/** Values of a document as texts: for people, and as keys by which equal ones are told. */

import { decimalOf, definitionJson, isPlainObject, numberText } from '../../../engine';

/** Longer texts are cut. */
const LONGEST = 200;

/** A value as JSON, cut where it is long. */
export const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : definitionJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** What stands in an object or list under a key, as JSON with all its digits. */
export const textIn = (holder: object, key: string): string =>
  numberText(holder, key) ?? textOf(Reflect.get(holder, key));

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
