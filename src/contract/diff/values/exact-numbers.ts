/** Compares the numbers of a document at their exact values, however large or long they are. */

import { type Decimal, decimalOf } from '../../../base/decimal';

const signOf = ({ digits }: Decimal): number => {
  if (digits === 0n) return 0;
  return digits > 0n ? 1 : -1;
};

/** Counts the digits before the decimal point. */
const magnitudeOf = ({ digits, exponent }: Decimal): number =>
  String(digits).replace('-', '').length + exponent;

const scaled = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);

/** Below 0 where the first is less, above 0 where it is greater, 0 where both are equal. */
export const compareNumbers = (one: Decimal, other: Decimal): number => {
  const sign = signOf(one);
  if (sign !== signOf(other) || sign === 0) return sign - signOf(other);
  // Numbers of the same magnitude differ in their exponents by no more than they have digits.
  const order = magnitudeOf(one) - magnitudeOf(other);
  if (order !== 0) return order * sign;
  const exponent = Math.min(one.exponent, other.exponent);
  return Number(scaled(one, exponent) - scaled(other, exponent));
};

/** Exponents that are further apart would make numbers with too many digits to compute. */
const FURTHEST = 5000;

/** Tells whether a number is a multiple of another one, which is not 0; false where they are too far apart to tell. */
export const isMultipleOf = (number: Decimal, unit: Decimal): boolean => {
  if (number.digits === 0n) return true;
  if (unit.digits === 0n || Math.abs(number.exponent - unit.exponent) > FURTHEST) return false;
  const exponent = Math.min(number.exponent, unit.exponent);
  return scaled(number, exponent) % scaled(unit, exponent) === 0n;
};

/** More digits are left as they are. */
const MOST_DIGITS = 1000;

/**
 * The least integer that is not below the number (`up`), or the greatest that is not above it; of an exclusive limit the next
 * one. Undefined where that has too many digits to be worked out.
 */
export const integerLimit = (
  limit: Decimal,
  isExclusive: boolean,
  towards: 'up' | 'down',
): Decimal | undefined => {
  if (Math.abs(limit.exponent) > MOST_DIGITS) return undefined;
  const step = towards === 'up' ? 1n : -1n;
  if (limit.exponent >= 0) {
    const whole = scaled(limit, 0);
    return decimalOf(String(isExclusive ? whole + step : whole));
  }
  const unit = 10n ** BigInt(-limit.exponent);
  const truncated = limit.digits / unit;
  // Division truncates towards zero, which already is the way up for negative numbers.
  const isThere = towards === 'up' ? limit.digits < 0n : limit.digits > 0n;
  return decimalOf(String(isThere ? truncated : truncated + step));
};
