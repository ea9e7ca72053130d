/** A comparison for programs. */

import { problemFields } from '../json-report';
import type { DiffReport } from './diff-report';

/**
 * JSON text: `{breaking: boolean, problems: [{file, line, column, severity, rule, pointer, message}], changes: [{rule,
 * severity, side, operation, method, path, pointer, file, line, column, was, now, message}]}`. Lines and columns count from 1, columns in UTF-16 units.
 */
export const jsonDiff = ({ changes, problems }: DiffReport): string => {
  const breaking = changes.some(({ severity }) => severity === 'breaking');
  return `${JSON.stringify({ breaking, problems: problems.map(problemFields), changes }, null, 2)}\n`;
};
