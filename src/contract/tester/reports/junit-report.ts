/** A report for CI in the format of JUnit: a suite for each document, a case for each operation. */

import { type FailureCause, failureCauses } from '../causes';
import type { TestReport } from '../test-report';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

// What XML 1.0 has no place for (section 2.2) becomes U+FFFD.
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escapeXml = (text: string): string =>
  text
    .replaceAll(illegal, '\uFFFD')
    .replaceAll(/[&<>"\n]/g, (character) => entities[character] ?? character);

const failureElement = ({ rule, failures }: FailureCause): string => {
  const [first, ...others] = failures;
  const more = others.length > 0 ? ` And ${others.length} more of this cause.` : '';
  const commands = failures.map(({ curl }) => curl).join('\n');
  return `<failure type="${rule}" message="${escapeXml(first.message + more)}">${escapeXml(commands)}</failure>`;
};

/** XML text; each cause of failures is an element of its operation's case, the commands as the text. */
export const junitReport = ({ documents, failures, coverage }: TestReport): string => {
  const suites = documents.map(({ name }) => {
    const operations = coverage.operations.filter(({ document }) => document === name);
    const ofDocument = failures.filter(({ document }) => document === name);
    const cases = operations.map(({ operation }) => {
      const own = ofDocument.filter((failure) => failure.operation === operation);
      const inner = failureCauses(own)
        .map((cause) => `\n      ${failureElement(cause)}`)
        .join('');
      return `    <testcase classname="${escapeXml(name)}" name="${escapeXml(operation)}">${inner}\n    </testcase>\n`;
    });
    const failed = operations.filter(({ failures: count }) => count > 0).length;
    return `  <testsuite name="${escapeXml(name)}" tests="${operations.length}" failures="${failed}">\n${cases.join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
};
