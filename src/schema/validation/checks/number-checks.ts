/** `minimum`, `maximum` (with their exclusive forms) and `multipleOf`, exact for number and bigint alike. */

import { decimalOf, isMultipleOf } from '../../../base/decimal';
import type { ExactNumber, Schema } from '../../../model/schema';
import type { Check } from './type-check';

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
    return isMultipleOf(given, unit);
  };
};

/** Makes a check of numbers; JavaScript compares number with bigint by mathematical value, without rounding either. */
const ofNumbers = (message: string, holds: (value: ExactNumber) => boolean): Check => ({
  message,
  accepts: (value) => (typeof value !== 'number' && typeof value !== 'bigint') || holds(value),
});

const limitCheck = (
  limit: ExactNumber | undefined,
  words: string,
  holds: (value: ExactNumber, limit: ExactNumber) => boolean,
): Check | undefined =>
  limit === undefined
    ? undefined
    : ofNumbers(`must be ${words} ${limit}`, (value) => holds(value, limit));

const step = (divisor: ExactNumber | undefined): Check | undefined => {
  if (divisor === undefined) return undefined;
  const isMultiple = exactMultiple(divisor);
  return ofNumbers(
    `must be a multiple of ${divisor}`,
    (value) => (typeof value === 'bigint' || Number.isFinite(value)) && isMultiple(value),
  );
};

/** Makes the checks of a schema's numeric keywords. */
export const numberChecks = (schema: Schema): readonly (Check | undefined)[] => [
  limitCheck(schema.minimum, 'at least', (value, limit) => value >= limit),
  limitCheck(schema.exclusiveMinimum, 'greater than', (value, limit) => value > limit),
  limitCheck(schema.maximum, 'at most', (value, limit) => value <= limit),
  limitCheck(schema.exclusiveMaximum, 'less than', (value, limit) => value < limit),
  step(schema.multipleOf),
];
