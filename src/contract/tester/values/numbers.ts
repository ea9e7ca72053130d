/** Arbitrary numbers within their limits, with those limits more often than others. */

import fc from 'fast-check';
import { doubleOf, type ExactNumber, numberFrom } from '../../../base/exact-number';
import type { Facets } from '../../../schema/samples/facets';
import { integerRange, wholeStep } from '../../../schema/samples/sample-numbers';
import { integerRangeOf } from '../../../schema/validation/checks/integer-ranges';

/** The first double that a rounding server gets wrong, and its like on the other side. */
const beyondDoubles = [2n ** 53n + 1n, -(2n ** 53n) - 1n];

const typed =
  (format: string | undefined) =>
  (digits: bigint): ExactNumber =>
    integerRangeOf(format)?.isBigInt ? digits : numberFrom({ digits, exponent: 0 });

/** Integers of the facets: bigint for int64, else as they are read. Undefined where no number fits. */
export const integerArbitrary = (facets: Facets): fc.Arbitrary<ExactNumber> | undefined => {
  // Without a format those that every program holds.
  const { least, most } = integerRange(facets, integerRangeOf('int32'));
  const step = wholeStep(facets);
  const first = least % step === 0n ? least / step : least / step + (least > 0n ? 1n : 0n);
  const last = most % step === 0n ? most / step : most / step - (most < 0n ? 1n : 0n);
  if (first > last) return undefined;
  const special = [...beyondDoubles.map((value) => value / step), first, last, 0n, 1n].filter(
    (value) => value >= first && value <= last,
  );
  return fc
    .oneof(fc.bigInt({ min: first, max: last }), fc.constantFrom(first, last, ...special))
    .map((value) => typed(facets.format)(value * step));
};

const decimalsOf = (step: number): number => {
  const [, decimals = '', exponent = '0'] =
    /^\d*\.?(\d*)(?:e([+-]?\d+))?$/.exec(String(step)) ?? [];
  return Math.max(0, decimals.length - Number(exponent));
};

/** Numbers without limits: what every program and every format of text holds. */
const FARTHEST = 1e9;

const edgesOf = (least: number, most: number, { minimum, maximum }: Facets): number[] =>
  [
    ...(minimum && !minimum.exclusive ? [least] : []),
    ...(maximum && !maximum.exclusive ? [most] : []),
    0,
    0.5,
  ].filter((value) => value >= least && value <= most);

/** Numbers of the facets. Undefined where no number fits. */
export const numberArbitrary = (facets: Facets): fc.Arbitrary<number> | undefined => {
  const { minimum, maximum, divisors, format } = facets;
  const step = Math.max(0, ...divisors.map(doubleOf));
  const least = doubleOf(minimum?.value ?? Math.min(-FARTHEST, doubleOf(maximum?.value ?? 0) - 1));
  const most = doubleOf(maximum?.value ?? Math.max(FARTHEST, least + 1));
  if (least > most) return undefined;
  if (step > 0) return multiples(facets, least, most, step);
  const inner = fc
    .double({
      min: least,
      max: most,
      noNaN: true,
      minExcluded: minimum?.exclusive === true,
      maxExcluded: maximum?.exclusive === true,
    })
    .map((value) => tidy(value, least, most, format));
  const edges = edgesOf(least, most, facets);
  return edges.length === 0 ? inner : fc.oneof(inner, fc.constantFrom(...edges));
};

/** Three decimals are enough, where they stay inside: no program stores 5e-324. */
const tidy = (value: number, least: number, most: number, format: string | undefined): number => {
  const short =
    format === 'float' ? Math.fround(Math.round(value)) : Math.round(value * 1000) / 1000;
  return (short > least && short < most ? short : value) + 0;
};

const multiples = (
  { minimum, maximum }: Facets,
  least: number,
  most: number,
  step: number,
): fc.Arbitrary<number> | undefined => {
  const first = Math.ceil(least / step) + (minimum?.exclusive && least % step === 0 ? 1 : 0);
  const last = Math.floor(most / step) - (maximum?.exclusive && most % step === 0 ? 1 : 0);
  if (first > last) return undefined;
  const decimals = decimalsOf(step);
  const near = (value: number) => Math.max(first, Math.min(last, value));
  return fc
    .oneof(
      fc.maxSafeInteger().map((value) => near(value % 1000)),
      fc.constantFrom(first, last),
    )
    .map((count) => Number((count * step).toFixed(Math.min(100, decimals))) + 0);
};
