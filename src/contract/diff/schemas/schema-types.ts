/** The JSON types of a schema as a set, null and numbers with a fraction among them: of two sets one holds the other or not. */

import type { PlainObject } from '../../../base/plain-object';

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

const named: Readonly<Record<string, readonly ValueType[]>> = {
  boolean: ['boolean'],
  string: ['string'],
  integer: ['integer'],
  number: ['integer', 'fraction'],
  object: ['object'],
  array: ['array'],
};

/** Gives the types that `type` and `nullable` allow; `nullable` says nothing without a type (OAS 3.0.3, Schema Object). */
export const declaredTypes = ({ type, nullable }: PlainObject): ValueTypes => {
  if (typeof type !== 'string' || !Object.hasOwn(named, type)) return everyType;
  return new Set<ValueType>([
    ...(named[type] ?? []),
    ...(nullable === true ? ['null' as const] : []),
  ]);
};

/** The type of a value of the document. */
export const typeOfValue = (value: unknown): ValueType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  if (typeof value === 'number') return 'fraction';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
};

export const intersection = (one: ValueTypes, other: ValueTypes): ValueTypes =>
  new Set([...one].filter((type) => other.has(type)));

export const difference = (one: ValueTypes, other: ValueTypes): ValueTypes =>
  new Set([...one].filter((type) => !other.has(type)));

export const areEqual = (one: ValueTypes, other: ValueTypes): boolean =>
  one.size === other.size && difference(one, other).size === 0;

/** The set in words, as documents write types. */
export const typesText = (types: ValueTypes): string => {
  if (types.size === everyType.size) return 'any';
  const names = [...types].filter((type) => type !== 'fraction' || !types.has('integer'));
  const words = names.map((type) =>
    types.has('fraction') && type === 'integer' ? 'number' : type,
  );
  return words.length === 0 ? 'none' : words.join(' or ');
};
