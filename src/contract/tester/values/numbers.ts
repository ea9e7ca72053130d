/** Arbitrary numbers within their limits, with those limits more often than others. */

import fc from 'fast-check';
import { type ExactNumber, exactNumber } from '../../../base/exact-number';
import {
  commonMultiple,
  integerRange,
  integerWithin,
  roundUp,
  wholeStep,
} from '../../../schema/samples/sample-numbers';
import type { SamplePlan } from '../../../schema/samples/sample-plan';
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

/** Integers of the plan: bigint for int64. Undefined where no number fits. */
export const integerArbitrary = (plan: SamplePlan): fc.Arbitrary<number | bigint> | undefined => {
  const isBigInt = integerRangeOf(plan.format)?.isBigInt;
  // Without a format those that every program holds.
  const range = integerRange(plan, integerRangeOf('int32'));
  return multiplesWithin(range, wholeStep(plan), beyondDoubles)?.map((digits) =>
    isBigInt ? digits : Number(digits),
  );
};

/** A step between numbers, in units of a power of ten. */
type Step = ReturnType<typeof commonMultiple>;

/**
 * Texts of the multiples of a step within the limits of the plan.
 * @param reach the distance from the other limit, or from 0, where there is no limit
 */
const multiplesOf = (plan: SamplePlan, { units, exponent }: Step, reach: bigint) => {
  const least = integerWithin(plan.minimum, 'up', exponent);
  const most = integerWithin(plan.maximum, 'down', exponent);
  const range = {
    least: least ?? (most !== undefined && most < 0n ? most : 0n) - reach,
    most: most ?? (least !== undefined && least > 0n ? least : 0n) + reach,
  };
  return multiplesWithin(range, units)?.map((digits) => `${digits}e${exponent}`);
};

/** Numbers of the plan. Undefined where no number fits. */
export const numberArbitrary = (plan: SamplePlan): fc.Arbitrary<ExactNumber> | undefined => {
  const { format } = plan;
  const step = commonMultiple(plan.values('multipleOf'));
  // Three decimals are enough where some number between the limits has no more: no program stores 5e-324.
  const steps: Step[] = [-3, -9, -18].map((exponent) => ({ units: 1n, exponent }));
  // Quarters, which a float holds.
  if (format === 'float') steps.unshift({ units: 25n, exponent: -2 });
  // More digits than a double has.
  if (format === 'decimal') steps.unshift({ units: 1n, exponent: -20 });
  // The number of multiples beyond 0, or the other limit, where there is none.
  const mostMultiples = 1000n;
  // Numbers without limits: what every program and every format of text holds, as a power of ten.
  const farthest = 9;
  const numbers =
    plan.values('multipleOf').length > 0
      ? multiplesOf(plan, step, mostMultiples * step.units)
      : steps
          .map((step) => multiplesOf(plan, step, 10n ** BigInt(farthest - step.exponent)))
          .find((texts) => texts !== undefined);
  return numbers?.map((text) => {
    if (format === 'decimal') return exactNumber(text) ?? Number.NaN;
    return format === 'float' ? Math.fround(Number(text)) : Number(text);
  });
};
