/** `minimum`, `maximum` (with their boolean exclusive forms, OAS 3.0.3) and `multipleOf`, exact for number and bigint alike. */

import { InvalidSchema, readFlag, readNumber, type SchemaFields } from '../../schema-fields';
import type { Check } from './check';
import { exactMultiple } from './exact-multiple';

type Numeric = number | bigint;

/** JavaScript compares number with bigint by mathematical value, without rounding either. */
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
  if (!(divisor > 0)) throw new InvalidSchema('The keyword "multipleOf" must be greater than 0.');
  const isMultiple = exactMultiple(divisor);
  return ofNumbers(
    `must be a multiple of ${divisor}`,
    (value) => (typeof value === 'bigint' || Number.isFinite(value)) && isMultiple(value),
  );
};

/** The checks of a schema's numeric keywords. */
export const numberChecks = (schema: SchemaFields): readonly (Check | undefined)[] => [
  lowerLimit(schema),
  upperLimit(schema),
  step(schema),
];
