/** Compares `oneOf` and `anyOf` branch by branch. */

import { memoize } from '../../../base/memoize';
import { bothOf, inOrderOf, lone, orderedPairs } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import { isExcluded } from './compare-objects';
import type { MergedSchema, Union } from './merged-schema';
import { areBelow, enumOf } from './possible-values';
import { isEqual, isWithin, keywordOf, type Relation, type SchemaPair } from './schema-pair';
import { areEqual, commonTypes, namesOf, typesText } from './schema-types';

/** Tells whether no value fits both schemas; false where that is not obvious. */
export const areDisjoint = (one: MergedSchema, other: MergedSchema, depth = 0): boolean => {
  // The depth to which tags are looked for.
  const deepest = 3;
  if (depth > deepest) return false;
  const [values, others] = [enumOf(one), enumOf(other)];
  if (values && others && [...values.keys()].every((key) => !others.has(key))) return true;
  // A property that both require, and whose values differ.
  const isTag = (name: string): boolean => {
    const [mine, theirs] = [one.properties().get(name), other.properties().get(name)];
    if (!other.required().has(name) || mine === undefined || theirs === undefined) return false;
    return areDisjoint(mine.schema, theirs.schema, depth + 1);
  };
  const areOtherObjects = (): boolean =>
    [...one.required().keys()].some(isTag) || isExcluded(one, other) || isExcluded(other, one);
  return [...commonTypes(one.types, other.types)].every(
    (type) =>
      areBelow(one, other, type) ||
      areBelow(other, one, type) ||
      (type === 'object' && areOtherObjects()),
  );
};

/** A branch of the old union and that of the new one. */
interface BranchMatch {
  readonly old: MergedSchema;
  readonly new: MergedSchema;
  /** The schemas to compare: the two branches, or the two with all else that their schemas say. */
  readonly parts: readonly [old: MergedSchema, now: MergedSchema];
}

/** The rule of values that fit several alternatives of which exactly one must fit, or may fit several. */
type Overlap = 'alternatives-coincide' | 'alternatives-overlap';

/** A branch with all else that the schema says: one may say in each branch what the other says around them. */
const wholeOf = (schema: MergedSchema, branch: MergedSchema): MergedSchema =>
  schema.alternatives()[schema.unions()[0]?.branches.indexOf(branch) ?? -1] ?? branch;

/** Outlines a schema: its types, its properties and their types. Schemas that allow the same values have the same outline. */
const outlineOf = memoize((schema: MergedSchema): string => {
  const properties = [...schema.properties()].map(([name, { schema: property }]) => [
    name,
    ...[...property.types].sort(),
    ...(enumOf(property)?.keys() ?? []),
  ]);
  const names = properties.map((property) => JSON.stringify(property)).sort();
  return JSON.stringify([[...schema.types].sort(), names, [...schema.required().keys()].sort()]);
});

/** Pairs branches of two unions up, each once: by name, then the ones that have changed least. Tells which are left, too. */
const matchBranches = (pair: SchemaPair, old: Union, now: Union) => {
  // A union may name one schema twice.
  const [removed, added] = [[...old.branches], [...now.branches]];
  const matches: BranchMatch[] = [];

  const pairUp = (
    isMatch: (...parts: BranchMatch['parts']) => boolean,
    partsOf: (...parts: BranchMatch['parts']) => BranchMatch['parts'] = (...parts) => parts,
  ): void => {
    for (const branch of [...removed]) {
      const other = added.find((one) => isMatch(...partsOf(branch, one)));
      if (other === undefined) continue;
      removed.splice(removed.indexOf(branch), 1);
      added.splice(added.indexOf(other), 1);
      matches.push({ old: branch, new: other, parts: partsOf(branch, other) });
    }
  };

  const wholes = (one: MergedSchema, other: MergedSchema): BranchMatch['parts'] => [
    wholeOf(pair.old, one),
    wholeOf(pair.new, other),
  ];
  // More combinations than this are not tried: branches are then matched by their names and places alone.
  const mostCombinations = 1000;
  const isSmall = removed.length * added.length <= mostCombinations;
  const isRelated =
    (relation: Relation) =>
    (...parts: BranchMatch['parts']): boolean =>
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
  if (removed.length === 1 && added.length === 1) {
    pairUp((one, other) => areEqual(one.types, other.types));
  }
  return { matches, removed, added };
};

