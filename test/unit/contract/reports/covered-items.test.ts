/** The items that the counts of a report become. */

import { expect, test } from '@jest/globals';
import { kindsOf } from '../../../../src/contract/reports/covered-items';
import type {
  Covered,
  CoveredField,
  OperationCoverage,
} from '../../../../src/contract/tester/test-report';

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

test.each<[string, Partial<Covered>, state: string, text: string]>([
  ['seen', { count: 1 }, 'reached', '1 time'],
  ['seen often', { count: 1200 }, 'reached', '1,200 times'],
  ['seen though it need not be', { count: 2, counts: false }, 'reached', '2 times'],
  ['failed', { count: 3, failed: 2 }, 'failed', '3 times, 2 failures'],
  [
    'not seen',
    { reason: 'it was never asked for' },
    'missed',
    'never reached: it was never asked for',
  ],
  ['not seen, for no known reason', {}, 'missed', 'never reached'],
  [
    'not seen and not to be',
    { counts: false, reason: 'no client can' },
    'uncounted',
    'not counted: no client can',
  ],
])('a status: %s', (_, given, ...want) => {
  expect(itemsOf({ statuses: [{ ...status, ...given }] })).toEqual([['200', ...want]]);
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

test.each<[string, Partial<CoveredField>, state: string, text: string]>([
  ['right and wrong values', {}, 'reached', '4 valid, 3 invalid, 3 refused'],
  [
    'no wrong values there',
    { invalid: 0, refused: 0, hasInvalid: false, reason: 'every text is valid' },
    'reached',
    '4 valid: every text is valid',
  ],
  [
    'wrong values not sent',
    { invalid: 0, refused: 0, reason: 'none was found' },
    'missed',
    '4 valid, 0 invalid, 0 refused: none was found',
  ],
  [
    'wrong values not refused',
    { refused: 0, reason: 'no invalid value was refused' },
    'missed',
    '4 valid, 3 invalid, 0 refused: no invalid value was refused',
  ],
  ['right values not sent', { valid: 0 }, 'missed', '0 valid, 3 invalid, 3 refused'],
  [
    'a wrong value accepted',
    { refused: 2, failed: 1 },
    'failed',
    '4 valid, 3 invalid, 2 refused, 1 failure',
  ],
])('a field: %s', (_, given, ...want) => {
  expect(itemsOf({ fields: [{ ...field, ...given }] })).toEqual([['query limit', ...want]]);
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
