/** The tightest limits that schemas set together. */

import { readCount, readFlag, readNumber } from '../../schema/schema-fields';
import type { SamplePlan } from './sample-plan';

/** The range of a count; `most` is Infinity where nothing limits it. */
export interface CountLimits {
  readonly least: number;
  readonly most: number;
}

/** The limits of a length, or of a number of items or properties. */
export const countLimits = (
  { parts }: SamplePlan,
  unit: 'Length' | 'Items' | 'Properties',
): CountLimits => {
  const read = (keyword: string): number[] =>
    parts.flatMap((part) => readCount(part, keyword) ?? []);
  return {
    least: Math.max(0, ...read(`min${unit}`)),
    most: Math.min(Number.POSITIVE_INFINITY, ...read(`max${unit}`)),
  };
};

/** One end of a range of numbers, exact. */
export interface NumberLimit {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
}

/** The tightest limit on one side; JavaScript compares number and bigint exactly. */
const tightest = (
  { parts }: SamplePlan,
  side: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): NumberLimit | undefined =>
  parts
    .flatMap((part): NumberLimit[] => {
      const value = readNumber(part, side);
      return value === undefined ? [] : [{ value, isExclusive: readFlag(part, exclusive) }];
    })
    .reduce<NumberLimit | undefined>((best, limit) => {
      if (best === undefined) return limit;
      if (best.value === limit.value) return limit.isExclusive ? limit : best;
      return limit.value > best.value === (side === 'minimum') ? limit : best;
    }, undefined);

/** The limits of numbers; undefined where a side is open. */
export const numberLimits = (
  plan: SamplePlan,
): { readonly low: NumberLimit | undefined; readonly high: NumberLimit | undefined } => ({
  low: tightest(plan, 'minimum', 'exclusiveMinimum'),
  high: tightest(plan, 'maximum', 'exclusiveMaximum'),
});

/** Every multipleOf. */
export const divisorsOf = ({ parts }: SamplePlan): (number | bigint)[] =>
  parts.flatMap((part) => readNumber(part, 'multipleOf') ?? []);
