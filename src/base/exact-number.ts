/**
 * Numbers of documents and messages. In messages they are numbers, and bigints for integers whose digits no number has. Documents keep all
 * their numbers exactly, and `format: decimal` every digit: others are a NumberText. What digits a number has, its shortest text says:
 * 0.1 has one, and 1e23 is the integer that JSON writes so.
 */

import {
  compareNumbers,
  type Decimal,
  DecimalText,
  decimalOf,
  integerOf,
  NumberText,
} from './decimal';
import { spend } from './fuel';
import { isPlainObject, type PlainObject, setOwn } from './plain-object';

export type ExactNumber = number | bigint | NumberText;

/** Numbers as JSON writes them (RFC 8259 section 6): no plus, no hexadecimal, no blanks, no leading zeros. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** Digits of a number, before or behind the point; BigInt takes ever longer for more. */
const MOST_DIGITS = 1000;

/** Zeros behind the point that are written out. */
const MOST_ZEROS = 20;

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

/** Reads a number that is not too long to work with, which takes some steps for each of its digits. */
const decimalWithin = (text: string): Decimal | undefined => {
  if (text.length > MOST_DIGITS) return undefined;
  const decimal = decimalOf(text);
  if (decimal === undefined || !Number.isSafeInteger(decimal.exponent)) return undefined;
  spend(Math.ceil((text.length + Math.min(Math.abs(decimal.exponent), MOST_DIGITS)) / 2));
  return decimal;
};

/** Returns the number with the same digits, or the bigint of an integer with so many; undefined where there is neither. */
const heldNumber = (decimal: Decimal, mostWhole = MOST_DIGITS): number | bigint | undefined => {
  const { digits, exponent } = decimal;
  const number = Number(`${digits}e${exponent}`);
  const read = decimalOf(String(number));
  if (read?.digits === digits && read.exponent === exponent) return number;
  const isHeld = exponent >= 0 && String(digits).length + exponent <= mostWhole;
  return isHeld ? integerOf(decimal) : undefined;
};

/** Reads a number of a document, in the spellings of JSON and YAML; undefined where the text is not a number, or too long for one. */
export const exactNumber = (text: string): ExactNumber | undefined => {
  // Digits of a bigint; those of 1e400 are for no reader.
  const mostWhole = 40;
  const number = Number(text);
  if (String(number) === text && Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  const decimal = decimalWithin(text);
  return decimal && (heldNumber(decimal, mostWhole) ?? new NumberText(decimalText(decimal)));
};

/**
 * Reads a number of a message, in the spellings of JSON and YAML: fractions as the nearest number. Undefined where the text is not a
 * number, or where the part before the point would change.
 */
export const messageNumber = (text: string): number | bigint | undefined => {
  const number = Number(text);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  const decimal = decimalWithin(text);
  return decimal && heldNumber(decimal);
};

/** Reads a number as JSON writes it with every digit; undefined where the text is none, or has too many. */
export const readDecimal = (text: string): DecimalText | undefined => {
  const decimal = NUMBER.test(text) ? decimalWithin(text) : undefined;
  if (decimal === undefined) return undefined;
  const { digits, exponent } = decimal;
  const isLong = String(digits).length + exponent > MOST_DIGITS || exponent <= -MOST_DIGITS;
  return isLong ? undefined : new DecimalText(text);
};

/** Reads a number of a message as messageNumber does; its text is kept where a number would be written in another way. */
export const spelledNumber = (text: string): ExactNumber | undefined => {
  const number = messageNumber(text);
  if (String(number) === text) return number;
  return readDecimal(text) === undefined ? number : new NumberText(text);
};

/** Reads a number, or an integer, as JSON writes it; undefined where the text is none. What no number holds is for the type to refuse. */
export const readNumber = (text: string, type: 'number' | 'integer'): ExactNumber | undefined =>
  (type === 'integer' ? INTEGER : NUMBER).test(text)
    ? (messageNumber(text) ?? readDecimal(text))
    : undefined;

/** Tells whether a value is a number, of any of the types that numbers have here. */
export const isNumeric = (value: unknown): value is ExactNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof NumberText;

/** Returns the value as a calculation needs it; undefined where a number is not finite. */
export const exactValue = (value: ExactNumber): Decimal | undefined => decimalOf(String(value));

/** Tells whether a value is a number without a fraction. */
export const isWhole = (value: unknown): value is ExactNumber =>
  typeof value === 'bigint' ||
  Number.isInteger(value) ||
  (value instanceof NumberText && (exactValue(value)?.exponent ?? -1) >= 0);

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
export const numberKey = (value: ExactNumber): string =>
  String(typeof value === 'number' ? value + 0 : (exactNumber(String(value)) ?? value));

/** Gives a number the form that it has in the place of a `number` or an `integer`, where its digits allow it. */
export const inNumberPlace = <Value>(value: Value): Value | number | bigint =>
  value instanceof NumberText ? (messageNumber(String(value)) ?? value) : value;

/** Returns a number without a fraction as bigint; other values as they are. */
export const exactInteger = (value: unknown): unknown => {
  const held = inNumberPlace(value);
  if (typeof held !== 'number' || !Number.isInteger(held)) return held;
  if (Number.isSafeInteger(held)) return BigInt(held);
  const exact = exactValue(held);
  return exact && integerOf(exact);
};

/** Gives a number the form that it has in the place of a decimal. */
export const inDecimalPlace = (value: unknown): unknown =>
  isNumeric(value) ? (readDecimal(String(value)) ?? value) : value;

/** Puts what handlers get in place of the texts of numbers in a validated value: a string for each decimal, else the nearest number. */
export const handOver = (value: unknown): unknown => {
  if (value instanceof DecimalText) return String(value);
  if (value instanceof NumberText) return messageNumber(String(value)) ?? Number(value);
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  for (const [name, one] of Object.entries(value)) {
    const handed = handOver(one);
    if (handed !== one) setOwn(value as PlainObject, name, handed);
  }
  return value;
};
