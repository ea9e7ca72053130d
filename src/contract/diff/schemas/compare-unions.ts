/** Compares `oneOf` and `anyOf` branch by branch. */

import { inOrderOf, type Spot } from '../rules/finding';
import { areDisjoint } from './disjoint';
import { keywordOf } from './keyword-values';
import { type Match, matchBranches } from './match-branches';
import type { SchemaPair } from './schema-pair';
import type { MergedSchema, Union } from './schema-set';
import { typesText } from './schema-types';

const spotOf = ({ pointer, component, types }: MergedSchema): Spot => ({
  pointer,
  text: component ?? typesText(types),
});

/** Of the values that fitted one branch alone, some may now fit another as well. */
const mayOverlap = (
  pair: SchemaPair,
  [sub, sup]: readonly [Union, Union],
  matches: readonly Match[],
): boolean => {
  if (sup.keyword !== 'oneOf') return false;
  const matched = matches.map(({ old, new: now, parts }) => {
    const [source, target] = inOrderOf(pair.side, old, now);
    return { source, target, parts };
  });
  const isSame = (target: MergedSchema): boolean =>
    sub.keyword === 'oneOf' &&
    matched.some(
      (match) =>
        match.target === target && ['same', 'equal'].includes(pair.relationOf(...match.parts)),
    );
  return sup.branches
    .filter((branch) => !isSame(branch))
    .some((branch) =>
      matched.some(({ source, target }) => target !== branch && !areDisjoint(source, branch)),
    );
};

const isTagged = (schema: MergedSchema): boolean =>
  keywordOf(schema, 'discriminator') !== undefined;

/** Branches of the values' side that continue nothing, and whose values another branch allows. */
const coveredBranches = (
  pair: SchemaPair,
  branches: readonly MergedSchema[],
  sup: Union,
): ReadonlyMap<MergedSchema, Match> => {
  const covered = new Map<MergedSchema, Match>();
  for (const branch of branches) {
    for (const target of sup.branches) {
      const [old, now] = inOrderOf(pair.side, branch, target);
      if (!['same', 'equal', 'fits'].includes(pair.relationOf(old, now))) continue;
      covered.set(branch, { old, new: now, parts: [old, now] });
    }
  }
  return covered;
};

const compareUnion = (pair: SchemaPair, old: Union, now: Union): void => {
  const { matches, removed, added } = matchBranches(pair, old, now);
  const [sub, sup] = inOrderOf(pair.side, old, now);
  const covered = coveredBranches(pair, sub === old ? removed : added, sup);
  for (const { parts } of matches) pair.compareParts(...parts);
  for (const branch of removed) {
    const rule = covered.has(branch) ? 'alternative-covered' : 'alternative-removed';
    pair.report(rule, spotOf(branch), undefined);
  }
  for (const branch of added) {
    const rule = covered.has(branch) ? 'alternative-covered' : 'alternative-added';
    pair.report(rule, undefined, spotOf(branch));
  }
  const [, target] = inOrderOf(pair.side, pair.old, pair.new);
  // A discriminator says which alternative a value is for.
  if (!isTagged(target) && mayOverlap(pair, [sub, sup], [...matches, ...covered.values()])) {
    pair.report('alternatives-overlap', { pointer: old.pointer }, { pointer: now.pointer });
  }
};

/** Compares unions that both schemas have. */
export const compareUnions = (pair: SchemaPair): void => {
  const [olds, news] = [pair.old.unions, pair.new.unions];
  for (let at = 0; at < Math.max(olds.length, news.length); at += 1) {
    const [old, now] = [olds[at], news[at]];
    if (old && now) compareUnion(pair, old, now);
    else if (now) pair.report('alternatives-unclear', undefined, { pointer: now.pointer });
    else if (old) pair.report('alternatives-unclear', { pointer: old.pointer }, undefined);
  }
};
