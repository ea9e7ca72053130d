/** Candidates for numbers and integers within the limits of their schemas. */

import { type ExactNumber, exactValue } from '../../base/exact-number';
import type { Limit } from '../schema-view';
import {
  type IntegerRange,
  integerRangeOf,
  safeIntegers,
} from '../validation/checks/integer-ranges';
import type { SamplePlan } from './sample-plan';

type Range = Pick<IntegerRange, 'least' | 'most'>;

/** Beyond the limits that alternatives usually part at. */
const landmarks = [0n, -1n, 100n, -100n, 10_000n, -10_000n, 1_000_000n];

/**
 * Returns the least integer that is not below a limit (`up`), or the greatest that is not above it. Undefined where there is no limit, or
 * the integer has too many digits to be worked out.
 * @param unit the power of ten that is counted
 */
export const integerWithin = (
  limit: Limit | undefined,
  towards: 'up' | 'down',
  unit = 0,
): bigint | undefined => {
  const mostDigits = 1000;
  const exact = limit && exactValue(limit.value);
  if (limit === undefined || exact === undefined) return undefined;
  const exponent = exact.exponent - unit;
  if (Math.abs(exponent) > mostDigits) return undefined;
  const number = exact.digits * 10n ** BigInt(Math.max(0, exponent));
  const divisor = 10n ** BigInt(Math.max(0, -exponent));
  const rest = number % divisor;
  // Division truncates towards zero, which already is the way up for negative numbers.
  const isThere = rest === 0n ? !limit.exclusive : rest < 0n === (towards === 'up');
  return number / divisor + (isThere ? 0n : towards === 'up' ? 1n : -1n);
};

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Finds the whole numbers that fit, multiples aside.
 * @param usual the range where neither a format nor a limit sets it
 */
export const integerRange = (
  { type, format, minimum, maximum }: SamplePlan,
  usual: Range = safeIntegers,
): Range => {
  const known = integerRangeOf(format);
  const [least, most] = [integerWithin(minimum, 'up'), integerWithin(maximum, 'down')];
  if (known === undefined) {
    // Limits beyond them are of no use to an integer without a format.
    const within = (value: bigint) =>
      type === 'integer' ? larger(safeIntegers.least, smaller(safeIntegers.most, value)) : value;
    return {
      least: within(least ?? smaller(usual.least, most ?? usual.least)),
      most: within(most ?? larger(usual.most, least ?? usual.most)),
    };
  }
  return {
    least: larger(known.least, least ?? known.least),
    most: smaller(known.most, most ?? known.most),
  };
};

const greatestCommonDivisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : greatestCommonDivisor(other, one % other);

/** Returns the least number that is a multiple of all, in units of a power of ten. */
export const commonMultiple = (values: readonly ExactNumber[]) => {
  const decimals = values
    .flatMap((value) => exactValue(value) ?? [])
    .filter(({ digits }) => digits > 0n);
  const exponent = Math.min(0, ...decimals.map((one) => one.exponent));
  const units = decimals
    .map((one) => one.digits * 10n ** BigInt(one.exponent - exponent))
    .reduce((step, unit) => (step * unit) / greatestCommonDivisor(step, unit), 1n);
  return { units, exponent };
};

/** Returns the smallest step between integers that all divisors divide. */
export const wholeStep = (plan: SamplePlan): bigint => {
  const { units, exponent } = commonMultiple([1, ...plan.values('multipleOf')]);
  return units / 10n ** BigInt(-exponent);
};

/** Returns the least multiple of a step from a value on. */
export const roundUp = (value: bigint, step: bigint): bigint => {
  const rest = ((value % step) + step) % step;
  return rest === 0n ? value : value + step - rest;
};

/** Returns 1, or the end of the range that is nearer to it; the lower one where both are given. */
const startBetween = (least: bigint, most: bigint, isOpenBelow: boolean): bigint => {
  if (least > 1n || (most < 1n && !isOpenBelow)) return least;
  return most < 1n ? most : 1n;
};

/** Integers from 1 upwards, or from where the limits allow; then those below. */
export function* sampleIntegers(plan: SamplePlan): Iterable<number | bigint> {
  const { least, most } = integerRange(plan);
  const step = wholeStep(plan);
  const isBigInt = integerRangeOf(plan.format)?.isBigInt;
  const typed = (digits: bigint) => (isBigInt ? digits : Number(digits));
  const start = roundUp(startBetween(least, most, plan.minimum === undefined), step);
  const near = Array.from({ length: 8 }, (_, index) => start + BigInt(index) * step);
  const far = landmarks.map((landmark) => roundUp(landmark, step));
  yield* [...near, ...far].filter((value) => value >= least && value <= most).map(typed);
  for (let value = start; value <= most; value += step) yield typed(value);
  for (let value = start - step; value >= least; value -= step) yield typed(value);
}

/** Removes the noise of binary fractions: 0.3, not 0.30000000000000004. */
const tidy = (value: number): number => Number(value.toPrecision(12));

/** Multiples from the divisor upwards, or from where the limits allow; downwards where they are all less. */
function* multiplesWithin(least: number, most: number, divisor: number): Iterable<number> {
  const step = most < divisor ? -1 : 1;
  const first = step < 0 ? Math.floor(most / divisor) : Math.max(1, Math.ceil(least / divisor));
  for (let count = 0; count < 1000; count += 1) yield tidy((first + count * step) * divisor);
}

function* numbersBetween(least: number, most: number): Iterable<number> {
  const isBounded = Number.isFinite(most - least);
  yield Math.max(least, Math.min(most, 1.5));
  yield* [1, 0, least, most, tidy((least + most) / 2)].filter(Number.isFinite);
  for (let count = 1; count < 1000; count += 1) {
    if (isBounded) yield least + ((most - least) * count) / 1000;
    else yield Number.isFinite(most) ? most - count / 2 : Math.max(least, 1) + count / 2;
  }
}

/** Numbers with and without fractions. */
export function* sampleNumbers(plan: SamplePlan): Iterable<number | bigint> {
  const { format, minimum, maximum } = plan;
  const divisors = plan.values('multipleOf');
  if (integerRangeOf(format) !== undefined) {
    yield* sampleIntegers(plan);
    return;
  }
  const least = Number(minimum?.value ?? Number.NEGATIVE_INFINITY);
  const most = Number(maximum?.value ?? Number.POSITIVE_INFINITY);
  const { units, exponent } = commonMultiple(divisors);
  if (divisors.length > 0) yield* multiplesWithin(least, most, Number(`${units}e${exponent}`));
  yield* numbersBetween(least, most);
}

/** The same numbers as texts. */
export function* sampleDecimals(plan: SamplePlan): Iterable<string> {
  for (const number of sampleNumbers(plan)) yield String(number);
}
