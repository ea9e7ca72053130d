/** The public face of the contracts: two documents compared, a server tested, and the reports on both. */

import { withOptionalPackage } from '../base/optional-package';
import type { TestOptions } from './tester/session/session';
import type { TestReport } from './tester/test-report';

export type { Credential } from '../requests/credentials';
export {
  type AllowEntry,
  allowEntryText,
  InvalidAllowFile,
  readAllowFile,
  withoutAllowed,
} from './diff/allow-list';
export { diffDocuments } from './diff/diff-documents';
export type { Change } from './diff/place-changes';
export { diffRuleSections } from './diff/rules/rules';
export { versionFaults } from './diff/version-rise';
export { type CheckReport, checkFormats } from './reports/check-report';
export {
  accountOf,
  type Cause,
  causesOf,
  type DiffReport,
  diffFormats,
  editAccount,
  type FailOn,
  isFailing,
  listedNames,
} from './reports/diff-report';
export { jsonReport } from './reports/formats/json';
export { testFormats } from './reports/test-report';
export { answerChecker } from './tester/checks/check-answer';
export { type TestRule, testRules } from './tester/rules';
export { UnusableOptions } from './tester/run/test-options';
export type { Progress, TestOptions } from './tester/session/session';
export { type Depth, type Failure, joinReports, type TestReport } from './tester/test-report';

/**
 * Tests a server. Resolves to the report, whatever the server does.
 * @throws UnusableOptions where an option does not fit the document, or nothing answers at the URL
 * @throws MissingPackage where fast-check, which nothing else needs, is not installed
 */
export const testServer = async (options: TestOptions): Promise<TestReport> => {
  const load = async () =>
    require('./tester/run/test-server') as typeof import('./tester/run/test-server');
  const tester = await withOptionalPackage('fast-check', 'the test of a server', load);
  return tester.runServerTest(options);
};
