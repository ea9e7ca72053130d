/** Makes one report of several. */

import type { OperationCoverage, TestReport } from '../test-report';

/** The part of the items that was covered, of some operations. */
export const percentOf = (
  operations: readonly Pick<OperationCoverage, 'covered' | 'total'>[],
): { readonly percent: number; readonly covered: number; readonly total: number } => {
  const covered = operations.reduce((sum, one) => sum + one.covered, 0);
  const total = operations.reduce((sum, one) => sum + one.total, 0);
  const percent = total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10;
  return { percent, covered, total };
};

/** The report of all; the seed and the depth are those of the first. */
export const joinReports = (reports: readonly TestReport[]): TestReport => {
  const [first] = reports;
  const operations = reports.flatMap(({ coverage }) => coverage.operations);
  return {
    seed: first?.seed ?? 0,
    depth: first?.depth ?? 'normal',
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    isComplete: reports.every(({ isComplete }) => isComplete),
    documents: reports.flatMap(({ documents }) => documents),
    failures: reports.flatMap(({ failures }) => failures),
    coverage: { ...percentOf(operations), operations },
  };
};
