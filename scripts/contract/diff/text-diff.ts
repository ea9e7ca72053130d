/** A comparison for people: the changes of each operation, one line each. */

import type { Change } from '../../../src/contract';
import { describeDiagnostic, printable } from '../../../src/engine';
import { type DiffReport, groupsOf, summaryOf } from './diff-report';

const lineOf = ({ file, line, column, severity, side, rule, message }: Change): string =>
  `  ${file}:${line}:${column} ${severity} (${side}) ${rule}: ${message}`;

export const textDiff = (report: DiffReport): string =>
  [
    ...report.problems.map(describeDiagnostic),
    ...groupsOf(report.changes).flatMap((group) => [group.title, ...group.changes.map(lineOf)]),
    summaryOf(report),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
