/** A comparison for people: each cause with the operations that it touches. */

import { type Cause, causesOf } from '../../../src/contract';
import { describeDiagnostic, printable } from '../../../src/engine';
import { type DiffReport, operationsOf, ruleTable, summaryOf } from './diff-report';

const linesOf = (cause: Cause): readonly string[] => {
  const { file, line, column, severity, rule, message } = cause.change;
  return [
    `${file}:${line}:${column} ${severity} (${cause.sides.join(', ')}) ${rule}: ${message}`,
    `  ${operationsOf(cause)}`,
  ];
};

const tableLines = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const cell = (text: string, at: number): string =>
    at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(cell).join('  '));
};

export const textDiff = (report: DiffReport): string => {
  const causes = causesOf(report.changes);
  return [
    ...report.problems.map(describeDiagnostic),
    ...causes.flatMap(linesOf),
    ...tableLines(ruleTable(causes)),
    summaryOf(report),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
};
