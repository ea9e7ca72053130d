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
import { counted } from './formats/text';

/** A fault in one operation or in many. */
export interface FailureCause {
  readonly rule: TestRule;
  /** In the order of the report. */
  readonly failures: readonly [Failure, ...Failure[]];
  /** The different operations, in the order of the report. */
  readonly operations: readonly string[];
}

/** The operation as people call it: `addThing (POST /things)`. */
export const failureTitle = ({ operation, endpoint }: Failure): string =>
  `${operation} (${endpoint})`;

/** The causes, in the order in which each came first. */
export const failureCauses = (failures: readonly Failure[]): readonly FailureCause[] => {
  // Grouped by the actual answer, not by expectation: each operation expects something else.
  const bySeen: readonly TestRule[] = ['no-response', 'server-error', 'undeclared-status'];
  // Grouped by the place: they expect a value of the moment.
  const byPlace: readonly TestRule[] = ['created-not-listed', 'value-changed', 'xml-differs'];
  const causeOf = ({ rule, expected, seen, place = '' }: Failure): string => {
    if (bySeen.includes(rule)) return seen;
    return byPlace.includes(rule) ? place : expected;
  };
  const groups = groupBy(failures, (failure) => JSON.stringify([failure.rule, causeOf(failure)]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const operations = [...new Set([first, ...others].map(failureTitle))];
    return [{ rule: first.rule, failures: [first, ...others] as const, operations }];
  });
};

/** Names what counts and was never reached by the reason: statuses, media types, fields, then credentials. */
export const missedByReason = (
  coverage: OperationCoverage,
): readonly (readonly [reason: string, names: string])[] => {
  const { statuses, requestMediaTypes, responseMediaTypes, fields, security } = coverage;
  const credentials: Readonly<Record<SecurityKind, string>> = {
    none: 'no credential',
    wrong: 'wrong credential',
    'wrong-place': 'wrong place',
    'too-few-scopes': 'too few scopes',
    right: 'right credential',
  };
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

/** Sentences on what was sent and never came back: `note: sent 40 times, never came back`. */
export const unreturnedSentences = ({ unreturned }: OperationCoverage): readonly string[] =>
  unreturned.map(
    ({ place, sent }) => `${place.slice(1)}: sent ${counted(sent, 'time')}, never came back`,
  );
