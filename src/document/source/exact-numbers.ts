/**
 * Numbers of a document, each at its exact value: integers beyond 2^53 as bigint; of numbers that no double holds
 * (`1e400`, thirty digits) the text is remembered, so that the document is served as it was written.
 */

import { type Decimal, decimalOf } from '../../base/decimal';
import { readInteger } from '../../base/integer-text';

/** No int64 has more digits; an exponent beyond could make a bigint of a million. */
const MOST_DIGITS = 40;

/** To work out the value of a million digits takes a quarter of a second. */
const LONGEST = 1000;

const isSame = (one: Decimal, other: Decimal | undefined): boolean =>
  one.digits === other?.digits && one.exponent === other.exponent;

const integerOf = ({ digits, exponent }: Decimal): number | bigint | undefined => {
  if (exponent < 0 || String(digits).replace('-', '').length + exponent > MOST_DIGITS)
    return undefined;
  return readInteger(`${digits}${'0'.repeat(exponent)}`);
};

const jsonText = ({ digits, exponent }: Decimal): string =>
  `${digits}${exponent === 0 ? '' : `e${exponent}`}`;

/** A number, and its text where the number differs from it. */
interface ExactNumber {
  readonly value: number | bigint;
  /** As JSON; undefined where `value` is exact. */
  readonly text: string | undefined;
}

/** Reads a decimal number; undefined where the text is not a number, or too long for one. */
export const exactNumber = (source: string): ExactNumber | undefined => {
  if (source.length > LONGEST) return undefined;
  const decimal = decimalOf(source);
  if (decimal === undefined) return undefined;
  const integer = integerOf(decimal);
  if (integer !== undefined) return { value: integer, text: undefined };
  const value = Number(source);
  // The shortest text that reads back as the same number stands for it.
  const isExact = isSame(decimal, decimalOf(String(value)));
  return { value, text: isExact ? undefined : jsonText(decimal) };
};

const texts = new WeakMap<object, Map<string, string>>();

/** Remembers the text of a number in an object or list under a key (its index). */
export const rememberNumberText = (holder: object, key: string, text: string): void => {
  const known = texts.get(holder) ?? new Map<string, string>();
  texts.set(holder, known.set(key, text));
};

/** Returns the remembered text; undefined where the number is exact. */
export const numberText = (holder: object, key: string): string | undefined =>
  texts.get(holder)?.get(key);
