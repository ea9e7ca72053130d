/** Finds which branch of an old union each branch of the new one continues. */

import { memoize } from '../../../engine';
import { enumOf } from './compare-enums';
import type { Relation, SchemaPair } from './schema-pair';
import type { MergedSchema, Union } from './schema-set';
import { areEqual } from './schema-types';

/** A branch and what has become of it. */
export interface Match {
  readonly old: MergedSchema;
  readonly new: MergedSchema;
  /** What is to be compared: the two, or the two with all else that their schemas say. */
  readonly parts: readonly [old: MergedSchema, now: MergedSchema];
}

/** Which branches go together, and which are left. */
export interface Matching {
  readonly matches: readonly Match[];
  readonly removed: readonly MergedSchema[];
  readonly added: readonly MergedSchema[];
}

/** More combinations than this are not tried: branches are then told by their names and places alone. */
const MOST_COMBINATIONS = 1000;

/** A branch with all else that the schema says: one may say in each branch what the other says around them. */
const wholeOf = (schema: MergedSchema, branch: MergedSchema): MergedSchema =>
  schema.alternatives[schema.unions[0]?.branches.indexOf(branch) ?? -1] ?? branch;

/** What is plain to see of a schema: its types, its properties and their types. Schemas that allow the same values agree in it. */
const outlineOf = memoize((schema: MergedSchema): string => {
  const properties = [...schema.properties].map(([name, { schema: property }]) => [
    name,
    ...[...property.types].sort(),
    ...(enumOf(property)?.keys() ?? []),
  ]);
  const names = properties.map((one) => JSON.stringify(one)).sort();
  return JSON.stringify([[...schema.types].sort(), names, [...schema.required.keys()].sort()]);
});

/** Pairs branches of two unions up, each once: by name, then the ones that have changed least. */
export const matchBranches = (pair: SchemaPair, old: Union, now: Union): Matching => {
  // A union may name one schema twice.
  const removed = new Set(old.branches.map((branch) => ({ branch })));
  const added = new Set(now.branches.map((branch) => ({ branch })));
  const matches: Match[] = [];

  const pairUp = (
    isMatch: (...parts: Match['parts']) => boolean,
    partsOf: (...parts: Match['parts']) => Match['parts'] = (...parts) => parts,
  ): void => {
    for (const one of removed) {
      const other = [...added].find(({ branch }) => isMatch(...partsOf(one.branch, branch)));
      if (other === undefined) continue;
      removed.delete(one);
      added.delete(other);
      const parts = partsOf(one.branch, other.branch);
      matches.push({ old: one.branch, new: other.branch, parts });
    }
  };

  const wholes = (one: MergedSchema, other: MergedSchema): Match['parts'] => [
    wholeOf(pair.old, one),
    wholeOf(pair.new, other),
  ];
  const isSmall = removed.size * added.size <= MOST_COMBINATIONS;
  const isRelated =
    (relation: Relation) =>
    (...parts: Match['parts']): boolean =>
      isSmall && relation === pair.relationOf(...parts);

  pairUp((one, other) => one.component !== undefined && one.component === other.component);
  // Recursive schemas that have little in common are not held against each other before others have found their like.
  const isSame = isRelated('same');
  pairUp((...parts) => outlineOf(parts[0]) === outlineOf(parts[1]) && isSame(...parts));
  for (const relation of ['same', 'equal', 'fits'] as const) {
    pairUp(isRelated(relation));
    pairUp(isRelated(relation), wholes);
  }
  pairUp(isRelated('unclear'));
  if (removed.size === 1 && added.size === 1) {
    pairUp((one, other) => areEqual(one.types, other.types));
  }
  const branchesOf = (left: ReadonlySet<{ readonly branch: MergedSchema }>) =>
    [...left].map(({ branch }) => branch);
  return { matches, removed: branchesOf(removed), added: branchesOf(added) };
};
