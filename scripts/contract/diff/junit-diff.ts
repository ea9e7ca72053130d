/** A comparison for CI that reads JUnit's XML: each change is a test case, and fails where it fails the comparison. */

import { type Change, severities } from '../../../src/contract';
import {
  type Diagnostic,
  describeDiagnostic,
  escapeAttribute,
  escapeText,
  groupBy,
} from '../../../src/engine';
import { type DiffReport, type FailOn, isFailing, titleOf } from './diff-report';

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');

const caseOf = (change: Change, title: string, failOn: FailOn): string => {
  const { rule, severity, side, pointer, message, file, line, column } = change;
  const start = `    <testcase${attributes({ classname: title, name: `${rule} ${pointer} (${side})` })}>`;
  const text = escapeText(`${file}:${line}:${column} ${severity}: ${message}`);
  const outcome = isFailing(change, failOn)
    ? `<failure${attributes({ type: rule, message })}>${text}</failure>`
    : `<system-out>${text}</system-out>`;
  return `${start}${outcome}</testcase>`;
};

interface ChangeGroup {
  readonly title: string;
  readonly changes: readonly Change[];
}

/** The changes by operation, the worst of each first. */
const groupsOf = (changes: readonly Change[]): readonly ChangeGroup[] =>
  [...groupBy(changes, titleOf)].map(([title, group]) => ({
    title,
    changes: group.toSorted(
      (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
    ),
  }));

const failuresIn = (changes: readonly Change[], failOn: FailOn): number =>
  changes.filter((change) => isFailing(change, failOn)).length;

const suiteOf = ({ title, changes }: ChangeGroup, failOn: FailOn): readonly string[] => [
  `  <testsuite${attributes({ name: title, tests: changes.length, failures: failuresIn(changes, failOn), errors: 0, skipped: 0 })}>`,
  ...changes.map((change) => caseOf(change, title, failOn)),
  '  </testsuite>',
];

/** The errors of the documents: they may hide changes. */
const problemSuite = (problems: readonly Diagnostic[]): readonly string[] => {
  const name = 'documents';
  if (problems.length === 0) return [];
  return [
    `  <testsuite${attributes({ name, tests: problems.length, failures: 0, errors: problems.length, skipped: 0 })}>`,
    ...problems.map((problem) => {
      const { rule, pointer, message } = problem;
      const start = `    <testcase${attributes({ classname: name, name: `${rule} ${pointer}` })}>`;
      const text = escapeText(describeDiagnostic(problem));
      return `${start}<error${attributes({ type: rule, message })}>${text}</error></testcase>`;
    }),
    '  </testsuite>',
  ];
};

/** Many readers take a report without a test case for a broken one. */
const unchanged = [
  `  <testsuite${attributes({ name: 'contract diff', tests: 1, failures: 0, errors: 0, skipped: 0 })}>`,
  `    <testcase${attributes({ classname: 'contract diff', name: 'no changes' })}/>`,
  '  </testsuite>',
];

export const junitDiff = ({ changes, problems, failOn }: DiffReport): string => {
  const suites = [
    ...problemSuite(problems),
    ...groupsOf(changes).flatMap((group) => suiteOf(group, failOn)),
  ];
  const totals = {
    name: 'contract diff',
    tests: Math.max(1, problems.length + changes.length),
    failures: failuresIn(changes, failOn),
    errors: problems.length,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    ...(suites.length > 0 ? suites : unchanged),
    '</testsuites>',
    '',
  ].join('\n');
};
