/** A comparison for programs. */

import type { DiffReport } from './diff-report';

/**
 * JSON text: `{breaking: boolean, changes: [{rule, severity, side, operation, method, path, pointer, file, line, column, was,
 * now, message}]}`. Lines and columns count from 1, columns in UTF-16 units.
 */
export const jsonDiff = ({ changes }: DiffReport): string => {
  const breaking = changes.some(({ severity }) => severity === 'breaking');
  return `${JSON.stringify({ breaking, changes }, null, 2)}\n`;
};
