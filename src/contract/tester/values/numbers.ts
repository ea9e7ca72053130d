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

/** The number of multiples beyond 0, or the other limit, where there is none. */
const MOST_MULTIPLES = 1000n;

const multiplesOf = (plan: SamplePlan): fc.Arbitrary<ExactNumber> | undefined => {
  const { units, exponent } = commonMultiple(plan.values('multipleOf'));
  const inUnits = (limit: Limit | undefined): Limit | undefined => {
    const value = limit && exactValue(limit.value);
    return (
      value && { ...limit, value: numberFrom({ ...value, exponent: value.exponent - exponent }) }
    );
  };
  const limits = { minimum: inUnits(plan.minimum), maximum: inUnits(plan.maximum) };
  const inner = changedView(plan, { ...limits, format: undefined });
  const { least, most } = integerRange(inner, { least: 0n, most: 0n });
  const reach = MOST_MULTIPLES * units;
  const range = {
    least: limits.minimum ? least : least - reach,
    most: limits.maximum ? most : most + reach,
  };
  return multiplesWithin(range, units)?.map((digits) => numberFrom({ digits, exponent }));
};

/** Numbers without limits: what every program and every format of text holds. */
const FARTHEST = 1e9;

const edgesOf = (least: number, most: number, { minimum, maximum }: SamplePlan): number[] =>
  [
    ...(minimum && !minimum.exclusive ? [least] : []),
    ...(maximum && !maximum.exclusive ? [most] : []),
    0,
    0.5,
  ].filter((value) => value >= least && value <= most);

/** Numbers of the plan. Undefined where no number fits. */
export const numberArbitrary = (plan: SamplePlan): fc.Arbitrary<ExactNumber> | undefined => {
  const { minimum, maximum, format } = plan;
  if (plan.values('multipleOf').length > 0) return multiplesOf(plan);
  const least = doubleOf(minimum?.value ?? Math.min(-FARTHEST, doubleOf(maximum?.value ?? 0) - 1));
  const most = doubleOf(maximum?.value ?? Math.max(FARTHEST, least + 1));
  if (least > most) return undefined;
  const inner = fc
    .double({
      min: least,
      max: most,
      noNaN: true,
      minExcluded: minimum?.exclusive === true,
      maxExcluded: maximum?.exclusive === true,
    })
    .map((value) => tidy(value, least, most, format));
  const edges = edgesOf(least, most, plan);
  return edges.length === 0 ? inner : fc.oneof(inner, fc.constantFrom(...edges));
};

/** Three decimals are enough, where they stay inside: no program stores 5e-324. */
const tidy = (value: number, least: number, most: number, format: string | undefined): number => {
  const short =
    format === 'float' ? Math.fround(Math.round(value)) : Math.round(value * 1000) / 1000;
  return (short > least && short < most ? short : value) + 0;
};
