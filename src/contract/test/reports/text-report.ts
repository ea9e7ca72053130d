/** A report for people: each failure with what repeats it, then what was reached and what was not. */

import { printable } from '../../../engine';
import type { Failure, OperationCoverage, TestReport } from '../test-report';

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

const failureText = ({ endpoint, operation, rule, sent, expected, seen, curl }: Failure): string =>
  [
    `FAILED ${operation} (${endpoint}): ${rule}`,
    `  sent:     ${sent}`,
    `  expected: ${expected}`,
    `  seen:     ${seen}`,
    ...curl.split('\n').map((line) => `  ${line}`),
  ]
    .map(printable)
    .join('\n');

const missingText = ({
  statuses,
  requestMediaTypes,
  responseMediaTypes,
  fields,
  security,
}: OperationCoverage): string[] => [
  ...[...statuses, ...requestMediaTypes, ...responseMediaTypes]
    .filter(({ count, counts }) => counts && count === 0)
    .map(({ key, reason }) => `${key}: ${reason}`),
  ...fields
    .filter(({ valid, refused, hasInvalid }) => valid === 0 || (hasInvalid && refused === 0))
    .map((field) => `${field.in} ${field.name}: ${field.reason ?? 'no wrong value was refused'}`),
  ...security
    .filter(({ count, counts }) => counts && count === 0)
    .map(({ kind, reason }) => `credential ${kind}: ${reason}`),
];

const coverageText = (coverage: OperationCoverage): string => {
  const { operation, covered, total, requests } = coverage;
  const head = `${operation}: ${covered} of ${total}, ${counted(requests, 'request')}`;
  const missing = missingText(coverage).map((line) => `  not reached: ${line}`);
  return [head, ...missing].map(printable).join('\n');
};

/** Failures first, then coverage, then the sum. */
export const textReport = (report: TestReport): string => {
  const { failures, coverage, requests, seed } = report;
  const sum = `${counted(failures.length, 'failure')} in ${counted(requests, 'request')}, coverage ${coverage.percent}% (${coverage.covered} of ${coverage.total}), seed ${seed}`;
  const parts = [
    ...failures.map(failureText),
    coverage.operations.map(coverageText).join('\n'),
    sum,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
};
