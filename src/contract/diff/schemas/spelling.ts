/** Values of a document as its author spells them: for readers, as exact numbers, and as keys that are equal for equal values. */

import { type Decimal, decimalOf } from '../../../base/decimal';
import { isPlainObject } from '../../../base/plain-object';
import type { LoadedDocument } from '../../../document/document';
import { numberText } from '../../../document/source/exact-numbers';
import type { Schema } from '../../../model/schema';
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

/** Reads a number at its exact value; undefined where it is missing. */
export const exactNumber = (
  document: LoadedDocument,
  schema: Schema,
  keyword: keyof Schema,
): Decimal | undefined => {
  const value = schema[keyword];
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return decimalOf(document.spelledAt(document.fieldOf(schema, keyword))?.text ?? String(value));
};

/** Gives the same key for equal values at two places: `1` and `1.0` are. */
export const keyAt = (value: unknown, spot: Spot): string => {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value);
  return valueKey(value, isExact ? undefined : spot.json);
};

/**
 * Gives the same key for equal values.
 * @param spelled the text of a number that no double may hold
 */
export const valueKey = (value: unknown, spelled?: string): string => {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const decimal = decimalOf(spelled ?? String(value));
    return decimal === undefined ? String(value) : `${decimal.digits}e${decimal.exponent}`;
  }
  if (Array.isArray(value)) {
    return `[${value.map((item, at) => valueKey(item, numberText(value, String(at)))).join(',')}]`;
  }
  if (!isPlainObject(value)) return typeof value === 'string' ? JSON.stringify(value) : `${value}`;
  const members = Object.keys(value).sort();
  const memberKey = (name: string) =>
    `${JSON.stringify(name)}:${valueKey(value[name], numberText(value, name))}`;
  return `{${members.map(memberKey).join(',')}}`;
};
