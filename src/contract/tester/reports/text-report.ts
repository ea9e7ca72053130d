/** A report for people: each cause of failures with what repeats it, then what was reached and what was not. */

import { groupBy, printable } from '../../../engine';
import { type FailureCause, failureCauses, titleOf } from '../causes';
import type { OperationCoverage, TestReport } from '../test-report';

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Further failures of a cause that are named. */
const MOST_NAMED = 10;

const causeText = ({ rule, failures: [first, ...others], operations }: FailureCause): string => {
  const where = operations.length > 1 ? `${operations.length} operations` : titleOf(first);
  const more = others.length - MOST_NAMED;
  return [
    `FAILED ${where}: ${rule}`,
    `  sent:     ${operations.length > 1 ? `${titleOf(first)}: ` : ''}${first.sent}`,
    `  expected: ${first.expected}`,
    `  seen:     ${first.seen}`,
    ...first.curl.split('\n').map((line) => `  ${line}`),
    ...others.slice(0, MOST_NAMED).map((one) => `  also:     ${titleOf(one)}: ${one.sent}`),
    ...(more > 0 ? [`  and ${more} more; --format json tells each`] : []),
  ]
    .map(printable)
    .join('\n');
};

/** Causes that are seen at a glance, without a table. */
const AT_A_GLANCE = 3;

const ruleTable = (causes: readonly FailureCause[]): string => {
  if (causes.length <= AT_A_GLANCE) return '';
  const rules = [...groupBy(causes, ({ rule }) => rule)].map(([rule, alike]) => ({
    rule,
    causes: alike.length,
    failures: alike.reduce((sum, { failures }) => sum + failures.length, 0),
  }));
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const row = (rule: string, ...cells: readonly (string | number)[]): string =>
    [rule.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join('  ');
  return [
    row('rule', 'causes', 'failures'),
    ...rules
      .toSorted((one, other) => other.failures - one.failures)
      .map((one) => row(one.rule, one.causes, one.failures)),
  ].join('\n');
};

const missingText = ({
  statuses,
  requestMediaTypes,
  responseMediaTypes,
  fields,
  security,
}: OperationCoverage): string[] => {
  const missing = [
    ...[...statuses, ...requestMediaTypes, ...responseMediaTypes]
      .filter(({ count, counts }) => counts && count === 0)
      .map(({ key, reason }) => ({ name: key, reason })),
    ...fields
      .filter(({ valid, refused, hasInvalid }) => valid === 0 || (hasInvalid && refused === 0))
      .map((field) => ({ name: `${field.in} ${field.name}`.trim(), reason: field.reason })),
    ...security
      .filter(({ count, counts }) => counts && count === 0)
      .map(({ kind, reason }) => ({ name: `credential ${kind}`, reason })),
  ];
  return [...groupBy(missing, ({ reason }) => reason)].map(
    ([reason, alike]) => `${alike.map(({ name }) => name).join(', ')}: ${reason}`,
  );
};

const coverageText = (coverage: OperationCoverage): string => {
  const { operation, covered, total, requests } = coverage;
  const head = `${operation}: ${covered} of ${total}, ${counted(requests, 'request')}`;
  const missing = missingText(coverage).map((line) => `  not reached: ${line}`);
  return [head, ...missing].map(printable).join('\n');
};

/** Writes causes of failures first, then coverage, then how many of each rule, and the sum. */
export const textReport = (report: TestReport): string => {
  const { failures, coverage, requests, seed } = report;
  const causes = failureCauses(failures);
  const told = failures.length > causes.length ? ` of ${counted(causes.length, 'cause')}` : '';
  const sum = `${counted(failures.length, 'failure')}${told} in ${counted(requests, 'request')}, coverage ${coverage.percent}% (${coverage.covered} of ${coverage.total}), seed ${seed}`;
  const parts = [
    ...causes.map(causeText),
    coverage.operations.map(coverageText).join('\n'),
    ruleTable(causes),
    sum,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
};
