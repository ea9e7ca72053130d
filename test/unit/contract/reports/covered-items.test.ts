/** The items that the counts of a report become. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { kindsOf } from '../../../../src/contract/reports/covered-items';
import type {
  Covered,
  CoveredField,
  OperationCoverage,
} from '../../../../src/contract/tester/test-report';
import { tableOf } from '../../../support/text-cases';

const cases = join(__dirname, 'covered-items.cases.txt');

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

const itemsOf = (given: Partial<OperationCoverage>) =>
  kindsOf({ ...nothing, ...given }).flatMap(({ items }) =>
    items.map(({ name, state, text }) => [name, state, text]),
  );

const status: Covered = { key: '200', count: 0, failed: 0, counts: true };

test.each(tableOf(cases, 'a status'))('a status: %s', (_, given = '', ...want) => {
  expect(itemsOf({ statuses: [{ ...status, ...parse(given) }] })).toEqual([['200', ...want]]);
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
  expect(itemsOf({ fields: [{ ...field, ...parse(given) }] })).toEqual([['query limit', ...want]]);
});

test('kinds of credentials are told in words', () => {
  const kinds = ['none', 'wrong', 'wrong-place', 'too-few-scopes', 'right'] as const;
  const security = kinds.map((kind) => ({ kind, count: 1, failed: 0, counts: true }));
  expect(itemsOf({ security }).map(([name]) => name)).toEqual([
    'no credential',
    'wrong credential',
    'wrong place',
    'too few scopes',
    'right credential',
  ]);
});
