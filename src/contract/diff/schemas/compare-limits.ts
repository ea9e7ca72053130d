/** Compares `minimum`, `maximum`, `multipleOf` and what counts characters, items and properties. */

import { exactMultiple } from '../../../schema/validation/checks-of';
import { bothOf } from '../rules/finding';
import type { MergedSchema } from './merged-schema';
import {
  type DeclaredLimit,
  declaredLimit,
  isIdle,
  isLimitedBy,
  isOfKind,
  type LimitKind,
  limitKinds,
  limitsOf,
} from './possible-values';
import type { SchemaPair } from './schema-pair';

const compareLimit = (pair: SchemaPair, kind: LimitKind): void => {
  const [old, now] = [declaredLimit(pair.old, kind), declaredLimit(pair.new, kind)];
  const isStricter = now !== undefined && isLimitedBy(pair.old, kind, now);
  const isLooser = old !== undefined && isLimitedBy(pair.new, kind, old);
  const both = isStricter || isLooser ? bothOf(pair, old, now, kind.name) : undefined;
  const rule = isStricter === (kind.sense === 1) ? 'raised' : 'lowered';
  if (both) pair.report(`${kind.name}-${rule}`, ...both);
};

/** Compares how great numbers, and how many characters, items and properties there may be. */
export const compareLimits = (pair: SchemaPair): void => {
  const areBoth = (kind: LimitKind) => isOfKind(pair.old, kind) && isOfKind(pair.new, kind);
  for (const kind of limitKinds.filter(areBoth)) compareLimit(pair, kind);
};

/** Every multiple of 0.5 among the integers is an integer: such a keyword says nothing. */
const isIdleUnit = (unit: DeclaredLimit, schema: MergedSchema): boolean =>
  (!schema.types.has('fraction') && exactMultiple(unit.value)(1)) ||
  isIdle(unit, 'multipleOf', schema);

/** Compares `multipleOf`. */
export const compareMultiples = (pair: SchemaPair): void => {
  const schemas = [pair.old, pair.new] as const;
  if (schemas.some(({ types }) => !types.has('integer'))) return;
  const unitsOf = (schema: MergedSchema) =>
    limitsOf(schema, 'multipleOf').filter(
      (unit) => !schemas.some((schema) => isIdleUnit(unit, schema)),
    );
  const [olds, news] = [unitsOf(pair.old), unitsOf(pair.new)];
  const implied = (unit: DeclaredLimit, by: readonly DeclaredLimit[]): boolean =>
    by.some(({ value }) => exactMultiple(unit.value)(value));
  const added = news.find((unit) => !implied(unit, olds));
  const removed = olds.find((unit) => !implied(unit, news));
  const [old, now] = [removed ?? olds[0], added ?? news[0]];
  const isOne = added === undefined || removed === undefined;
  const both = (added ?? removed) ? bothOf(pair, old, now, 'multiple-of') : undefined;
  const change = added === undefined ? 'widened' : 'narrowed';
  if (both) pair.report(`multiple-of-${isOne ? change : 'changed'}`, ...both);
};
