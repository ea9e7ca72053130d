/** The JSON types of a schema as a set, null and numbers with a fraction among them: of two sets one holds the other or not. */

import { isNumeric, isWhole } from '../../../base/exact-number';
import type { JsonType } from '../../../model/schema';

/** A kind of JSON values. The numbers are two kinds, so that `integer` is less than `number`. */
export type ValueType = 'null' | 'boolean' | 'string' | 'integer' | 'fraction' | 'object' | 'array';

export type ValueTypes = ReadonlySet<ValueType>;

export const everyType: ValueTypes = new Set<ValueType>([
  'null',
  'boolean',
  'string',
  'integer',
  'fraction',
  'object',
  'array',
]);

/** Gives the kinds of values of named types. */
export const statedTypes = (types: readonly JsonType[] | undefined): ValueTypes =>
  types === undefined
    ? everyType
    : new Set(
        types.flatMap((type) => (type === 'number' ? (['integer', 'fraction'] as const) : type)),
      );

/** The type of a value of the document. */
export const typeOfValue = (value: unknown): ValueType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumeric(value)) return isWhole(value) ? 'integer' : 'fraction';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
};

export const commonTypes = (one: ValueTypes, other: ValueTypes): ValueTypes =>
  new Set([...one].filter((type) => other.has(type)));

export const difference = (one: ValueTypes, other: ValueTypes): ValueTypes =>
  new Set([...one].filter((type) => !other.has(type)));

export const areEqual = (one: ValueTypes, other: ValueTypes): boolean =>
  one.size === other.size && difference(one, other).size === 0;

/** The names of the types in documents, for numbers without a fraction where there are no others. */
export const namesOf = (types: ValueTypes): readonly JsonType[] =>
  [...types]
    .filter((type) => type !== 'integer' || !types.has('fraction'))
    .map((type) => (type === 'fraction' ? 'number' : type));

/** The set in words, as documents write types. */
export const typesText = (types: ValueTypes): string =>
  types.size === everyType.size ? 'any' : namesOf(types).join(' or ') || 'none';
