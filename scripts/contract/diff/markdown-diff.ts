/** A comparison for a pull request: a table of the causes, with the operations that each touches. */

import { type Cause, causesOf } from '../../../src/contract';
import { type Diagnostic, describeDiagnostic, printable } from '../../../src/engine';
import { type DiffReport, operationsOf, ruleTable, summaryOf } from './diff-report';

/** Text that means itself in a table of Markdown: a bar would end the cell. */
const escaped = (text: string): string =>
  printable(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\`*_{}[\]<>|#~]/g, '\\$&');

const tableOf = ([head, ...rows]: readonly (readonly string[])[]): readonly string[] =>
  head === undefined
    ? []
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).concat('');

const rowOf = (cause: Cause): readonly string[] => {
  const { severity, message, rule, file, line } = cause.change;
  return [
    severity === 'breaking' ? '**breaking**' : severity,
    cause.sides.join(', '),
    escaped(message),
    escaped(operationsOf(cause)),
    rule,
    `${escaped(file)}:${line}`,
  ];
};

const causeTable = (causes: readonly Cause[]): readonly string[] =>
  causes.length === 0
    ? []
    : tableOf([
        ['Severity', 'Side', 'Change', 'Operations', 'Rule', 'Place'],
        ...causes.map(rowOf),
      ]);

/** Errors may hide changes, so that they come first. */
const problemList = (problems: readonly Diagnostic[]): readonly string[] =>
  problems.length === 0
    ? []
    : [
        '### Errors of the documents',
        '',
        ...problems.map((one) => `- ${escaped(describeDiagnostic(one))}`),
        '',
      ];

export const markdownDiff = (report: DiffReport): string => {
  const causes = causesOf(report.changes);
  return ['## Changes of the contract', '', `${summaryOf(report)}.`, '']
    .concat(problemList(report.problems), causeTable(causes), tableOf(ruleTable(causes)))
    .join('\n')
    .replace(/\n*$/, '\n');
};
