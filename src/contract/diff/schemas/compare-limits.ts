/** Compares `minimum`, `maximum`, `multipleOf` and what counts characters, items and properties. */

import { compareNumbers, type Decimal, integerLimit, isMultipleOf } from '../../../base/decimal';
import type { Schema } from '../../../model/schema';
import { bothOf } from '../rules/finding';
import type { MergedSchema } from './merged-schema';
import { type Keyword, keywordsOf, type SchemaPair } from './schema-pair';
import { exactNumber } from './spelling';

interface Limit extends Keyword {
  readonly number: Decimal;
  readonly isExclusive: boolean;
}

/** 1 for limits from below, -1 for limits from above: the greater product is the stricter limit. */
type Sense = 1 | -1;

const compareLimits = (one: Limit, other: Limit, sense: Sense): number =>
  sense * compareNumbers(one.number, other.number) ||
  Number(one.isExclusive) - Number(other.isExclusive);

const strictest = (limits: readonly Limit[], sense: Sense): Limit | undefined =>
  limits.toSorted((one, other) => compareLimits(other, one, sense))[0];

/** An integer above 4 is one from 5. */
const wholeLimit = (limit: Limit, sense: Sense): Limit => {
  const number = integerLimit(limit.number, limit.isExclusive, sense === 1 ? 'up' : 'down');
  return number === undefined ? limit : { ...limit, number, isExclusive: false };
};

/** Lists each occurrence of a limit. */
export const limitsOf = (
  schema: MergedSchema,
  keyword: keyof Schema,
  isExclusive = false,
): readonly Limit[] =>
  keywordsOf(schema, keyword).flatMap((one) => {
    const number = exactNumber(schema.document, one.part, keyword);
    if (number === undefined) return [];
    const text = isExclusive ? `${one.text} (exclusive)` : one.text;
    return [{ ...one, text, number, isExclusive }];
  });

/** Keywords as rules call them. */
type LimitName =
  | 'minimum'
  | 'maximum'
  | 'max-contains'
  | `${'min' | 'max'}-${'length' | 'items' | 'properties'}`;

/** Reports a limit that is new, gone, or another one. */
export const reportLimits = (
  pair: SchemaPair,
  old: Limit | undefined,
  now: Limit | undefined,
  name: LimitName,
): void => {
  const both = bothOf(pair, old, now, name);
  const order = both ? compareNumbers(both[1].number, both[0].number) : 0;
  if (order !== 0) pair.report(`${name}-${order > 0 ? 'raised' : 'lowered'}`, old, now);
};

const haveOne = (pair: SchemaPair, types: readonly string[]): boolean =>
  [pair.old, pair.new].every(({ types: has }) => [...has].some((type) => types.includes(type)));

const isWhole = ({ types }: MergedSchema): boolean => !types.has('fraction');

const compareRange = (
  pair: SchemaPair,
  keyword: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
  sense: Sense,
): void => {
  const limitOf = (schema: MergedSchema): Limit | undefined => {
    const limits = [...limitsOf(schema, keyword), ...limitsOf(schema, exclusive, true)];
    const limit = strictest(limits, sense);
    return limit !== undefined && isWhole(schema) ? wholeLimit(limit, sense) : limit;
  };
  const [old, now] = [limitOf(pair.old), limitOf(pair.new)];
  const isOnlyExclusive =
    old !== undefined && now !== undefined && compareNumbers(old.number, now.number) === 0;
  if (!isOnlyExclusive) reportLimits(pair, old, now, keyword);
  else if (old.isExclusive !== now.isExclusive) {
    pair.report(`${keyword}-${now.isExclusive === (sense === 1) ? 'raised' : 'lowered'}`, old, now);
  }
};

const one: Decimal = { digits: 1n, exponent: 0 };

/** Every multiple of 0.5 among the integers is an integer: such a keyword says nothing. */
const saysNothing = (schema: MergedSchema, { number }: Limit): boolean =>
  isWhole(schema) && isMultipleOf(one, number);

const compareMultiples = (pair: SchemaPair): void => {
  const unitsOf = (schema: MergedSchema) =>
    limitsOf(schema, 'multipleOf').filter((unit) => !saysNothing(schema, unit));
  const [olds, news] = [unitsOf(pair.old), unitsOf(pair.new)];
  const implied = (unit: Limit, by: readonly Limit[]): boolean =>
    by.some(({ number }) => isMultipleOf(number, unit.number));
  const added = news.find((unit) => !implied(unit, olds));
  const removed = olds.find((unit) => !implied(unit, news));
  const [old, now] = [removed ?? olds[0], added ?? news[0]];
  if (added !== undefined && removed !== undefined) {
    pair.report('multiple-of-changed', old, now);
  } else if (added !== undefined) {
    pair.report(old ? 'multiple-of-narrowed' : 'multiple-of-added', old, now);
  } else if (removed !== undefined) {
    pair.report(now ? 'multiple-of-widened' : 'multiple-of-removed', old, now);
  }
};

/** Compares what numbers may be. */
export const compareNumberLimits = (pair: SchemaPair): void => {
  if (!haveOne(pair, ['integer', 'fraction'])) return;
  compareRange(pair, 'minimum', 'exclusiveMinimum', 1);
  compareRange(pair, 'maximum', 'exclusiveMaximum', -1);
  compareMultiples(pair);
};

/** At least 0 is what every count is. */
const countOf = (schema: MergedSchema, keyword: keyof Schema, sense: Sense): Limit | undefined => {
  const limit = strictest(limitsOf(schema, keyword), sense);
  return limit !== undefined && sense === 1 && limit.number.digits <= 0n ? undefined : limit;
};

const counts = [
  ['string', 'minLength', 'min-length', 1],
  ['string', 'maxLength', 'max-length', -1],
  ['array', 'minItems', 'min-items', 1],
  ['array', 'maxItems', 'max-items', -1],
  ['object', 'minProperties', 'min-properties', 1],
  ['object', 'maxProperties', 'max-properties', -1],
] as const;

/** Compares how long texts, lists and objects may be. */
export const compareCounts = (pair: SchemaPair): void => {
  for (const [type, keyword, name, sense] of counts) {
    if (!haveOne(pair, [type])) continue;
    reportLimits(pair, countOf(pair.old, keyword, sense), countOf(pair.new, keyword, sense), name);
  }
};
