/** Tests of values by the schemas that a schema applies to the very same value: its members, unions, conditions, and what is unevaluated. */

import { spend } from '../../base/fuel';
import { memoize } from '../../base/memoize';
import { InvalidSchema, isNever, type Schema } from '../../model/schema';
import { otherTag } from '../choices';
import { evaluatesAll, unevaluatedParts } from './evaluation';
import {
  type KeywordContext,
  restTest,
  type SameValue,
  type Test,
  testParts,
} from './keyword-tests';
import { ErrorReport, unionErrors } from './schema-errors';
import { sameValueSchemas, schemaInfo } from './schema-info';

/** Tests by a schema that the value need not fit; where it does not, nothing of it stays in the trail. */
const attempt = (
  test: Test,
  value: unknown,
  report: ErrorReport | undefined,
  same: SameValue | undefined,
): boolean => {
  const trail = same?.trail;
  const length = trail?.length ?? 0;
  const fits = test(value, report, same);
  if (!fits && trail !== undefined) trail.length = length;
  return fits;
};

/** Makes the test of `if`, `then` and `else`. */
const conditionTests = ({ schema, member, condition }: KeywordContext): readonly Test[] => {
  if (schema.if === undefined) return [];
  const holds = condition(schema.if);
  const ifTrue = schema.ifTrue && member(schema.ifTrue);
  const ifFalse = schema.ifFalse && member(schema.ifFalse);
  return [
    (value, report, same) => {
      const test = attempt(holds, value, undefined, same) ? ifTrue : ifFalse;
      return test === undefined || test(value, report, same);
    },
  ];
};

/** To try an alternative takes so many steps, beside those of what is in it. */
const STEPS_A_TRY = 2;

interface Alternative {
  readonly schema: Schema;
  readonly test: Test;
  /** Tells whether the value has the tag of another alternative. */
  readonly isForeign: ((value: unknown) => boolean) | undefined;
}

/**
 * Counts the alternatives that a value fits, until there are enough.
 * @param errors takes the errors of each alternative; undefined where none are wanted
 */
const countFitting = (
  alternatives: readonly Alternative[],
  enough: number,
  value: unknown,
  errors: ErrorReport['errors'][] | undefined,
  same: SameValue | undefined,
): number => {
  let fitting = 0;
  for (const { test } of alternatives) {
    spend(STEPS_A_TRY);
    const report = errors && new ErrorReport(true);
    if (attempt(test, value, report, same)) fitting += 1;
    if (report) errors.push(report.errors);
    if (fitting === enough) break;
  }
  return fitting;
};

/** Makes the test of `anyOf`, or of `oneOf`, which is exclusive. */
const unionTests = (
  schemas: readonly Schema[],
  isExclusive: boolean,
  { mode, info, member }: KeywordContext,
): readonly Test[] => {
  if (schemas.length === 0) return [];
  const possible = schemas.filter((schema) => !isNever(schema));
  const all = (possible.length > 0 ? possible : schemas).map((schema): Alternative => {
    const { unchecked } = schemaInfo(schema, mode, info);
    return { schema, test: member(schema), isForeign: otherTag(schema, unchecked) };
  });
  const isTagged = all.some(({ isForeign }) => isForeign !== undefined);
  /** Lists the alternatives that the value may fit; where it has no known tag and errors are wanted, all tell theirs. */
  const candidates = (value: unknown, isThorough: boolean): readonly Alternative[] => {
    if (!isTagged) return all;
    spend(all.length);
    const near = all.filter(({ isForeign }) => isForeign?.(value) !== true);
    const hasKnownTag = near.some(({ isForeign }) => isForeign !== undefined);
    return isThorough && !hasKnownTag ? all : near;
  };
  return [
    (value, report, same) => {
      // A union with a schema that is being applied holds wherever that one does.
      if (same && all.some(({ schema }) => same.applied.has(schema))) return true;
      // All that fit count for what is evaluated; of an exclusive union two are enough to fail.
      const enough = same?.trail && !isExclusive ? all.length : 1 + Number(isExclusive);
      const isThorough = report?.isThorough === true;
      const errors: ErrorReport['errors'][] | undefined = isThorough ? [] : undefined;
      const fitting = countFitting(candidates(value, isThorough), enough, value, errors, same);
      if (fitting === 1 || (fitting > 1 && !isExclusive)) return true;
      report?.errors.push(...unionErrors({ size: all.length, fitting, isExclusive }, errors ?? []));
      return false;
    },
  ];
};

/** Makes the test of `not`; what it evaluates never counts. */
const exclusionTests = ({ schema: { not }, condition }: KeywordContext): readonly Test[] => {
  if (not === undefined) return [];
  const excludes = condition(not);
  return [
    (value, report, same) => {
      if (same?.applied.has(not)) {
        throw new InvalidSchema('A schema must not exclude itself by "not".', 'not');
      }
      if (!excludes(value, undefined, same && { ...same, trail: undefined })) return true;
      report?.errors.push({
        path: '',
        message: 'must not be of the form that the document excludes',
        rule: 'not',
      });
      return false;
    },
  ];
};

/** Makes the tests of what a schema applies to the same value, `dependentSchemas` aside. */
export const appliedTests = (context: KeywordContext): readonly Test[] => {
  const { anyOf, oneOf, members } = context.schema;
  return [
    ...conditionTests(context),
    ...unionTests(anyOf, false, context),
    ...unionTests(oneOf, true, context),
    ...exclusionTests(context),
    ...[...new Set(members)].map(context.member),
  ];
};

const nothingApplied: SameValue = { trail: undefined, applied: new Set() };

/** Adds `unevaluatedProperties` and `unevaluatedItems` to the test of all other keywords, which leave in the trail what they evaluate. */
export const withUnevaluated = (within: Test, context: KeywordContext): Test => {
  const { unevaluatedProperties, unevaluatedItems } = context.schema;
  const rests = [
    unevaluatedProperties && {
      kind: 'properties' as const,
      test: restTest('unevaluatedProperties', unevaluatedProperties, context),
    },
    unevaluatedItems && {
      kind: 'items' as const,
      test: restTest('unevaluatedItems', unevaluatedItems, context),
    },
  ].filter((rest) => rest !== undefined);
  if (rests.length === 0) return within;
  return (value, report, same = nothingApplied) => {
    const trail = same.trail ?? [];
    const start = trail.length;
    if (!within(value, report, { ...same, trail })) return false;
    const results = rests.map(({ kind, test }) => {
      const parts = unevaluatedParts(kind, value, trail.slice(start));
      trail.push(evaluatesAll[kind]);
      return testParts(test, parts, report);
    });
    return results.every(Boolean);
  };
};

const isCircular = memoize((schema: Schema): boolean => {
  const inner = new Set(sameValueSchemas(schema));
  for (const next of inner) for (const one of sameValueSchemas(next)) inner.add(one);
  return inner.has(schema);
});

/** Lets a schema that applies itself to the same value hold where it is come to again. */
export const withoutCircles = (test: Test, schema: Schema): Test =>
  isCircular(schema)
    ? (value, report, same = nothingApplied) =>
        same.applied.has(schema) ||
        test(value, report, { ...same, applied: new Set(same.applied).add(schema) })
    : test;
