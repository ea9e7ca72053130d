/** Failures of one cause are told once, with what each of them was; what counts as never reached is named by the reason. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Failure } from '../../../../src/contract';
import { testFormats } from '../../../../src/contract/reports/test-report';
import { failureCauses, missedByReason } from '../../../../src/contract/reports/test-summary';
import type {
  Covered,
  CoveredField,
  OperationCoverage,
} from '../../../../src/contract/tester/test-report';
import { petStoreReport, reportOf } from '../../../support/reports';
import { tableOf } from '../../../support/text-cases';

const [model] = petStoreReport().failures;
const operations = petStoreReport().coverage.operations.slice(0, 3);

const failure = (operation: string, change: Partial<Failure>): Failure => {
  if (model === undefined) throw new Error('The report has no failure');
  const { place: _, ...rest } = model;
  return {
    ...rest,
    operation,
    sent: `what ${operation} was sent`,
    curl: `curl ${operation}`,
    ...change,
  };
};

const seen = (rule: Failure['rule'], expected: string, came: string, place?: string) => ({
  rule,
  expected,
  seen: came,
  ...(place === undefined ? {} : { place }),
});

test.each<[string, Partial<Failure>, Partial<Failure>, number]>([
  ['the same', seen('challenge-missing', 'a', 'b'), seen('challenge-missing', 'a', 'b'), 1],
  ['other rules', seen('challenge-missing', 'a', 'b'), seen('allow-missing', 'a', 'b'), 2],
  [
    'other places',
    seen('invalid-accepted', '4xx', '200', 'a'),
    seen('invalid-accepted', '4xx', '201', 'b'),
    1,
  ],
  ['other bodies', seen('body-invalid', 'text', '1'), seen('body-invalid', 'text', '2'), 1],
  ['other expectations', seen('body-invalid', 'text', '1'), seen('body-invalid', 'number', '1'), 2],
  [
    'declared statuses',
    seen('undeclared-status', '200', '501'),
    seen('undeclared-status', '201', '501'),
    1,
  ],
  [
    'server errors',
    seen('server-error', 'no 5xx', '500'),
    seen('server-error', 'no 5xx', '501'),
    2,
  ],
  ['values', seen('value-changed', '1', '2', '/id'), seen('value-changed', '3', '4', '/id'), 1],
])('causes of %s', (_title, one, other, count) => {
  const causes = failureCauses([failure('addPet', one), failure('updatePet', other)]);
  expect(causes.map(({ failures }) => failures.length)).toEqual(count === 1 ? [2] : [1, 1]);
});

const rules = ['challenge-missing', 'allow-missing', 'server-error', 'body-invalid'] as const;
const report = reportOf(
  operations,
  rules.flatMap((rule) =>
    Array.from({ length: 14 }, (_, index) =>
      failure(operations[index % 3]?.operation ?? '', { rule, sent: `${rule} ${index}` }),
    ),
  ),
);

test('text names ten more of a cause, and counts by rule at the end', () => {
  const text = testFormats.text(report);
  expect(text.match(/FAILED 3 operations: allow-missing/g)).toHaveLength(1);
  expect(text.match(/^ {2}also: .*allow-missing/gm)).toHaveLength(10);
  expect(text).toContain('  and 3 more; --format json has each\n');
  expect(text).toMatch(
    /rule +causes +failures\nchallenge-missing +1 +14\n(?:.*\n){3}\n56 failures of 4 causes in /,
  );
});

test('JUnit has an element for each cause of an operation, with all commands', () => {
  const xml = testFormats.junit(report);
  expect(xml.match(/<failure /g)).toHaveLength(rules.length * 3);
  expect(xml).toContain('And 4 more of this cause.');
  expect(xml.match(new RegExp(`curl ${operations[0]?.operation}\\b`, 'g'))).toHaveLength(4 * 5);
});

test('a page has each failure below its cause', () => {
  const page = testFormats.html(report);
  expect(page.match(/14 failures of one cause in 3 operations/g)).toHaveLength(rules.length);
  expect(page.match(/<details class="item"/g)).toHaveLength(56);
});

const cases = join(__dirname, 'test-summary.cases.txt');

const nothing: OperationCoverage = {
  document: 'things',
  operation: 'getThing',
  endpoint: 'GET /things/{id}',
  requests: 0,
  failures: 0,
  statuses: [],
  requestMediaTypes: [],
  responseMediaTypes: [],
  fields: [],
  security: [],
  unreturned: [],
  covered: 0,
  total: 0,
};

const missedIn = (given: Partial<OperationCoverage>) =>
  missedByReason({ ...nothing, ...given }).map(([reason, names]) => `${names}: ${reason}`);

const status: Covered = { key: '200', count: 0, failed: 0, counts: true };

test.each(tableOf(cases, 'a status'))('a status: %s', (_, given = '', ...want) => {
  expect(missedIn({ statuses: [{ ...status, ...parse(given) }] })).toEqual(want);
});

const field: CoveredField = {
  in: 'query',
  name: 'limit',
  valid: 4,
  invalid: 3,
  refused: 3,
  failed: 0,
  hasInvalid: true,
};

test.each(tableOf(cases, 'a field'))('a field: %s', (_, given = '', ...want) => {
  expect(missedIn({ fields: [{ ...field, ...parse(given) }] })).toEqual(want);
});

test('kinds of credentials are told in words', () => {
  const kinds = ['none', 'wrong', 'wrong-place', 'too-few-scopes', 'right'] as const;
  const security = kinds.map((kind) => ({ kind, count: 0, failed: 0, counts: true }));
  expect(missedIn({ security })).toEqual([
    'no credential, wrong credential, wrong place, too few scopes, right credential: no reason is known',
  ]);
});

test('items of one reason stand together', () => {
  const statuses = ['200', '404'].map((key) => ({ ...status, key, reason: 'never asked' }));
  const requestMediaTypes = [{ ...status, key: 'text/csv', reason: 'no value' }];
  expect(missedIn({ statuses, requestMediaTypes })).toEqual([
    '200, 404: never asked',
    'text/csv: no value',
  ]);
});
