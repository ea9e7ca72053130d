/**
 * Compares schemas as a graph of pairs: each pair is looked at once, with what it finds itself and which pairs it leads to, so
 * that recursive schemas end and what many operations share is compared once.
 */

import { memoizePairs } from '../../../base/memoize';
import { recover } from '../../../base/recover';
import type { LoadedDocument } from '../../../document/document';
import { anySchema, type Schema } from '../../../model/schema';
import { type Finding, reporter } from '../rules/finding';
import { diffRule, type Side } from '../rules/rules';
import {
  compareDefaults,
  compareDeprecation,
  compareDiscriminators,
  compareItems,
  compareNot,
} from './compare-annotations';
import { compareConditions, compareContains } from './compare-conditions';
import { compareObjects } from './compare-objects';
import {
  areOctets,
  compareContents,
  compareEnums,
  compareFormats,
  compareLimits,
  compareMultiples,
  comparePatterns,
  compareTypes,
  haveSameValues,
} from './compare-types';
import { compareLoneUnions, compareUnions } from './compare-unions';
import { compareXml } from './compare-xml';
import { type MergedSchema, schemaMerger } from './merged-schema';
import { listed } from './possible-values';
import { sameSchemas } from './same-schemas';
import type { Relation, SchemaPair, Wire } from './schema-pair';
import { areEqual } from './schema-types';

interface PairNode {
  readonly findings: Finding[];
  readonly leadsTo: Set<PairNode>;
  /** Compares the two themselves; undefined from when it runs. */
  compare: (() => void) | undefined;
}

/** Every pair that one leads to, itself included; none of them waits for those that it leads to. */
const reachable = (start: PairNode, isToCompare = true): ReadonlySet<PairNode> => {
  const nodes = new Set([start]);
  // A set that grows while it is walked is walked to its end.
  for (const node of nodes) {
    const { compare } = node;
    if (isToCompare) {
      node.compare = undefined;
      compare?.();
    }
    for (const next of node.leadsTo) nodes.add(next);
  }
  return nodes;
};

/** Steps that the comparison of one message may take: alternatives within alternatives multiply. */
const MOST_STEPS = 50_000;

/** Ends a comparison that takes more steps. */
class TooManySteps extends Error {}

/** The relations from the best to the worst. */
const relations: readonly Relation[] = ['same', 'equal', 'fits', 'unclear', 'breaks'];

/** The relation of the sets of values before and after a finding. */
const relationBy = ({ rule, side }: Finding): Relation => {
  const { request, response, ofValues } = diffRule(rule);
  const isNeutral = request === 'compatible' && response === 'compatible';
  // Of these one set holds the other, whichever that is.
  const isOneWithin = rule === 'alternatives-added' || rule === 'alternatives-removed';
  if (isNeutral && !isOneWithin) return 'equal';
  const severity = side === 'response' ? ofValues : request;
  return ({ compatible: 'fits', warning: 'unclear', breaking: 'breaks' } as const)[severity];
};

const relationIn = (start: PairNode, takeStep: () => void): Relation => {
  let worst = 0;
  for (const { findings } of reachable(start)) {
    takeStep();
    for (const finding of findings) {
      worst = Math.max(worst, relations.indexOf(relationBy(finding)));
    }
  }
  return relations[worst] ?? 'breaks';
};

const compareValues = (pair: SchemaPair): void => {
  const { old, new: now } = pair;
  const [unions, newUnions] = [old.unions().length, now.unions().length];
  const haveUnions = unions > 0 && newUnions > 0;
  const [oldList, newList] = unions + newUnions > 0 ? [listed(old), listed(now)] : [old, now];
  const isListed = oldList.unions().length + newList.unions().length === 0;
  // Unions of listed values are enums in other words; between two unions, alternatives are told.
  if (unions + newUnions > 0 && isListed && (!haveUnions || haveSameValues(oldList, newList))) {
    compareValues({ ...pair, old: oldList, new: newList });
    return;
  }
  if (!haveUnions && unions + newUnions > 0) {
    compareLoneUnions(pair);
    return;
  }
  // Where the types are others, alternatives tell which; where they are the same, it does not matter what says so.
  const isOwn = haveUnions && !areEqual(old.types, now.types);
  const [types, newTypes] = isOwn ? [old.ownTypes, now.ownTypes] : [old.types, now.types];
  // Octets are of no type, whether that is left out or, as in OAS 3.0, called a string.
  if (!areOctets(pair) && !compareTypes(pair, types, newTypes)) return;
  compareFormats(pair);
  compareEnums(pair);
  compareLimits(pair);
  compareMultiples(pair);
  comparePatterns(pair);
  compareContents(pair);
  compareItems(pair);
  compareObjects(pair);
  compareNot(pair);
  compareContains(pair);
  compareConditions(pair);
  if (haveUnions) compareUnions(pair);
};

