/** `enum` and `uniqueItems`, which compare whole values by keys. */

import { inNumberPlace, isNumeric, numberKey } from '../../../base/exact-number';
import { spend } from '../../../base/fuel';
import type { Schema } from '../../../model/schema';
import type { Check } from './type-check';

const compositeKey = (value: object): string => {
  if (value instanceof Uint8Array) return `<${Buffer.from(value).toString('base64')}>`;
  if (Array.isArray(value)) return `[${value.map(valueKey).join(',')}]`;
  return `{${Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${valueKey(member)}`)
    .join(',')}}`;
};

/** Each value is made a text, members in order. */
const STEPS_A_VALUE = 12;
/** Characters or bytes that become a part of the key in a step. */
const CHARACTERS = 16;

/** Returns the key of a typed value. Takes time, and steps, in proportion to its size. */
export const valueKey = (value: unknown): string => {
  const isLong = typeof value === 'string' || value instanceof Uint8Array;
  spend(STEPS_A_VALUE + (isLong ? Math.floor(value.length / CHARACTERS) : 0));
  if (typeof value === 'string') return JSON.stringify(value);
  // Numbers are equal by mathematical value, so 1, 1.0 and 1n share a key (JSON Schema, instance equality).
  if (isNumeric(value)) return numberKey(value);
  return typeof value === 'object' && value !== null ? compositeKey(value) : String(value);
};

/** The number of members of an enum that a message names. */
const NAMED = 30;

/** Makes the check of `enum`. */
export const allowedValues = ({ enum: values, format }: Schema): Check | undefined => {
  if (values === undefined) return undefined;
  // In the place of a number the nearest one is meant.
  const nearest = format === 'decimal' ? [] : values.map(inNumberPlace);
  const keys = new Set([...values, ...nearest].map(valueKey));
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const isComposite = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !isNumeric(value);
  const isSimple = !values.some(isComposite);
  const isListed = (value: unknown): boolean =>
    isSimple && isComposite(value) ? false : keys.has(valueKey(value));
  const names = values.slice(0, NAMED).map(valueKey).join(', ');
  const more = values.length > NAMED ? ', ...' : '';
  return {
    message: values.length === 1 ? `must be ${names}` : `must be one of ${names}${more}`,
    discriminates: values.length === 1 ? 'tag' : undefined,
    accepts: (value) => (typeof value === 'string' ? texts.has(value) : isListed(value)),
  };
};

/** The check of `uniqueItems`. */
export const distinctItems: Check = {
  message: 'must not contain the same item twice',
  accepts(value) {
    if (!Array.isArray(value)) return true;
    // A set of keys keeps this linear; comparing each pair would let a long list stop the server.
    const seen = new Set<string>();
    return value.every((item) => seen.size < seen.add(valueKey(item)).size);
  },
};