/** Takes values apart, one by one where few are listed, or else by type: each may fit another alternative. */
const piecesOf = (schema: MergedSchema): readonly MergedSchema[] => {
  const values = keywordOf(schema, 'enum')?.value ?? [];
  // More values are not held against alternatives one by one.
  const mostPieces = 100;
  const single = values.slice(0, mostPieces).map((value) => schema.narrowed({ enum: [value] }));
  // A number that no double holds is lost when it stands alone.
  const isWhole =
    single.length === enumOf(schema)?.size && single.every((branch) => enumOf(branch)?.size);
  if (isWhole) return single;
  return namesOf(schema.types).map((type) => schema.narrowed({ types: [type] }));
};

/** Tells how values stand to alternatives of which exactly one must fit: some values fit several, may fit several, or none does. */
const overlapOf = (
  pair: SchemaPair,
  values: MergedSchema,
  alternatives: readonly MergedSchema[],
): Overlap | undefined => {
  const near = alternatives.filter((alternative) => !areDisjoint(values, alternative));
  if (near.length < 2) return undefined;
  const isCovered = (piece: MergedSchema): boolean =>
    near.filter((alternative) => isWithin(pair, ...inOrderOf(pair.side, piece, alternative)))
      .length > 1;
  const integers = values.types.has('fraction') ? [values.narrowed({ types: ['integer'] })] : [];
  const isDecided = [...piecesOf(values), ...integers].some(isCovered);
  return isDecided ? 'alternatives-coincide' : 'alternatives-overlap';
};

/** Of the values that fitted one branch alone, some fit another as well, or may do so. */
const overlapOfUnions = (
  pair: SchemaPair,
  [sub, sup]: readonly [Union, Union],
  matches: readonly BranchMatch[],
): Overlap | undefined => {
  if (sup.keyword !== 'oneOf') return undefined;
  const matched = matches.map(({ old, new: now, parts }) => {
    const [source, target] = inOrderOf(pair.side, old, now);
    return { source, target, parts };
  });
  const isSame = (target: MergedSchema): boolean =>
    sub.keyword === 'oneOf' &&
    matched.some((match) => match.target === target && isEqual(pair, ...match.parts));
  const isAlone = (source: MergedSchema): boolean =>
    sub.keyword === 'anyOf' ||
    sub.branches.every((branch) => branch === source || areDisjoint(branch, source));
  const changed = sup.branches.filter((branch) => !isSame(branch));
  const overlaps = matched.flatMap(({ source, target }) =>
    changed
      .filter((branch) => branch !== target)
      .flatMap((branch) => {
        const overlap = overlapOf(pair, source, [target, branch]) ?? [];
        // Of values that fitted several branches before none was allowed.
        return isAlone(source) || overlap.length === 0 ? overlap : 'alternatives-overlap';
      }),
  );
  return overlaps.find((overlap) => overlap === 'alternatives-coincide') ?? overlaps[0];
};

