/** The page of a test says all that the report says. */

import { describe, expect, test } from '@jest/globals';
import { testPage } from '../../../../src/contract/reports/test-page';
import type { Failure, ReportedExchange } from '../../../../src/contract/tester/test-report';
import { hostileTexts, withHostileTexts } from '../../../support/hostile-texts';
import { petStoreReport, reportOf } from '../../../support/reports';
import { closedUp, elementsOf, expectSound, textOf } from './sound-page';

const report = petStoreReport();
const page = testPage(report);
const { operations } = report.coverage;

const textsOfExchange = ({
  request,
  response,
  error,
}: ReportedExchange): readonly (string | undefined)[] => [
  `${request.method} ${request.url}`,
  ...request.headers.map(([name, value]) => `${name}: ${value}`),
  request.body,
  response && `${response.status} ${response.statusText}`,
  ...(response?.headers ?? []).map(([name, value]) => `${name}: ${value}`),
  response?.body,
  error,
];

const textsOfFailure = (failure: Failure): readonly string[] =>
  [
    failure.operation,
    failure.rule,
    failure.message,
    failure.expected,
    failure.seen,
    failure.sent,
    failure.place,
    failure.curl,
    ...failure.exchanges.flatMap(textsOfExchange),
  ].filter((text) => text !== undefined);

/** The cells of the row of an operation, after its name. */
const cellsOf = (text: string, operation: string): readonly string[] => {
  const row = text.split('<tr>').find((one) => one.includes(`: ${operation}</th>`)) ?? '';
  return (
    row
      .split('</th>')[1]
      ?.split('</td>')
      .map((cell) => textOf(cell).trim()) ?? []
  );
};

test('is sound', () => {
  expectSound(page);
});

test.each(report.failures.map((failure) => [failure.rule, failure] as const))(
  'shows the failure %s with all that belongs to it',
  (_, failure) => {
    const text = textOf(page);
    expect(textsOfFailure(failure).filter((one) => !text.includes(closedUp(one)))).toEqual([]);
  },
);

test.each(operations.map((one) => [one.operation, one] as const))(
  'has the coverage of %s in its row',
  (operation, { requests, failures, covered, total }) => {
    const [asked, failed, reached, missed] = cellsOf(page, operation);
    expect([asked, failed, reached]).toEqual([
      String(requests),
      String(failures),
      `${covered} of ${total}`,
    ]);
    expect(missed).toBe(covered < total ? '404 : no id was unknown to the server' : '');
  },
);

describe('the summary', () => {
  test('says failures, share, requests, seed and depth', () => {
    const { percent, covered, total } = report.coverage;
    const requests = report.requests.toLocaleString('en');
    expect(textOf(page)).toContain(
      `3 failures in ${requests} requests, coverage ${percent}% (${covered} of ${total}), seed ${report.seed}, depth normal`,
    );
    expect(textOf(page)).toContain('specs/petstore.yaml at http://127.0.0.1:8080/petstore');
  });

  test('without failures says so', () => {
    const whole = textOf(testPage({ ...report, failures: [] }));
    expect(whole).toContain('0 failures in');
    expect(whole).toContain('Failures None.');
  });

  test('of several documents names each', () => {
    const [first] = report.documents;
    if (first === undefined) throw new Error('There is no document');
    const text = textOf(
      testPage({
        ...report,
        documents: [first, { ...first, title: 'Advertisements', file: 'specs/ads.yaml' }],
      }),
    );
    expect(text).toContain('Advertisements 1.0.0: specs/ads.yaml');
    expect(text).toContain('petstore: addPet');
  });

  test('of nothing is a page, too', () => {
    const empty = testPage(reportOf([], []));
    expectSound(empty);
    expect(empty).not.toContain('NaN');
  });
});

describe('keeps hostile texts as texts', () => {
  const kept = ['rule', 'in', 'kind', 'depth'];

  test.each(hostileTexts)('%s', (_, hostile) => {
    const spoilt = testPage(withHostileTexts(report, hostile, kept));
    expectSound(spoilt);
    expect(elementsOf(spoilt)).toEqual(elementsOf(page));
    const text = textOf(spoilt);
    for (const { message, curl } of report.failures) {
      expect(text).toContain(closedUp(hostile + message));
      expect(text).toContain(closedUp(hostile + curl));
    }
  });
});

test('says which failures have one cause', () => {
  const [failure] = report.failures;
  if (failure === undefined) throw new Error('There is no failure');
  const other = { ...failure, operation: 'updatePet', endpoint: 'PUT /pet' };
  expect(textOf(testPage({ ...report, failures: [failure, other] }))).toContain(
    'invalid-accepted : 2 failures of one cause in 2 operations',
  );
});
