/** Outcomes of reading a message: a value, or a declared refusal. */

import { usualLength } from '../../../scripts/fuzz/target';
import { addFuel, drawFrom, FuelExhausted, requestFuel } from '../../../src/base/fuel';
import { MalformedText } from '../../../src/base/malformed-text';
import { HttpError } from '../../../src/http/http-error';

/**
 * Reads as the server does, within the steps of a request; undefined where the message is refused. A short one must not need
 * them all: none of the schemas asks for that.
 */
export const readWithin = <Value>(
  bytes: number,
  read: () => Value,
): { value: Value } | undefined => {
  const fuel = requestFuel();
  addFuel(fuel, bytes);
  try {
    return { value: drawFrom(fuel, read) };
  } catch (error) {
    if (error instanceof MalformedText) return undefined;
    if (error instanceof FuelExhausted && bytes > usualLength) return undefined;
    throw error;
  }
};

/** Passes over a refusal with a status of the caller's own fault. */
export const expectRefusal = (error: unknown): void => {
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
};

/** A value as JSON, with bigints as texts; numbers as `showNumber` says. */
export const shown = (
  value: unknown,
  showNumber: (number: number) => unknown = (number) => number,
): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    return typeof inner === 'number' ? showNumber(inner) : inner;
  }) ?? 'null';