const compareUnion = (pair: SchemaPair, old: Union, now: Union): void => {
  const { matches, removed, added } = matchBranches(pair, old, now);
  const [sub, sup] = inOrderOf(pair.side, old, now);
  // Branches of the values' side that continue nothing, and whose values another branch allows.
  const covered = new Map<MergedSchema, BranchMatch>();
  for (const branch of sub === old ? removed : added) {
    const parts = sup.branches
      .map((target) => inOrderOf(pair.side, branch, target))
      .findLast((both) => isWithin(pair, ...both));
    if (parts) covered.set(branch, { old: parts[0], new: parts[1], parts });
  }
  for (const { parts } of matches) pair.compareParts(...parts);
  for (const branch of [...removed, ...added]) {
    const isOld = removed.includes(branch);
    const change = isOld ? 'removed' : 'added';
    const rule = covered.has(branch) ? 'alternative-covered' : (`alternative-${change}` as const);
    const { pointer, component, types } = branch;
    pair.report(rule, ...lone(isOld, { pointer, text: component ?? typesText(types) }));
  }
  const [, target] = inOrderOf(pair.side, pair.old, pair.new);
  // A discriminator says which alternative a value is for.
  if (keywordOf(target, 'discriminator') !== undefined) return;
  const rule = overlapOfUnions(pair, [sub, sup], [...matches, ...covered.values()]);
  if (rule) pair.report(rule, { pointer: old.pointer }, { pointer: now.pointer });
};

/** Compares unions that both schemas have. */
export const compareUnions = (pair: SchemaPair): void => {
  for (const [old, now] of orderedPairs(pair.old.unions(), pair.new.unions())) {
    if (old && now) compareUnion(pair, old, now);
    else pair.report('alternatives-unclear', old, now);
  }
};

/** The values come from one of several alternatives: each must fit. */
const compareEach = (pair: SchemaPair, union: MergedSchema, single: MergedSchema): void => {
  // Where all are of the same types, it does not matter that each alternative is not of all.
  const isSameTypes = areEqual(union.types, single.types);
  for (const candidate of union.alternatives()) {
    const { pointer, types } = candidate;
    const other = isSameTypes ? single.narrowed({ types: namesOf(types) }) : single;
    // An alternative of types that the single schema has no value of: nothing is to be compared.
    if (commonTypes(types, single.types).size === 0) {
      const spot = { pointer, text: typesText(types) };
      bothOf(pair, ...lone(union === pair.old, spot), 'alternative');
    } else pair.compareParts(...inOrderOf(pair.side, candidate, other));
  }
};

/** The values must fit one of several alternatives. */
const compareWithOne = (
  pair: SchemaPair,
  { keyword, pointer }: Union,
  union: MergedSchema,
  whole: MergedSchema,
): void => {
  const isOld = union === pair.old;
  const alternatives = union.alternatives();
  const report = (rule: DiffRuleId): void => pair.report(rule, ...lone(isOld, { pointer }));
  const fittingFor = (single: MergedSchema): MergedSchema | undefined =>
    alternatives.find((one) => isWithin(pair, ...inOrderOf(pair.side, single, one)));
  const overlapping = (values: MergedSchema): Overlap | undefined =>
    keyword === 'oneOf' ? overlapOf(pair, values, alternatives) : undefined;
  const pieces = fittingFor(whole) === undefined ? piecesOf(whole) : [whole];
  const overlaps = pieces.map(overlapping);
  if (overlaps.includes('alternatives-coincide')) {
    report('alternatives-coincide');
    return;
  }
  if (pieces.map(fittingFor).includes(undefined)) {
    // The values may be held against one alternative where no other is of their types.
    const near = alternatives.filter(({ types }) => commonTypes(types, whole.types).size > 0);
    const [nearest] = [...near, ...alternatives];
    if (near.length > 1 || nearest === undefined) report('alternatives-unclear');
    else pair.compareParts(...inOrderOf(pair.side, whole, nearest));
    return;
  }
  report(isOld ? 'alternatives-removed' : 'alternatives-added');
  if (overlaps.includes('alternatives-overlap')) report('alternatives-overlap');
};

/** Compares schemas of which one alone has unions. */
export const compareLoneUnions = (pair: SchemaPair): void => {
  const isOld = pair.old.unions().length > 0;
  const [schema, other] = isOld ? [pair.old, pair.new] : [pair.new, pair.old];
  const [union, second] = schema.unions();
  if (union === undefined) return;
  if (second !== undefined) pair.report('alternatives-unclear', ...lone(isOld, second));
  const [sub] = inOrderOf(pair.side, pair.old, pair.new);
  if (sub === schema) compareEach(pair, schema, other);
  else compareWithOne(pair, union, schema, other);
};
