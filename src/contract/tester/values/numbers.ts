/** Arbitrary numbers within their limits, with those limits more often than others. */

import fc from 'fast-check';
import { doubleOf, type ExactNumber, exactValue, numberFrom } from '../../../base/exact-number';
import {
  commonMultiple,
  integerRange,
  roundUp,
  wholeStep,
} from '../../../schema/samples/sample-numbers';
import type { SamplePlan } from '../../../schema/samples/sample-plan';
import { changedView, type Limit } from '../../../schema/schema-view';
import { integerRangeOf } from '../../../schema/validation/checks/integer-ranges';

/** The first double that a rounding server gets wrong, and its like on the other side. */
const beyondDoubles = [2n ** 53n + 1n, -(2n ** 53n) - 1n];

/** Multiples of a step within a range, its ends and some others more often; undefined where there is none. */
const multiplesWithin = (
  { least, most }: Record<'least' | 'most', bigint>,
  step: bigint,
  others: readonly bigint[] = [],
): fc.Arbitrary<bigint> | undefined => {
  const first = roundUp(least, step) / step;
  const last = -roundUp(-most, step) / step;
  if (first > last) return undefined;
  const special = [...others.map((value) => value / step), first, last, 0n, 1n].filter(
    (count) => count >= first && count <= last,
  );
  return fc
    .oneof(fc.bigInt({ min: first, max: last }), fc.constantFrom(first, last, ...special))
    .map((count) => count * step);
};

/** Integers of the plan: bigint for int64, else as they are read. Undefined where no number fits. */
export const integerArbitrary = (plan: SamplePlan): fc.Arbitrary<ExactNumber> | undefined => {
  const isBigInt = integerRangeOf(plan.format)?.isBigInt;
  // Without a format those that every program holds.
  const range = integerRange(plan, integerRangeOf('int32'));
  return multiplesWithin(range, wholeStep(plan), beyondDoubles)?.map((digits) =>
    isBigInt ? digits : numberFrom({ digits, exponent: 0 }),
  );
};

/** A step between numbers, in units of a power of ten. */
type Step = ReturnType<typeof commonMultiple>;

/**
 * Multiples of a step within the limits of the plan.
 * @param reach the distance from the other limit, or from 0, where there is no limit
 */
const multiplesOf = (
  plan: SamplePlan,
  { units, exponent }: Step,
  reach: bigint,
): fc.Arbitrary<ExactNumber> | undefined => {
  const inUnits = (limit: Limit | undefined): Limit | undefined => {
    const value = limit && exactValue(limit.value);
    return (
      value && { ...limit, value: numberFrom({ ...value, exponent: value.exponent - exponent }) }
    );
  };
  const limits = { minimum: inUnits(plan.minimum), maximum: inUnits(plan.maximum) };
  const inner = changedView(plan, { ...limits, format: undefined });
  const { least, most } = integerRange(inner, { least: 0n, most: 0n });
  const range = {
    least: limits.minimum ? least : least - reach,
    most: limits.maximum ? most : most + reach,
  };
  return multiplesWithin(range, units)?.map((digits) => numberFrom({ digits, exponent }));
};

/** The number of multiples beyond 0, or the other limit, where there is none. */
const MOST_MULTIPLES = 1000n;

/** Numbers without limits: what every program and every format of text holds, as a power of ten. */
const FARTHEST = 9;

/** Three decimals are enough where some number between the limits has no more: no program stores 5e-324. */
const decimals: readonly Step[] = [-3, -9, -18].map((exponent) => ({ units: 1n, exponent }));

/** More digits than a double has. */
const manyDecimals: Step = { units: 1n, exponent: -20 };

/** Quarters, which a float holds. */
const quarters: Step = { units: 25n, exponent: -2 };

/** Numbers of the plan. Undefined where no number fits. */
export const numberArbitrary = (plan: SamplePlan): fc.Arbitrary<ExactNumber> | undefined => {
  const divisors = plan.values('multipleOf');
  if (divisors.length > 0) {
    const step = commonMultiple(divisors);
    return multiplesOf(plan, step, MOST_MULTIPLES * step.units);
  }
  const [isFloat, isDecimal] = [plan.format === 'float', plan.format === 'decimal'];
  const first = isFloat ? [quarters] : isDecimal ? [manyDecimals] : [];
  return [...first, ...decimals]
    .map((step) => multiplesOf(plan, step, 10n ** BigInt(FARTHEST - step.exponent)))
    .find((numbers) => numbers !== undefined)
    ?.map((value) => {
      if (isDecimal) return value;
      return isFloat ? Math.fround(doubleOf(value)) : doubleOf(value);
    });
};
