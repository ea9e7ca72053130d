/** A report for programs. */

import { countOf, type Report } from './report';

/**
 * JSON text: `{files: [path], errors: number, warnings: number, problems: [{file, line, column, severity, rule, pointer,
 * message}]}`. Lines and columns count from 1, columns in UTF-16 units; the pointer is a JSON Pointer into the file.
 */
export const jsonReport = (report: Report): string => {
  const problems = report.problems.map(
    ({ file, line, column, severity, rule, pointer, message }) => ({
      file,
      line,
      column,
      severity,
      rule,
      pointer,
      message,
    }),
  );
  const errors = countOf(report, 'error');
  const warnings = countOf(report, 'warning');
  return `${JSON.stringify({ files: report.files, errors, warnings, problems }, null, 2)}\n`;
};
