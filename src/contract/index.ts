/** What the project does with documents beside serving them: nothing else of this part is imported from outside. */

export {
  type AllowEntry,
  allowEntryText,
  withoutAllowed,
} from './diff/allow/allow-list';
export { InvalidAllowFile, readAllowFile } from './diff/allow/read-allow-file';
export type { Change, DiffRuleId, Severity, Side } from './diff/change';
export { diffDocuments } from './diff/diff-documents';
export { diffRules, isDiffRule } from './diff/rules/rules';
export { type Cause, causesOf, listedNames, severities } from './report/changes';
export { testPage } from './report/test-page';
export { joinReports } from './tester/reports/join-reports';
export { reportWriters } from './tester/reports/writers';
export { type RuleName, ruleDescriptions } from './tester/rules';
export { type Progress, type TestOptions, UnusableOptions } from './tester/run/test-options';
export { testServer } from './tester/run/test-server';
export type { Credential } from './tester/session/credentials';
export type {
  Covered,
  CoveredField,
  CoveredSecurity,
  Depth,
  Exchange,
  Failure,
  OperationCoverage,
  SecurityKind,
  TestReport,
} from './tester/test-report';