const comparePair = (pair: SchemaPair): void => {
  if (pair.old.broken !== pair.new.broken) {
    const [old, now] = [pair.old, pair.new].map(({ pointer, broken: text }) => ({ pointer, text }));
    pair.report('reference-broken', old, now);
    return;
  }
  compareDefaults(pair);
  compareDeprecation(pair);
  compareDiscriminators(pair);
  compareXml(pair);
  compareValues(pair);
};

/** Finds the changes between two schemas; undefined stands for any value. */
export type CompareSchemas = (
  old: Schema | undefined,
  now: Schema | undefined,
  side: Side,
  wire: Wire,
) => readonly Finding[];

/** Makes the comparison of two documents' schemas. */
export const schemaComparison = (
  oldDocument: LoadedDocument,
  newDocument: LoadedDocument,
): CompareSchemas => {
  const [mergeOld, mergeNew] = [schemaMerger(oldDocument), schemaMerger(newDocument)];
  const nodesOf = memoizePairs(
    (_old: MergedSchema, _now: MergedSchema) => new Map<string, PairNode>(),
  );

  const isSame = sameSchemas(oldDocument, newDocument);
  const areSame: SchemaPair['areSame'] = (old, now) =>
    old.length === now.length && old.every((schema, at) => isSame(schema, now[at] ?? anySchema));
  let stepsLeft = MOST_STEPS;
  const takeStep = (): void => {
    stepsLeft -= 1;
    if (stepsLeft < 0) throw new TooManySteps();
  };

  const nodeOf = (old: MergedSchema, now: MergedSchema, side: Side, wire: Wire): PairNode => {
    const nodes = nodesOf(old, now);
    const key = `${side} ${JSON.stringify(wire)}`;
    const before = nodes.get(key);
    if (before !== undefined) return before;
    const node: PairNode = { findings: [], leadsTo: new Set(), compare: undefined };
    nodes.set(key, node);
    const isNamedAlike = wire.xml?.old === wire.xml?.new;
    if (old.broken !== undefined || !isNamedAlike || !areSame(old.ownParts, now.ownParts)) {
      node.compare = () => {
        const { report } = reporter(node.findings, side);
        try {
          takeStep();
          comparePair({
            old,
            new: now,
            side,
            wire,
            areSame,
            report,
            compareParts: (oldPart, newPart, partWire = wire) =>
              void node.leadsTo.add(nodeOf(oldPart, newPart, side, partWire)),
            relationOf: (oldPart, newPart) =>
              relationIn(nodeOf(oldPart, newPart, side, wire), takeStep),
          });
        } catch (error) {
          // Whatever else leads to this pair must not take what was found so far for all.
          if (error instanceof TooManySteps) {
            report('comparison-incomplete', { pointer: old.pointer }, { pointer: now.pointer });
          }
          throw error;
        }
      };
    }
    return node;
  };

  const merged = (merge: typeof mergeOld, schema: Schema | undefined): MergedSchema =>
    merge(schema === undefined ? [] : [schema]);

  return (old, now, side, wire) => {
    const root = nodeOf(merged(mergeOld, old), merged(mergeNew, now), side, wire);
    stepsLeft = MOST_STEPS;
    // The pairs of the whole message, as far as they can be compared.
    const pairs = recover(
      () => reachable(root),
      TooManySteps,
      () => reachable(root, false),
    );
    const findings = [...pairs].flatMap((pair) => pair.findings);
    const incomplete = findings.find(({ rule }) => rule === 'comparison-incomplete');
    return findings.filter(
      (finding) => finding.rule !== 'comparison-incomplete' || finding === incomplete,
    );
  };
};
