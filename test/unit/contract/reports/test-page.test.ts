/** The page of a test says all that the report says. */

import { describe, expect, test } from '@jest/globals';
import { kindsOf } from '../../../../src/contract/reports/covered-items';
import { testPage } from '../../../../src/contract/reports/test-page';
import type { Exchange, Failure, TestReport } from '../../../../src/contract/tester/test-report';
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
}: Exchange): readonly (string | undefined)[] => [
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

/** The row of an operation, with what it unfolds to. */
const rowOf = (text: string, operation: string): string =>
  text
    .split('<details class="row"')
    .slice(1)
    .find((row) => row.includes(`>${operation}</span>`)) ?? '';

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
  'has each item of %s in its row, with counts and reasons',
  (operation, coverage) => {
    const row = textOf(`<${rowOf(page, operation)}`);
    const items = kindsOf(coverage).flatMap((kind) => kind.items);
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ name, text }) => !row.includes(`${name} ${text}`))).toEqual([]);
  },
);

test('names what was never reached and what failed in the row itself, in words', () => {
  expect(textOf(`<${rowOf(page, 'getPetById').split('</summary>')[0]}`)).toContain('○ 404');
  expect(textOf(`<${rowOf(page, 'addPet').split('</summary>')[0]}`)).toContain('✕ body status');
});

test('lists what was never reached under its reason', () => {
  const section = textOf(/<section id="missed">.*?<\/section>/s.exec(page)?.[0] ?? '');
  const missed = operations.filter(({ covered, total }) => covered < total);
  expect(missed.length).toBeGreaterThan(0);
  expect(section).toContain(`no id was unknown to the server ${missed.length} items`);
  expect(missed.filter(({ endpoint }) => !section.includes(`${endpoint} 404`))).toEqual([]);
});

test('begins with what failed, then what was not reached, then the rest', () => {
  const states = [...page.matchAll(/<details class="row" data-state="([^"]*)"/g)];
  const missed = operations.filter(({ covered, total }) => covered < total).length;
  expect(states.map(([, state]) => state)).toEqual([
    'failed',
    'failed',
    ...Array.from({ length: missed }, () => 'missed'),
    ...Array.from({ length: operations.length - missed - 2 }, () => ''),
  ]);
});

test('a failure is linked from the row of its operation, and only from there', () => {
  const linksIn = (operation: string) =>
    [...rowOf(page, operation).matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
  expect(linksIn('addPet')).toEqual(['failure-1', 'failure-2']);
  expect(linksIn('getInventory')).toEqual(['failure-3']);
  expect(linksIn('updatePet')).toEqual([]);
});

describe('the summary', () => {
  const summaryOf = (given: TestReport) =>
    textOf(testPage(given).split('<div class="filter"')[0] ?? '');

  test('says failures, share, requests, seed and depth', () => {
    const { percent, covered, total } = report.coverage;
    const text = summaryOf(report);
    for (const part of [
      '✕ 3 failures in 2 of 19 operations',
      `Reached ${percent} % ${covered} of ${total} items`,
      `Never reached ${total - covered} items`,
      `Requests ${report.requests.toLocaleString('en')}`,
      `Seed ${report.seed} depth normal`,
      'specs/petstore.yaml at http://127.0.0.1:8080/petstore',
    ])
      expect(text).toContain(part);
  });

  test('without failures says so', () => {
    const whole = summaryOf({ ...report, failures: [] });
    expect(whole).toContain('✓ No failures');
    expect(whole).not.toContain('✕');
  });

  test('of several documents names each, and rows name theirs', () => {
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

describe('a long report', () => {
  const many = Array.from({ length: 1000 }, (_, index) => {
    const one = operations[index % operations.length];
    if (one === undefined) throw new Error('There is no operation');
    return { ...one, operation: `operation${index}` };
  });
  const [failure] = report.failures;
  const [exchange] = failure?.exchanges ?? [];
  const failures = (count: number): Failure[] =>
    Array.from({ length: count }, (_, index) => {
      if (failure === undefined || exchange === undefined) throw new Error('There is no failure');
      const request = { ...exchange.request, body: `${'x'.repeat(4000)}y` };
      return { ...failure, operation: `operation${index}`, exchanges: [{ ...exchange, request }] };
    });

  test('of 1,000 operations and 1,000 failures has a few megabytes', () => {
    const long = testPage(reportOf(many, failures(1000)));
    expect(long.match(/<details class="row"/g)).toHaveLength(1000);
    expect(long.match(/<details class="failure"/g)).toHaveLength(1000);
    expect(long.length).toBeLessThan(7_000_000);
    expect(long).toContain('… (4,001 characters)');
  });

  test('has whole bodies as long as there are not many', () => {
    expect(testPage(reportOf(many.slice(0, 1), failures(100)))).toContain('xy');
    expect(testPage(reportOf(many.slice(0, 1), failures(101)))).not.toContain('xy');
  });
});
