/** A check for code scanning. */

import { type Diagnostic, ruleDescriptions } from '../../src/engine';
import type { Report } from './report';
import { type SarifFinding, sarifLog } from './sarif-log';

/** A finding of a check, as SARIF has it. */
export const problemResult = ({ severity, ...place }: Diagnostic): SarifFinding => ({
  ...place,
  level: severity,
});

export const sarifReport = ({ files, problems }: Report): string =>
  sarifLog(files, ruleDescriptions, problems.map(problemResult));
