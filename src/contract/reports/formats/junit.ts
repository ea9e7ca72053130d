/** Reports in the XML of JUnit, for CI. */

import { escapeAttribute, escapeText } from '../../../schema/xml-object';

/** A problem of a test case: a `failure` of the tested thing, or an `error` that prevented the test. */
export interface JunitProblem {
  readonly kind: 'failure' | 'error';
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/** A test case; it passes where it has no problem. */
export interface JunitCase {
  readonly name: string;
  readonly problems: readonly JunitProblem[];
  readonly output?: string;
}

/** Test cases of one kind. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');

const caseCounts = (cases: readonly JunitCase[]) => {
  const countOf = (kind: JunitProblem['kind']): number =>
    cases.filter(({ problems }) => problems.some((problem) => problem.kind === kind)).length;
  return { tests: cases.length, failures: countOf('failure'), errors: countOf('error') };
};

const caseLines = ({ name, problems, output }: JunitCase, classname: string): readonly string[] => [
  `    <testcase${attributes({ classname, name })}>`,
  ...problems.map(
    ({ kind, type, message, text }) =>
      `      <${kind}${attributes({ type, message })}>${escapeText(text)}</${kind}>`,
  ),
  ...(output === undefined ? [] : [`      <system-out>${escapeText(output)}</system-out>`]),
  '    </testcase>',
];

/** Writes a report of that name. */
export const junitReport = (name: string, suites: readonly JunitSuite[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...caseCounts(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap(({ name: suite, cases }) => [
      `  <testsuite${attributes({ name: suite, ...caseCounts(cases), skipped: 0 })}>`,
      ...cases.flatMap((testCase) => caseLines(testCase, suite)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
