/** The way into what is done with contracts: documents and servers held against each other. */

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
