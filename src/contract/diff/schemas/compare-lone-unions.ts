/** Compares a schema that has unions with one that has none: what was one set has become several, or several one. */

import { inOrderOf } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import { areDisjoint } from './disjoint';
import type { SchemaPair } from './schema-pair';
import type { MergedSchema, Union } from './schema-set';
import { intersection, typesText } from './schema-types';

const inOrder = (
  pair: SchemaPair,
  isOld: boolean,
  alternative: MergedSchema,
): readonly [old: MergedSchema, now: MergedSchema] =>
  isOld ? [alternative, pair.new] : [pair.old, alternative];

/** An alternative of types that the single schema has no value of: nothing is to be compared. */
const reportApart = (pair: SchemaPair, isOld: boolean, alternative: MergedSchema): void => {
  const spot = { pointer: alternative.pointer, text: typesText(alternative.types) };
  if (isOld) pair.report('alternative-removed', spot, undefined);
  else pair.report('alternative-added', undefined, spot);
};

/** The values come from one of several alternatives: each must fit. */
const compareEach = (
  pair: SchemaPair,
  isOld: boolean,
  alternatives: readonly MergedSchema[],
): void => {
  const { types } = isOld ? pair.new : pair.old;
  const isApart = (one: MergedSchema): boolean => intersection(one.types, types).size === 0;
  for (const one of alternatives.filter(isApart)) reportApart(pair, isOld, one);
  for (const one of alternatives.filter((alternative) => !isApart(alternative))) {
    pair.compareParts(...inOrder(pair, isOld, one));
  }
};

/** One alternative that the values may be held against, since no other is of their types. */
const nearest = (
  single: MergedSchema,
  alternatives: readonly MergedSchema[],
): MergedSchema | undefined => {
  const near = alternatives.filter(({ types }) => intersection(types, single.types).size > 0);
  return near.length < 2 ? [...near, ...alternatives][0] : undefined;
};

/** The values must fit one of several alternatives. */
const compareWithOne = (
  pair: SchemaPair,
  isOld: boolean,
  { keyword, pointer }: Union,
  alternatives: readonly MergedSchema[],
): void => {
  const report = (rule: DiffRuleId): void =>
    pair.report(rule, isOld ? { pointer } : undefined, isOld ? undefined : { pointer });
  const single = isOld ? pair.new : pair.old;
  const fitting = alternatives.find((one) =>
    ['same', 'equal', 'fits'].includes(pair.relationOf(...inOrder(pair, isOld, one))),
  );
  if (fitting === undefined) {
    const near = nearest(single, alternatives);
    if (near === undefined) report('alternatives-unclear');
    else pair.compareParts(...inOrder(pair, isOld, near));
    return;
  }
  report(isOld ? 'alternatives-removed' : 'alternatives-added');
  const others = alternatives.filter((one) => one !== fitting);
  const isAlone = keyword === 'anyOf' || others.every((one) => areDisjoint(single, one));
  if (!isAlone) report('alternatives-overlap');
};

/** Compares schemas of which one alone has unions. */
export const compareLoneUnions = (pair: SchemaPair): void => {
  const isOld = pair.old.unions.length > 0;
  const schema = isOld ? pair.old : pair.new;
  const [union, second] = schema.unions;
  if (union === undefined) return;
  if (second !== undefined) {
    const spot = { pointer: second.pointer };
    pair.report('alternatives-unclear', isOld ? spot : undefined, isOld ? undefined : spot);
  }
  const { alternatives } = schema;
  const [sub] = inOrderOf(pair.side, pair.old, pair.new);
  if (sub === schema) compareEach(pair, isOld, alternatives);
  else compareWithOne(pair, isOld, union, alternatives);
};
