/** The public face of the contracts: two documents compared, a server tested, and the reports on both. */

export {
  type AllowEntry,
  allowEntryText,
  InvalidAllowFile,
  readAllowFile,
  withoutAllowed,
} from './diff/allow-list';
export type { Change } from './diff/change';
export { diffDocuments } from './diff/diff-documents';
export { type CheckReport, checkFormats } from './reports/check-report';
export {
  type Cause,
  causesOf,
  type DiffReport,
  diffFormats,
  type FailOn,
  isFailing,
  listedNames,
} from './reports/diff-report';
export { testFormats } from './reports/test-report';
export { type TestRule, testRules } from './tester/rules';
export { type Progress, type TestOptions, UnusableOptions } from './tester/run/test-options';
export { testServer } from './tester/run/test-server';
export type { Credential } from './tester/session/credentials';
export { type Depth, type Failure, joinReports, type TestReport } from './tester/test-report';
