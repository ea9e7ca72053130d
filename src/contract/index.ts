/** What the project does with documents beside serving them: nothing else of this part is imported from outside. */

export {
  type AllowEntry,
  type AllowedChange,
  allowEntryText,
  withoutAllowed,
} from './diff/allow/allow-list';
export { InvalidAllowFile, readAllowFile } from './diff/allow/read-allow-file';
export type { Change, DiffRuleId, Severity, Side } from './diff/change';
export { diffDocuments } from './diff/diff-documents';
export { diffRules, isDiffRule } from './diff/rules/rules';
export { type Comparison, diffPage } from './report/diff-page';
export { testPage } from './report/test-page';
export { type RuleName, ruleDescriptions } from './test/rules';
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
} from './test/test-report';
