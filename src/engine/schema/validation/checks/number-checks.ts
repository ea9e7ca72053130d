/** `minimum`, `maximum` (with their boolean exclusive forms, OAS 3.0.3) and `multipleOf`, exact for number and bigint alike. */

import { type Decimal, decimalOf } from '../../../../base/decimal';
import { InvalidSchema, readFlag, readNumber, type SchemaFields } from '../../schema-parts';
import type { Check } from './type-check';

const scaled = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);

/**
 * Makes a predicate that accepts finite numbers and bigints that are exact multiples of the divisor.
 * @param divisor greater than 0
 */
export const exactMultiple = (divisor: number | bigint): ((value: number | bigint) => boolean) => {
  // The caller wrote the shortest text that reads back as the same number: 0.07, not 0.070000000000000006...
  const unit = decimalOf(String(divisor));
  const small = Number.isSafeInteger(divisor) ? Number(divisor) : undefined;
  return (value) => {
    if (small !== undefined && typeof value === 'number' && Number.isSafeInteger(value)) {
      return value % small === 0;
    }
    const given = decimalOf(String(value));
    // A divisor that no double holds (1e400) has no multiple among doubles but 0.
    if (unit === undefined || given === undefined) return given?.digits === 0n;
    const exponent = Math.min(given.exponent, unit.exponent);
    return scaled(given, exponent) % scaled(unit, exponent) === 0n;
  };
};

type Numeric = number | bigint;

/** Makes a check of numbers; JavaScript compares number with bigint by mathematical value, without rounding either. */
const ofNumbers = (message: string, holds: (value: Numeric) => boolean): Check => ({
  message,
  accepts: (value) => (typeof value !== 'number' && typeof value !== 'bigint') || holds(value),
});

const lowerLimit = (schema: SchemaFields): Check | undefined => {
  const limit = readNumber(schema, 'minimum');
  const isExclusive = readFlag(schema, 'exclusiveMinimum');
  if (limit === undefined) return undefined;
  return isExclusive
    ? ofNumbers(`must be greater than ${limit}`, (value) => value > limit)
    : ofNumbers(`must be at least ${limit}`, (value) => value >= limit);
};

const upperLimit = (schema: SchemaFields): Check | undefined => {
  const limit = readNumber(schema, 'maximum');
  const isExclusive = readFlag(schema, 'exclusiveMaximum');
  if (limit === undefined) return undefined;
  return isExclusive
    ? ofNumbers(`must be less than ${limit}`, (value) => value < limit)
    : ofNumbers(`must be at most ${limit}`, (value) => value <= limit);
};

const step = (schema: SchemaFields): Check | undefined => {
  const divisor = readNumber(schema, 'multipleOf');
  if (divisor === undefined) return undefined;
  if (!(divisor > 0)) {
    throw new InvalidSchema('The keyword "multipleOf" must be greater than 0.', {
      keyword: 'multipleOf',
    });
  }
  const isMultiple = exactMultiple(divisor);
  return ofNumbers(
    `must be a multiple of ${divisor}`,
    (value) => (typeof value === 'bigint' || Number.isFinite(value)) && isMultiple(value),
  );
};

/** Makes the checks of a schema's numeric keywords. */
export const numberChecks = (schema: SchemaFields): readonly (Check | undefined)[] => [
  lowerLimit(schema),
  upperLimit(schema),
  step(schema),
];
