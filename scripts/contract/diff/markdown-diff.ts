/** A comparison for a pull request: a table of the changes of each operation. */

import type { Change } from '../../../src/contract';
import { type Diagnostic, describeDiagnostic, printable } from '../../../src/engine';
import { type ChangeGroup, type DiffReport, groupsOf, summaryOf } from './diff-report';

/** Text that means itself in a table of Markdown: a bar would end the cell. */
const escaped = (text: string): string =>
  printable(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\`*_{}[\]<>|#~]/g, '\\$&');

const rowOf = ({ severity, side, rule, message, file, line }: Change): string =>
  `| ${severity === 'breaking' ? '**breaking**' : severity} | ${side} | ${escaped(message)} | ${rule} | ${escaped(file)}:${line} |`;

const sectionOf = ({ title, changes }: ChangeGroup): string =>
  [
    `### ${escaped(title)}`,
    '',
    '| Severity | Side | Change | Rule | Place |',
    '|---|---|---|---|---|',
    ...changes.map(rowOf),
    '',
  ].join('\n');

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

export const markdownDiff = (report: DiffReport): string =>
  ['## Changes of the contract', '', `${summaryOf(report)}.`, '']
    .concat(problemList(report.problems), groupsOf(report.changes).map(sectionOf))
    .join('\n')
    .replace(/\n*$/, '\n');
