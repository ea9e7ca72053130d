/** A report for people: one line for each finding, and how many there are. */

import { describeDiagnostic } from '../../src/engine';
import { countOf, type Report } from './report';

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

export const textReport = (report: Report): string => {
  const errors = counted(countOf(report, 'error'), 'error');
  const warnings = counted(countOf(report, 'warning'), 'warning');
  const files = counted(report.files.length, 'file');
  const lines = [...report.problems.map(describeDiagnostic), `${errors}, ${warnings} in ${files}`];
  return lines.map((line) => `${line}\n`).join('');
};
