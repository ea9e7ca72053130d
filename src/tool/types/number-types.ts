/** The types of numbers: what handlers get depends on whether a double holds every value of the schema. */

import { compareNumbers, type Decimal } from '../../base/decimal';
import {
  type ExactNumber,
  exactInteger,
  exactValue,
  handOver,
  inNumberPlace,
} from '../../base/exact-number';
import type { JsonType, Schema } from '../../model/schema';
import { integerRangeOf, safeIntegers } from '../../schema/validation/checks/integer-ranges';

/** The numbers of a schema. */
interface Numbers {
  readonly format: string | undefined;
  /** The schemas that limit them, all of which hold. */
  readonly parts: readonly Schema[];
}

const isDouble = (format: string | undefined): boolean => format === 'double' || format === 'float';

/** Every number of so many digits is exact as a double, but for the smallest. */
const DIGITS = 15;
const SMALLEST = -300;

const mostSafe: Decimal = { digits: safeIntegers.most, exponent: 0 };

const valuesOf = (parts: readonly Schema[], keyword: 'multipleOf' | Limit): readonly Decimal[] =>
  parts.flatMap((part) => {
    const value = part[keyword];
    return (value === undefined ? undefined : exactValue(value)) ?? [];
  });

type Limit = 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum';

/** Tells whether the limits keep numbers between a value and its negative. */
const areWithin = (parts: readonly Schema[], most: Decimal): boolean => {
  const low = [...valuesOf(parts, 'minimum'), ...valuesOf(parts, 'exclusiveMinimum')];
  const high = [...valuesOf(parts, 'maximum'), ...valuesOf(parts, 'exclusiveMaximum')];
  const least = { digits: -most.digits, exponent: most.exponent };
  return (
    low.some((limit) => compareNumbers(limit, least) >= 0) &&
    high.some((limit) => compareNumbers(limit, most) <= 0)
  );
};

/** Lists the types that the values of a `number` or an `integer` have in handlers. */
export const numberTypes = (
  type: 'number' | 'integer',
  { format, parts }: Numbers,
): readonly string[] => {
  const range = integerRangeOf(format);
  if (range?.isBigInt && type === 'integer') return ['bigint'];
  if (isDouble(format) || (range && !range.isBigInt)) return ['number'];
  const units = valuesOf(parts, 'multipleOf');
  const isWhole = type === 'integer' || range || units.some(({ exponent }) => exponent >= 0);
  if (isWhole) return areWithin(parts, mostSafe) ? ['number'] : ['number', 'bigint'];
  const isExact = units.some(
    ({ exponent }) =>
      exponent >= SMALLEST && areWithin(parts, { digits: 1n, exponent: DIGITS + exponent }),
  );
  return isExact ? ['number'] : ['number', 'bigint', 'string'];
};

/** Returns what handlers get for a number of the document. */
export const handedNumber = (
  value: ExactNumber,
  types: readonly JsonType[] | undefined,
  format: string | undefined,
): unknown => {
  if (!types?.includes('integer')) return handOver(inNumberPlace(value, isDouble(format)));
  return handOver(integerRangeOf(format)?.isBigInt ? exactInteger(value) : value);
};
