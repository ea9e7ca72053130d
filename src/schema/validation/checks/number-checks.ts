/** `minimum`, `maximum` (with their exclusive forms) and `multipleOf`, exact for numbers of every type. */

import { isMultipleOf } from '../../../base/decimal';
import {
  compareExactly,
  type ExactNumber,
  exactValue,
  isNumeric,
  numberText,
} from '../../../base/exact-number';
import type { Schema } from '../../../model/schema';
import type { Check } from './type-check';

/**
 * Makes a predicate that accepts finite numbers that are exact multiples of the divisor.
 * @param divisor greater than 0
 */
export const exactMultiple = (divisor: ExactNumber): ((value: ExactNumber) => boolean) => {
  const unit = exactValue(divisor);
  const small = Number.isSafeInteger(divisor) ? Number(divisor) : undefined;
  return (value) => {
    if (small !== undefined && typeof value === 'number' && Number.isSafeInteger(value)) {
      return value % small === 0;
    }
    const given = exactValue(value);
    return unit !== undefined && given !== undefined && isMultipleOf(given, unit);
  };
};

const ofNumbers = (message: string, holds: (value: ExactNumber) => boolean): Check => ({
  message,
  accepts: (value) => !isNumeric(value) || holds(value),
});

const limitCheck = (
  limit: ExactNumber | undefined,
  words: string,
  holds: (order: number) => boolean,
): Check | undefined =>
  limit === undefined
    ? undefined
    : ofNumbers(`must be ${words} ${numberText(limit)}`, (value) =>
        holds(compareExactly(value, limit)),
      );

const step = (divisor: ExactNumber | undefined): Check | undefined =>
  divisor === undefined
    ? undefined
    : ofNumbers(`must be a multiple of ${numberText(divisor)}`, exactMultiple(divisor));

/** Makes the checks of a schema's numeric keywords. */
export const numberChecks = (schema: Schema): readonly (Check | undefined)[] => [
  limitCheck(schema.minimum, 'at least', (order) => order >= 0),
  limitCheck(schema.exclusiveMinimum, 'greater than', (order) => order > 0),
  limitCheck(schema.maximum, 'at most', (order) => order <= 0),
  limitCheck(schema.exclusiveMaximum, 'less than', (order) => order < 0),
  step(schema.multipleOf),
];
