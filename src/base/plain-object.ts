/** Objects as plain data: names such as `__proto__` and `constructor` are properties like any other. */

import { NumberText } from './decimal';

export type PlainObject = Record<string, unknown>;

/** Tells whether a value is an object as in JSON; bytes and numbers are not, though they may be an object to JavaScript. */
export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array) &&
  !(value instanceof NumberText);

/** Returns an own property that is text; undefined where there is none. */
export const ownText = (object: object, name: string): string | undefined => {
  const value: unknown = Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** Sets an own property, whatever its name; assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: PlainObject, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[name] = value;
  }
}

/**
 * Makes records that inherit nothing. V8 keeps an object without a prototype as a hash table, slow to make and to read; one
 * whose prototype is an empty object has a shape as any other.
 */
function BareRecord(): void {}
BareRecord.prototype = Object.freeze(Object.create(null));

const Bare = BareRecord as unknown as new () => Record<string, never>;

/** Makes a record without keys of its own or inherited ones. */
export const emptyRecord = <Value>(): Record<string, Value> => new Bare();

/** Freezes an object and all in it; what a getter gives is frozen by its maker. */
export const freezeAll = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const name of Object.keys(value)) {
    freezeAll(Object.getOwnPropertyDescriptor(value, name)?.value);
  }
  return value;
};

/** Copies a value as JSON has it, and all in it. */
export function copyOf<Value>(value: Value): Value;
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}
