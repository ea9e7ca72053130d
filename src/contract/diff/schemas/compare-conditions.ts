/** Compares `contains`, conditions, and what decides which properties and items count as evaluated. */

import { constraintsOf, type Schema } from '../../../model/schema';
import { bothOf, entryPairs, orderedPairs } from '../rules/finding';
import { areDisjoint } from './compare-unions';
import type { MergedSchema } from './merged-schema';
import { limitsOf } from './possible-values';
import { bothUnlessIdle, isEqual, type Keyword, keywordsOf, type SchemaPair } from './schema-pair';

const compareContainsCounts = (pair: SchemaPair, old: Keyword<Schema>, now: Keyword<Schema>) => {
  const limitsIn = (keyword: 'minContains' | 'maxContains') => {
    const inPart = (schema: MergedSchema, { part }: Keyword) =>
      limitsOf(schema, keyword).find((limit) => limit.part === part);
    return [inPart(pair.old, old), inPart(pair.new, now)] as const;
  };
  const [least, newLeast] = [old.part.minContains ?? 1, now.part.minContains ?? 1];
  if (least !== newLeast) {
    const rule = least < newLeast ? 'min-contains-raised' : 'min-contains-lowered';
    pair.report(rule, ...limitsIn('minContains'));
  }
  const [most = Infinity, newMost = Infinity] = [old.part.maxContains, now.part.maxContains];
  const both =
    most === newMost ? undefined : bothOf(pair, ...limitsIn('maxContains'), 'max-contains');
  if (both) pair.report(`max-contains-${most < newMost ? 'raised' : 'lowered'}`, ...both);
};

/** Compares how many items must fit a schema. */
export const compareContains = (pair: SchemaPair): void => {
  if (!pair.old.types.has('array') || !pair.new.types.has('array')) return;
  const occurrences = (schema: MergedSchema) =>
    keywordsOf(schema, 'contains').filter(
      // Where no item need fit, and all may, it says something of what is evaluated alone.
      ({ part: { minContains, maxContains } }) =>
        minContains !== 0 || (maxContains ?? schema.evaluation) !== undefined,
    );
  for (const [old, now] of orderedPairs(occurrences(pair.old), occurrences(pair.new))) {
    const both = bothOf(pair, old, now, 'contains');
    if (both === undefined) continue;
    const schemas = [pair.old.merge([both[0].value]), pair.new.merge([both[1].value])] as const;
    const isOneEnough = both.every(
      ({ part: { minContains = 1, maxContains } }) =>
        minContains === 1 && maxContains === undefined,
    );
    // Where more items may fit, more than the most may.
    if (isEqual(pair, ...schemas)) compareContainsCounts(pair, ...both);
    else if (isOneEnough) pair.compareParts(...schemas);
    else pair.report('contains-changed', ...both);
  }
};

/** Gives the schemas that hold where a property is there, by its name. */
const dependentSchemas = (schema: MergedSchema) => {
  const all = keywordsOf(schema, 'dependentSchemas').flatMap(({ value }) => [...value]);
  const limited = all.filter(([, dependent]) => constraintsOf(dependent).length > 0);
  const schemasOf = (name: string) => limited.filter(([one]) => one === name).map(([, one]) => one);
  return new Map(
    limited.map(([name, { pointer }]) => {
      return [name, { pointer, text: name, schema: schema.merge(schemasOf(name)) }] as const;
    }),
  );
};

/** Tells whether nothing follows from a condition for values of the other schema. What fits it is evaluated all the same. */
const isIdleCondition = (
  { part: { ifTrue, ifFalse }, value }: Keyword<Schema>,
  schema: MergedSchema,
  other: MergedSchema,
): boolean => {
  const [then, otherwise] = [ifTrue, ifFalse].map(
    (branch) => branch && constraintsOf(branch).length > 0,
  );
  return !schema.evaluation && !otherwise && !(then && !areDisjoint(schema.merge([value]), other));
};

/** Compares what holds under a condition. */
export const compareConditions = (pair: SchemaPair): void => {
  const conditions = (schema: MergedSchema) =>
    keywordsOf(schema, 'if').filter((condition) => !isIdleCondition(condition, schema, schema));
  for (const both of orderedPairs(conditions(pair.old), conditions(pair.new))) {
    const [old, now] = bothUnlessIdle(pair, both, 'condition', isIdleCondition) ?? [];
    if (old === undefined || now === undefined) continue;
    if (!isEqual(pair, pair.old.merge([old.value]), pair.new.merge([now.value]))) {
      pair.report('condition-changed', old, now);
      continue;
    }
    for (const keyword of ['ifTrue', 'ifFalse'] as const) {
      const branchOf = (schema: MergedSchema, { part }: Keyword): MergedSchema =>
        schema.merge(part[keyword] ? [part[keyword]] : []);
      pair.compareParts(branchOf(pair.old, old), branchOf(pair.new, now));
    }
  }
  for (const names of entryPairs(dependentSchemas(pair.old), dependentSchemas(pair.new))) {
    const both = bothOf(pair, ...names, 'dependent-schema');
    if (both) pair.compareParts(both[0].schema, both[1].schema);
  }
  if (pair.old.evaluation !== pair.new.evaluation) {
    const [old, now] = [pair.old, pair.new].map(({ pointer }) => ({ pointer }));
    pair.report('unevaluated-unclear', old, now);
  }
};
