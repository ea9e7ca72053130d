/** The items that count as never reached, by the reason. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { missedByReason } from '../../../../src/contract/reports/missed-items';
import type {
  Covered,
  CoveredField,
  OperationCoverage,
} from '../../../../src/contract/tester/test-report';
import { tableOf } from '../../../support/text-cases';

const cases = join(__dirname, 'missed-items.cases.txt');

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
