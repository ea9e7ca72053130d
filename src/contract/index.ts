/** The way into what is done with contracts: documents and servers held against each other. */

export { joinReports } from './test/reports/join-reports';
export { reportWriters } from './test/reports/writers';
export { type RuleName, ruleDescriptions } from './test/rules';
export { type Progress, type TestOptions, UnusableOptions } from './test/run/test-options';
export { testServer } from './test/run/test-server';
export type { Credential } from './test/session/credentials';
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
