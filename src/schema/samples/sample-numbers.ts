/** Candidates for numbers and integers within the limits of their schemas. */

import { keywordValues, type SamplePlan } from './sample-plan';

/** The range of a count; `most` is Infinity where nothing limits it. */
export interface CountLimits {
  readonly least: number;
  readonly most: number;
}

/** Reads the limits of a length, or of a number of items or properties. */
export const countLimits = (
  { parts }: SamplePlan,
  unit: 'Length' | 'Items' | 'Properties',
): CountLimits => {
  const read = (keyword: `min${typeof unit}` | `max${typeof unit}`): number[] =>
    parts.flatMap((part) => part[keyword] ?? []);
  return {
    least: Math.max(0, ...read(`min${unit}`)),
    most: Math.min(Number.POSITIVE_INFINITY, ...read(`max${unit}`)),
  };
};

/** One end of a range of numbers, exact. */
interface NumberLimit {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
}

/** Finds the tightest limit on one side; JavaScript compares number and bigint exactly. */
const tightest = (
  { parts }: SamplePlan,
  side: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): NumberLimit | undefined =>
  parts
    .flatMap((part): NumberLimit[] => {
      const [value, beyond] = [part[side], part[exclusive]];
      return [
        ...(value === undefined ? [] : [{ value, isExclusive: false }]),
        ...(beyond === undefined ? [] : [{ value: beyond, isExclusive: true }]),
      ];
    })
    .reduce<NumberLimit | undefined>((best, limit) => {
      if (best === undefined) return limit;
      if (best.value === limit.value) return limit.isExclusive ? limit : best;
      return limit.value > best.value === (side === 'minimum') ? limit : best;
    }, undefined);

/** Finds the limits of numbers; undefined where a side is open. */
const numberLimits = (
  plan: SamplePlan,
): { readonly low: NumberLimit | undefined; readonly high: NumberLimit | undefined } => ({
  low: tightest(plan, 'minimum', 'exclusiveMinimum'),
  high: tightest(plan, 'maximum', 'exclusiveMaximum'),
});

/** Lists every multipleOf. */
const divisorsOf = ({ parts }: SamplePlan): (number | bigint)[] =>
  parts.flatMap((part) => part.multipleOf ?? []);

const integerRanges: ReadonlyMap<unknown, bigint> = new Map([
  ['int32', 2n ** 31n],
  ['int64', 2n ** 63n],
]);
/** Beyond it a number would be rounded. */
const exactRange = 2n ** 53n;

/** Beyond the limits that alternatives usually part at. */
const landmarks = [0n, -1n, 100n, -100n, 10_000n, -10_000n, 1_000_000n];

const isWhole = (value: number | bigint): boolean =>
  typeof value === 'bigint' || Number.isInteger(value);

/** Returns the nearest integer within a limit, itself excluded where the limit is exclusive. */
const integerWithin = (limit: NumberLimit, towards: 1 | -1): bigint | undefined => {
  const { value, isExclusive } = limit;
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  const nearest =
    typeof value === 'bigint'
      ? value
      : BigInt(towards === 1 ? Math.ceil(value) : Math.floor(value));
  return isExclusive && isWhole(value) ? nearest + BigInt(towards) : nearest;
};

const greatestCommonDivisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : greatestCommonDivisor(other, one % other);

/** Returns the smallest step that all whole divisors divide; fractions are left to the check of each candidate. */
const wholeStep = (plan: SamplePlan): bigint =>
  divisorsOf(plan)
    .filter((divisor) => divisor > 0 && isWhole(divisor))
    .map(BigInt)
    .reduce((step, divisor) => (step * divisor) / greatestCommonDivisor(step, divisor), 1n);

const roundUp = (value: bigint, step: bigint): bigint => {
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
  const [format] = keywordValues(plan, 'format');
  const range = integerRanges.get(format) ?? exactRange;
  const { low, high } = numberLimits(plan);
  const least = (low && integerWithin(low, 1)) ?? -range;
  const most = (high && integerWithin(high, -1)) ?? range - 1n;
  const step = wholeStep(plan);
  const typed = (value: bigint) => (format === 'int64' ? value : Number(value));
  const start = roundUp(startBetween(least, most, low === undefined), step);
  const near = Array.from({ length: 8 }, (_, index) => start + BigInt(index) * step);
  const far = landmarks.map((landmark) => roundUp(landmark, step));
  yield* [...near, ...far].filter((value) => value >= least && value <= most).map(typed);
  for (let value = start; value <= most; value += step) yield typed(value);
  for (let value = start - step; value >= least; value -= step) yield typed(value);
}

/** Removes the noise of binary fractions: 0.3, not 0.30000000000000004. */
const tidy = (value: number): number => Number(value.toPrecision(12));

function* multiplesFrom(least: number, divisor: number): Iterable<number> {
  const first = Math.ceil(least / divisor);
  for (let count = 0; count < 1000; count += 1) yield tidy((first + count) * divisor);
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
  const [format] = keywordValues(plan, 'format');
  if (integerRanges.has(format)) {
    yield* sampleIntegers(plan);
    return;
  }
  const { low, high } = numberLimits(plan);
  const least = Number(low?.value ?? Number.NEGATIVE_INFINITY);
  const most = Number(high?.value ?? Number.POSITIVE_INFINITY);
  const divisor = Math.max(0, ...divisorsOf(plan).map(Number));
  if (divisor > 0) {
    yield* multiplesFrom(least > 0 || most < divisor ? Math.max(least, -1e15) : divisor, divisor);
  }
  yield* numbersBetween(least, most);
}
