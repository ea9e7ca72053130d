/** The report of a test: each cause of failures with what repeats it, then what was reached and what was not. */

import { groupBy } from '../../base/group-by';
import type { TestReport } from '../tester/test-report';
import { jsonReport } from './formats/json';
import { type JunitProblem, type JunitSuite, junitReport } from './formats/junit';
import { alignedRows, counted, textReport } from './formats/text';
import { testPage } from './test-page';
import {
  type FailureCause,
  failureCauses,
  failureTitle,
  missedByReason,
  unreturnedSentences,
} from './test-summary';

/** Further failures of a cause that are named. */
const MOST_NAMED = 10;

const causeLines = ({ rule, failures, operations }: FailureCause): readonly string[] => {
  const [first, ...others] = failures;
  const isShared = operations.length > 1;
  const where = isShared ? `${operations.length} operations` : failureTitle(first);
  const more = others.length - MOST_NAMED;
  return [
    `FAILED ${where}: ${rule}`,
    `  sent:     ${isShared ? `${failureTitle(first)}: ` : ''}${first.sent}`,
    `  expected: ${first.expected}`,
    `  seen:     ${first.seen}`,
    ...first.curl.split('\n').map((line) => `  ${line}`),
    ...others
      .slice(0, MOST_NAMED)
      .map((other) => `  also:     ${failureTitle(other)}: ${other.sent}`),
    ...(more > 0 ? [`  and ${more} more; --format json has each`] : []),
  ];
};

const ruleLines = (causes: readonly FailureCause[]): readonly string[] => {
  // Causes that are seen at a glance, without a table.
  const atAGlance = 3;
  if (causes.length <= atAGlance) return [];
  const rows = [...groupBy(causes, ({ rule }) => rule)]
    .map(
      ([rule, alike]) => [rule, alike.length, alike.flatMap((one) => one.failures).length] as const,
    )
    .toSorted(([, , failures], [, , others]) => others - failures);
  return alignedRows([['rule', 'causes', 'failures'], ...rows.map((row) => row.map(String))]);
};

const text = ({ failures, coverage, requests, seed }: TestReport): string => {
  const causes = failureCauses(failures);
  const ofCauses = failures.length > causes.length ? ` of ${counted(causes.length, 'cause')}` : '';
  const summary = `${counted(failures.length, 'failure')}${ofCauses} in ${counted(requests, 'request')}, coverage ${coverage.percent}% (${coverage.covered} of ${coverage.total}), seed ${seed}`;
  return textReport(
    ...causes.map(causeLines),
    coverage.operations.flatMap((operation) => [
      `${operation.operation}: ${operation.covered} of ${operation.total}, ${counted(operation.requests, 'request')}`,
      ...missedByReason(operation).map(([reason, names]) => `  not reached: ${names}: ${reason}`),
      ...unreturnedSentences(operation).map((sentence) => `  ${sentence}`),
    ]),
    ruleLines(causes),
    [summary],
  );
};

/** A suite for each document, a case for each operation; the commands are the text of a failure. */
const junit = ({ documents, failures, coverage }: TestReport): string => {
  const problemOfCause = ({ rule, failures: [first, ...others] }: FailureCause): JunitProblem => ({
    kind: 'failure',
    type: rule,
    message: first.message + (others.length > 0 ? ` And ${others.length} more of this cause.` : ''),
    text: [first, ...others].map(({ curl }) => curl).join('\n'),
  });
  const suites = documents.map(({ name }): JunitSuite => {
    const operations = coverage.operations.filter(({ document }) => document === name);
    const cases = operations.map(({ operation }) => {
      const own = failures.filter(
        (failure) => failure.document === name && failure.operation === operation,
      );
      return { name: operation, problems: failureCauses(own).map(problemOfCause) };
    });
    return { name, cases };
  });
  return junitReport('spec-first test', suites);
};

/** The formats of the report: functions that write it, by their names. */
export const testFormats = { text, json: jsonReport, junit, html: testPage } as const;
