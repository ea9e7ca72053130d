/**
 * Numbers of a document, each at its exact value: integers beyond 2^53 as bigint; of numbers that no double holds
 * (`1e400`, thirty digits) the text is remembered, so that the document is served as it was written.
 */

import { readInteger } from '../../schema/scalars';

/** JSON's numbers (RFC 8259 section 6), and the spellings that YAML's core schema adds to them: `+1`, `.5`, `1.`, `01`. */
const DECIMAL = /^([-+]?)0*(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/;

/** No int64 has more digits; an exponent beyond could make a bigint of a million. */
const MOST_DIGITS = 40;

/** Digits without zeros at their ends, and the power of ten of the last. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const decimalOf = (text: string): Decimal | undefined => {
  const [all, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (all === undefined || !/\d/.test(all)) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return {
    negative: sign === '-' && significant !== '',
    digits: significant,
    exponent:
      significant === ''
        ? 0
        : Number(exponent) - fraction.length + digits.length - significant.length,
  };
};

const isSame = (one: Decimal, other: Decimal | undefined): boolean =>
  one.negative === other?.negative &&
  one.digits === other.digits &&
  one.exponent === other.exponent;

const integerOf = ({ negative, digits, exponent }: Decimal): number | bigint | undefined => {
  if (exponent < 0 || digits.length + exponent > MOST_DIGITS) return undefined;
  return readInteger(`${negative ? '-' : ''}${digits}${'0'.repeat(exponent)}`);
};

const jsonText = ({ negative, digits, exponent }: Decimal): string =>
  `${negative ? '-' : ''}${digits}${exponent === 0 ? '' : `e${exponent}`}`;

/** A number, and its text where the number is not quite what was written. */
interface ExactNumber {
  readonly value: number | bigint;
  /** As JSON; undefined where `value` is exact. */
  readonly text: string | undefined;
}

/** Reads a decimal number; undefined where the text is none. */
export const exactNumber = (source: string): ExactNumber | undefined => {
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

/** Remembers what stands in an object or list under a key (its index) in place of the number that is there. */
export const rememberNumberText = (holder: object, key: string, text: string): void => {
  const known = texts.get(holder) ?? new Map<string, string>();
  texts.set(holder, known.set(key, text));
};

/** The remembered text; undefined where the number is exact. */
export const numberText = (holder: object, key: string): string | undefined =>
  texts.get(holder)?.get(key);
