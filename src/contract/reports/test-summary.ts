/** The summary of a test: failures by their cause, since a server that forgets something does so in every operation, and the items that a run did not reach, by the reason. */

import { groupBy } from '../../base/group-by';
import type { TestRule } from '../tester/rules';
import type {
  Covered,
  CoveredSecurity,
  Failure,
  OperationCoverage,
  SecurityKind,
} from '../tester/test-report';

/** A fault in one operation or in many. */
export interface FailureCause {
  readonly rule: TestRule;
  /** In the order of the report. */
  readonly failures: readonly [Failure, ...Failure[]];
  /** The different operations, in the order of the report. */
  readonly operations: readonly string[];
}

/** Rules grouped by the actual answer, not by expectation: each operation expects something else. */
const bySeen = new Set<TestRule>(['no-response', 'server-error', 'undeclared-status']);
/** Rules grouped by the place: they expect a value of the moment. */
const byPlace = new Set<TestRule>(['created-not-listed', 'value-changed', 'xml-differs']);

/** The operation as people call it: `addThing (POST /things)`. */
export const failureTitle = ({ operation, endpoint }: Failure): string =>
  `${operation} (${endpoint})`;

/** The causes, in the order in which each came first. */
export const failureCauses = (failures: readonly Failure[]): readonly FailureCause[] => {
  const causeOf = ({ rule, expected, seen, place = '' }: Failure): string => {
    if (bySeen.has(rule)) return seen;
    return byPlace.has(rule) ? place : expected;
  };
  const groups = groupBy(failures, (one) => JSON.stringify([one.rule, causeOf(one)]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const operations = [...new Set([first, ...others].map(failureTitle))];
    return [{ rule: first.rule, failures: [first, ...others] as const, operations }];
  });
};

const credentials: Readonly<Record<SecurityKind, string>> = {
  none: 'no credential',
  wrong: 'wrong credential',
  'wrong-place': 'wrong place',
  'too-few-scopes': 'too few scopes',
  right: 'right credential',
};

/** Names what counts and was never reached by the reason: statuses, media types, fields, then credentials. */
export const missedByReason = ({
  statuses,
  requestMediaTypes,
  responseMediaTypes,
  fields,
  security,
}: OperationCoverage): readonly (readonly [reason: string, names: string])[] => {
  const isMissed = ({ count, failed, counts }: Covered | CoveredSecurity): boolean =>
    failed === 0 && count === 0 && counts;
  const missed = [
    ...[...statuses, ...requestMediaTypes, ...responseMediaTypes]
      .filter(isMissed)
      .map(({ key, reason }) => ({ name: key, reason })),
    ...fields
      // Wrong values are reached when one was refused: then it is known that they are.
      .filter(
        ({ valid, refused, failed, hasInvalid }) =>
          failed === 0 && (valid === 0 || (hasInvalid && refused === 0)),
      )
      .map(({ in: where, name, reason }) => ({ name: `${where} ${name}`, reason })),
    ...security.filter(isMissed).map(({ kind, reason }) => ({ name: credentials[kind], reason })),
  ];
  return [...groupBy(missed, ({ reason }) => reason ?? 'no reason is known')].map(
    ([reason, alike]) => [reason, alike.map(({ name }) => name).join(', ')],
  );
};
