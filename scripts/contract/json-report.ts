/** A report for programs. */

import type { Diagnostic } from '../../src/engine';
import { countOf, type Report } from './report';

/** The fields of a finding that reports for programs hold. */
export const problemFields = (problem: Diagnostic): object => {
  const { file, line, column, severity, rule, pointer, message } = problem;
  return { file, line, column, severity, rule, pointer, message };
};

/**
 * JSON text: `{files: [path], errors: number, warnings: number, problems: [{file, line, column, severity, rule, pointer,
 * message}]}`. Lines and columns count from 1, columns in UTF-16 units; the pointer is a JSON Pointer into the file.
 */
export const jsonReport = (report: Report): string => {
  const problems = report.problems.map(problemFields);
  const errors = countOf(report, 'error');
  const warnings = countOf(report, 'warning');
  return `${JSON.stringify({ files: report.files, errors, warnings, problems }, null, 2)}\n`;
};
