/** Whether no value fits two schemas of one document; where that is not plain to see, it is said not to be so. */

import { compareNumbers, numberIn } from '../values/exact-numbers';
import { enumOf } from './compare-enums';
import { isExcluded } from './compare-objects';
import { keywordsOf } from './keyword-values';
import type { MergedSchema } from './schema-set';
import { intersection, type ValueType } from './schema-types';

/** How deep tags are looked for. */
const DEEPEST = 3;

const haveOtherValues = (one: MergedSchema, other: MergedSchema): boolean => {
  const [values, others] = [enumOf(one), enumOf(other)];
  return (
    values !== undefined &&
    others !== undefined &&
    [...values.keys()].every((key) => !others.has(key))
  );
};

const numbersOf = (schema: MergedSchema, keyword: string) =>
  keywordsOf(schema, keyword).flatMap(({ holder }) => numberIn(holder, keyword) ?? []);

const isBelow = (one: MergedSchema, other: MergedSchema): boolean =>
  numbersOf(one, 'maximum').some((maximum) =>
    numbersOf(other, 'minimum').some((minimum) => compareNumbers(maximum, minimum) < 0),
  );

/** A property that both require, and whose values differ. */
const haveTags = (one: MergedSchema, other: MergedSchema, depth: number): boolean =>
  [...one.required.keys()].some((name) => {
    const [mine, theirs] = [one.properties.get(name), other.properties.get(name)];
    if (!other.required.has(name) || mine === undefined || theirs === undefined) return false;
    return areDisjoint(mine.schema, theirs.schema, depth + 1);
  });

const decide: Partial<
  Record<ValueType, (one: MergedSchema, other: MergedSchema, depth: number) => boolean>
> = {
  integer: (one, other) => isBelow(one, other) || isBelow(other, one),
  fraction: (one, other) => isBelow(one, other) || isBelow(other, one),
  object: (one, other, depth) =>
    haveTags(one, other, depth) || isExcluded(one, other) || isExcluded(other, one),
};

/** Whether no value fits both. */
export const areDisjoint = (one: MergedSchema, other: MergedSchema, depth = 0): boolean => {
  if (depth > DEEPEST) return false;
  if (haveOtherValues(one, other)) return true;
  return [...intersection(one.types, other.types)].every(
    (type) => decide[type]?.(one, other, depth) === true,
  );
};
