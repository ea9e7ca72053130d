/**
 * Numbers at their exact value (JSON Schema 2020-12 Core, section 4.2.1): a number where its text has the same value, a bigint for
 * integers beyond 2^53, and for all others (`0.1234567890123456789`, `1e400`) a symbol that holds the digits, from where they are
 * read until they are validated. A symbol is neither an object nor a text, so that nothing takes it for one; handlers never see it.
 */

import { compareNumbers, type Decimal, decimalOf, integerOf } from './decimal';
import { spend } from './fuel';
import { isPlainObject, setOwn } from './plain-object';

export type ExactNumber = number | bigint | symbol;

/** Integers as JSON writes them (RFC 8259 section 6): no plus, no hexadecimal, no blanks, no leading zeros. */
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** Numbers as JSON writes them. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The exponent of a number with more. */
const OUT_OF_RANGE = /e-?[0-9]{4}/;

/** Zeros behind the point that are written out. */
const MOST_ZEROS = 20;

/** Ends the digits of a number in whose place a double is wanted. */
const DOUBLE = 'd';

const decimalText = ({ digits, exponent }: Decimal): string => {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits).replace('-', '');
  const magnitude = text.length + exponent;
  if (exponent === 0) return sign + text;
  if (exponent > 0 || magnitude < -MOST_ZEROS) {
    const fraction = text.length > 1 ? `.${text.slice(1)}` : '';
    return `${sign}${text.slice(0, 1)}${fraction}e${magnitude - 1}`;
  }
  const padded = `${'0'.repeat(Math.max(0, 1 - magnitude))}${text}`;
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
};

/** To work with it takes some steps for each of its digits. */
const longNumber = (text: string, { exponent }: Decimal): symbol => {
  if (!OUT_OF_RANGE.test(text)) spend(Math.ceil((text.length + Math.abs(exponent)) / 2));
  return Symbol(text);
};

const numberOf = (decimal: Decimal): ExactNumber => {
  // Digits of a bigint; no int64 has as many, and those of 1e400 are for no reader.
  const mostWhole = 40;
  const { digits, exponent } = decimal;
  const text = decimalText(decimal);
  if (exponent < 0) {
    const number = Number(text);
    // The shortest text that reads back as the same number stands for it.
    const read = decimalOf(String(number));
    return read?.digits === digits && read.exponent === exponent
      ? number
      : longNumber(text, decimal);
  }
  if (String(digits).length + exponent > mostWhole) return longNumber(text, decimal);
  const integer = digits * 10n ** BigInt(exponent);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
};

/** Reads a number of a document, in the spellings of JSON and YAML; undefined where the text is not a number, or too long for one. */
export const exactNumber = (text: string): ExactNumber | undefined => {
  // BigInt takes ever longer for more digits.
  const mostDigits = 1000;
  // To work out the value of a million digits takes a quarter of a second.
  if (text.length > mostDigits) return undefined;
  const number = Number(text);
  if (String(number) === text && Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  const decimal = decimalOf(text);
  return decimal && Number.isSafeInteger(decimal.exponent) ? numberOf(decimal) : undefined;
};

/** Returns what a calculation gave as a number. */
export const numberFrom = ({ digits, exponent }: Decimal): ExactNumber =>
  exactNumber(`${digits}e${exponent}`) ?? Number.NaN;

/** Tells whether a number has more than 1000 digits before or behind the point: messages have none of that size. */
export const isOutOfRange = (value: unknown): boolean =>
  typeof value === 'symbol' && OUT_OF_RANGE.test(numberText(value));

/** Reads a number of a message as JSON writes it; undefined where the text is none, or out of range. */
export const readNumber = (text: string): ExactNumber | undefined => {
  if (!NUMBER.test(text)) return undefined;
  const number = exactNumber(text);
  return isOutOfRange(number) ? undefined : number;
};

/** Reads an integer as JSON writes it, without an exponent; undefined where the text is none, or out of range. */
export const readInteger = (text: string): ExactNumber | undefined =>
  INTEGER.test(text) ? readNumber(text) : undefined;

/** Tells whether a value is a number, of any of the types that numbers have here. */
export const isNumeric = (value: unknown): value is ExactNumber =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'symbol';

/** Writes a number as JSON does, with all its digits. */
export const numberText = (value: ExactNumber): string =>
  typeof value === 'symbol' ? (value.description ?? '').replace(DOUBLE, '') : String(value);

/** Returns the nearest double. */
export const doubleOf = (value: ExactNumber): number =>
  typeof value === 'symbol' ? Number(numberText(value)) : Number(value);

/** Returns the value as a calculation needs it; undefined where a number is not finite. */
export const exactValue = (value: ExactNumber): Decimal | undefined => decimalOf(numberText(value));

/** Tells whether a value is a number without a fraction. */
export const isWhole = (value: unknown): value is ExactNumber =>
  typeof value === 'bigint' ||
  Number.isInteger(value) ||
  (typeof value === 'symbol' && (exactValue(value)?.exponent ?? -1) >= 0);

/** Returns a number without a fraction as bigint; undefined where it has one, or is out of range. */
export const wholeOf = (value: ExactNumber): bigint | undefined => {
  const exact = isOutOfRange(value) ? undefined : exactValue(value);
  return exact && exact.exponent >= 0 ? integerOf(exact) : undefined;
};

/** Tells whether JavaScript, which compares bigint and number at their mathematical values, does so at those of their texts. */
const isPlain = (value: ExactNumber): value is number | bigint =>
  typeof value === 'bigint' ||
  (typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value)));

/** Below 0 where the first is less, above 0 where it is greater, 0 where both are equal; NaN where one is not finite. */
export const compareExactly = (one: ExactNumber, other: ExactNumber): number => {
  if (isPlain(one) && isPlain(other)) return Number(one > other) - Number(one < other);
  const [exact, limit] = [exactValue(one), exactValue(other)];
  return exact && limit ? compareNumbers(exact, limit) : Number.NaN;
};

/** Gives the same text for equal numbers. */
export const numberKey = (value: ExactNumber): string => {
  const isShort = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return numberText(isShort ? value + 0 : (exactNumber(numberText(value)) ?? value));
};

/** Returns a number without a fraction as bigint; other values as they are. */
export const exactInteger = (value: unknown): unknown => {
  if (typeof value !== 'number') return value;
  return Number.isSafeInteger(value) ? BigInt(value) : (wholeOf(value) ?? value);
};

/**
 * Gives a number the form that it has in the place of a `number`: a number where its text has the same value.
 * @param isDouble where the schema asks for a double: it is validated as it was written, and then rounded
 */
export const inNumberPlace = (value: unknown, isDouble: boolean): unknown => {
  if (typeof value !== 'bigint' && typeof value !== 'symbol') return value;
  const number = doubleOf(value);
  if (numberKey(number) === numberText(value)) return number;
  return isDouble ? Symbol(`${numberText(value)}${DOUBLE}`) : value;
};

const handedNumber = (value: symbol): number | bigint | string => {
  if (value.description?.endsWith(DOUBLE)) return doubleOf(value);
  return wholeOf(value) ?? numberText(value);
};

/**
 * Puts what handlers get in place of the symbols of a validated value: a bigint for integers, a text of the digits for others, and the
 * nearest double where the schema asks for one.
 */
export const handOver = (value: unknown): unknown => {
  if (typeof value === 'symbol') return handedNumber(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = handOver(value[at]);
  } else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) {
      const handed = handOver(value[name]);
      if (handed !== value[name]) setOwn(value, name, handed);
    }
  }
  return value;
};
