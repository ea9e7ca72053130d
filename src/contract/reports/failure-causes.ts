/** Failures by their cause: a server that forgets something does so in every operation, and reports list it once. */

import { groupBy } from '../../base/group-by';
import type { TestRule } from '../tester/rules';
import type { Failure } from '../tester/test-report';

/** A fault in one operation or in many. */
export interface FailureCause {
  readonly rule: TestRule;
  /** In the order of the report. */
  readonly failures: readonly [Failure, ...Failure[]];
  /** The different operations, in the order of the report. */
  readonly operations: readonly string[];
}

/** Rules of which the answer tells the cause: what is expected is the operation's. */
const bySeen = new Set<TestRule>(['no-response', 'server-error', 'undeclared-status']);
/** Rules of which the place tells the cause: what is expected is a value of the moment. */
const byPlace = new Set<TestRule>(['created-not-listed', 'value-changed', 'xml-differs']);

const causeOf = ({ rule, expected, seen, place = '' }: Failure): string => {
  if (bySeen.has(rule)) return seen;
  return byPlace.has(rule) ? place : expected;
};

const isSome = (failures: readonly Failure[]): failures is FailureCause['failures'] =>
  failures.length > 0;

/** The operation as people call it: `addThing (POST /things)`. */
export const titleOf = ({ operation, endpoint }: Failure): string => `${operation} (${endpoint})`;

/** The causes, in the order in which each came first. */
export const failureCauses = (failures: readonly Failure[]): readonly FailureCause[] =>
  [...groupBy(failures, (failure) => JSON.stringify([failure.rule, causeOf(failure)])).values()]
    .filter(isSome)
    .map((alike) => ({
      rule: alike[0].rule,
      failures: alike,
      operations: [...groupBy(alike, titleOf).keys()],
    }));
