/** Reports as a test of the pet store could make them, for tests of their pages. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { rootFolder } from '../../scripts/root-folder';
import type {
  Covered,
  CoveredField,
  CoveredSecurity,
  Failure,
  OperationCoverage,
  TestReport,
} from '../../src/contract/tester/test-report';
import { parseApiDocument } from '../../src/engine';
import type { Operation } from '../../src/model/operation';

const reached = (key: string, count: number): Covered => ({ key, count, failed: 0, counts: true });

const statusOf = (key: string): Covered => {
  if (/^5|default/.test(key))
    return { key, count: 0, failed: 0, counts: false, reason: 'no client can bring it about' };
  if (key === '404')
    return { key, count: 0, failed: 0, counts: true, reason: 'no id was unknown to the server' };
  return reached(key, Number(key) - 180);
};

const fieldOf = (where: CoveredField['in'], name: string): CoveredField =>
  name === 'name' || name === 'username'
    ? {
        in: where,
        name,
        valid: 31,
        invalid: 0,
        refused: 0,
        failed: 0,
        hasInvalid: false,
        reason: 'every text is valid',
      }
    : { in: where, name, valid: 24, invalid: 18, refused: 18, failed: 0, hasInvalid: true };

const bodyFields = ({ requestBody }: Operation): readonly CoveredField[] =>
  requestBody === undefined
    ? []
    : ['id', 'name', 'tags', 'status'].map((name) => fieldOf('body', name));

const securityOf = ({ security }: Operation): readonly CoveredSecurity[] =>
  security.length === 0
    ? []
    : (['none', 'wrong', 'wrong-place', 'too-few-scopes', 'right'] as const).map((kind) => ({
        kind,
        count: kind === 'right' ? 88 : 4,
        failed: 0,
        counts: true,
      }));

const coverageOf = (operation: Operation): OperationCoverage => {
  const { operationId, method, path, requestBody, responses, parameters } = operation;
  const parts = {
    statuses: responses.map(({ key }) => statusOf(key)),
    requestMediaTypes: (requestBody?.content ?? []).map(({ key }, index) =>
      reached(key, 40 - index),
    ),
    responseMediaTypes: responses.flatMap(({ key: status, content }) =>
      content.map(({ key }) => reached(`${status} ${key}`, 16)),
    ),
    fields: [...parameters.map((one) => fieldOf(one.in, one.name)), ...bodyFields(operation)],
    security: securityOf(operation),
    unreturned: [],
  };
  const missed = parts.statuses.filter(({ count, counts }) => counts && count === 0).length;
  const total =
    Object.values(parts).flat().length - parts.statuses.filter(({ counts }) => !counts).length;
  return {
    document: 'petstore',
    operation: operationId,
    endpoint: `${method.toUpperCase()} ${path}`,
    requests: 60 + 7 * total,
    failures: 0,
    ...parts,
    covered: total - missed,
    total,
  };
};

const origin = 'http://127.0.0.1:8080/petstore';

const failures: readonly Failure[] = parse(readFileSync(join(__dirname, 'reports.yaml'), 'utf8'));

/** Marks what the failures concern. */
const withFailures = (coverage: OperationCoverage): OperationCoverage => {
  const mine = failures.filter(({ operation }) => operation === coverage.operation);
  if (mine.length === 0) return coverage;
  return {
    ...coverage,
    failures: mine.length,
    statuses: coverage.statuses.map((one) => (one.key === '200' ? { ...one, failed: 1 } : one)),
    fields: coverage.fields.map((one) =>
      one.name === 'status' ? { ...one, refused: 17, failed: 1 } : one,
    ),
  };
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** A report of the operations. */
export const reportOf = (
  operations: readonly OperationCoverage[],
  found: readonly Failure[],
): TestReport => {
  const covered = sumOf(operations.map((one) => one.covered));
  const total = sumOf(operations.map((one) => one.total));
  return {
    seed: 1_234_567,
    depth: 'normal',
    isComplete: true,
    requests: sumOf(operations.map((one) => one.requests)),
    documents: [
      {
        name: 'petstore',
        file: 'specs/petstore.yaml',
        title: 'Pet Store',
        version: '1.0.0',
        url: origin,
      },
    ],
    failures: found,
    coverage: {
      percent: total === 0 ? 100 : Math.floor((covered / total) * 1000) / 10,
      covered,
      total,
      operations,
    },
  };
};

/** The 19 operations, two of them with failures, some not wholly reached. */
export const petStoreReport = (): TestReport => {
  const file = join(rootFolder, 'specs/petstore.yaml');
  const { operations } = parseApiDocument(file, readFileSync(file, 'utf8'));
  return reportOf(operations.map(coverageOf).map(withFailures), failures);
};
