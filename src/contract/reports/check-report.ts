/** The report of a check of documents: what is wrong with each, and where. */

import {
  type Diagnostic,
  describeDiagnostic,
  ruleDescriptions,
} from '../../document/diagnostics/diagnostic';
import { jsonReport } from './formats/json';
import { type SarifFinding, sarifReport } from './formats/sarif';
import { counted, textReport } from './formats/text';

/** The problems of documents, in the order of the files and of each file's lines. */
export interface CheckReport {
  readonly files: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** Gives the fields of a problem that reports for programs hold. */
export const problemFields = (problem: Diagnostic): object => {
  const { file, line, column, severity, rule, pointer, message } = problem;
  return { file, line, column, severity, rule, pointer, message };
};

/** Gives a problem as SARIF has it. */
export const problemFinding = ({ severity, ...place }: Diagnostic): SarifFinding => ({
  ...place,
  level: severity,
});

const problemCounts = ({ problems }: CheckReport): { errors: number; warnings: number } => {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: problems.length - errors };
};

/** The formats of the report: functions that write it, by their names. */
export const checkFormats = {
  text: (report: CheckReport): string => {
    const { errors, warnings } = problemCounts(report);
    const summary = `${counted(errors, 'error')}, ${counted(warnings, 'warning')} in ${counted(report.files.length, 'file')}`;
    return textReport([...report.problems.map(describeDiagnostic), summary]);
  },
  /** Lines and columns count from 1, columns in UTF-16 units; the pointer is a JSON Pointer into the file. */
  json: (report: CheckReport): string =>
    jsonReport({
      files: report.files,
      ...problemCounts(report),
      problems: report.problems.map(problemFields),
    }),
  sarif: ({ files, problems }: CheckReport): string =>
    sarifReport(files, ruleDescriptions, problems.map(problemFinding)),
} as const;
