/** What a check of several documents has found. */

import type { Diagnostic } from '../../src/engine';

/** In the order of the files, and of each file's findings. */
export interface Report {
  readonly files: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** How many of the findings are of one severity. */
export const countOf = ({ problems }: Report, severity: Diagnostic['severity']): number =>
  problems.filter((problem) => problem.severity === severity).length;
