/** Compares `oneOf` and `anyOf` branch by branch: which of the old ones each new one continues. */

import { inOrderOf, type Spot } from '../rules/finding';
import { areDisjoint } from './disjoint';
import { keywordOf } from './keyword-values';
import type { SchemaPair } from './schema-pair';
import type { MergedSchema, Union } from './schema-set';
import { typesText } from './schema-types';

type Match = readonly [old: MergedSchema, now: MergedSchema];

const spotOf = ({ pointer, component, types }: MergedSchema): Spot => ({
  pointer,
  text: component ?? typesText(types),
});

/** More combinations than this are not tried: branches are then told by their names and places alone. */
const MOST_COMBINATIONS = 1000;

/** Pairs branches up: by what `isMatch` says, each once. */
const pairUp = (
  olds: Set<MergedSchema>,
  news: Set<MergedSchema>,
  isMatch: (old: MergedSchema, now: MergedSchema) => boolean,
): readonly Match[] => {
  const matches: Match[] = [];
  for (const old of olds) {
    const now = [...news].find((branch) => isMatch(old, branch));
    if (now === undefined) continue;
    olds.delete(old);
    news.delete(now);
    matches.push([old, now]);
  }
  return matches;
};

const haveSameName = (old: MergedSchema, now: MergedSchema): boolean =>
  old.component !== undefined && old.component === now.component;

const haveSameTypes = (old: MergedSchema, now: MergedSchema): boolean =>
  old.types.size === now.types.size && [...old.types].every((type) => now.types.has(type));

interface Matching {
  readonly matches: readonly Match[];
  readonly removed: ReadonlySet<MergedSchema>;
  readonly added: ReadonlySet<MergedSchema>;
}

const matchBranches = (pair: SchemaPair, old: Union, now: Union): Matching => {
  const removed = new Set(old.branches);
  const added = new Set(now.branches);
  const isSmall = removed.size * added.size <= MOST_COMBINATIONS;
  const related = (...relations: readonly string[]) =>
    pairUp(
      removed,
      added,
      (one, other) => isSmall && relations.includes(pair.relationOf(one, other)),
    );
  const matches = [
    ...pairUp(removed, added, haveSameName),
    ...related('same'),
    ...related('equal'),
    ...related('fits'),
    ...related('unclear'),
  ];
  const isOneLeft = removed.size === 1 && added.size === 1;
  return {
    matches: [...matches, ...(isOneLeft ? pairUp(removed, added, haveSameTypes) : [])],
    removed,
    added,
  };
};

/** Of the values that fitted one branch alone, some may now fit another as well. */
const mayOverlap = (
  pair: SchemaPair,
  [sub, sup]: readonly [Union, Union],
  matches: readonly Match[],
): boolean => {
  if (sup.keyword !== 'oneOf') return false;
  const matched = matches.map(([old, now]) => inOrderOf(pair.side, old, now));
  const isSame = (target: MergedSchema): boolean =>
    sub.keyword === 'oneOf' &&
    matched.some(([source, other]) => {
      if (other !== target) return false;
      const [old, now] = inOrderOf(pair.side, source, other);
      return ['same', 'equal'].includes(pair.relationOf(old, now));
    });
  return sup.branches
    .filter((target) => !isSame(target))
    .some((target) =>
      matched.some(([source, other]) => other !== target && !areDisjoint(source, target)),
    );
};

const isTagged = (schema: MergedSchema): boolean =>
  keywordOf(schema, 'discriminator') !== undefined;

const compareUnion = (pair: SchemaPair, old: Union, now: Union): void => {
  const { matches, removed, added } = matchBranches(pair, old, now);
  for (const [one, other] of matches) pair.compareParts(one, other);
  for (const branch of removed) pair.report('alternative-removed', spotOf(branch), undefined);
  for (const branch of added) pair.report('alternative-added', undefined, spotOf(branch));
  const [, target] = inOrderOf(pair.side, pair.old, pair.new);
  const unions = inOrderOf(pair.side, old, now);
  // A discriminator says which alternative a value is for.
  if (!isTagged(target) && mayOverlap(pair, unions, matches)) {
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
