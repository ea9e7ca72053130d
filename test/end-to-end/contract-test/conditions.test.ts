/** A server of bookings: a sound one has no failure, each mistake with keys and ETags is found, and a lost property is told. */

import { describe, expect, test } from '@jest/globals';
import { testFormats, testServer } from '../../../src/contract';
import { serveDocument } from '../../support/serve-document';
import { bookingFaults, bookingHandlers, bookings, servedBookings } from './bookings-server';

test('a server that keeps keys and conditions has no failure, and every status is reached', async () => {
  const { url } = await serveDocument({
    ...{ document: servedBookings, validateResponses: false },
    handlers: bookingHandlers(),
  });
  const { document } = await serveDocument({ document: bookings });
  for (const depth of ['quick', 'normal'] as const) {
    // Keys of the first run are still known in the second.
    const { failures, coverage } = await testServer({ document, url, depth });
    expect(failures.map(({ message }) => message)).toEqual([]);
    const missed = coverage.operations.flatMap(({ operation, statuses }) =>
      statuses.filter(({ count }) => count === 0).map(({ key }) => `${operation} ${key}`),
    );
    expect(missed).toEqual([]);
  }
});

describe('each mistake is found', () => {
  test.each(bookingFaults)('$name', async ({ manner, rule, operations }) => {
    const { url } = await serveDocument({
      ...{ document: servedBookings, validateResponses: false },
      handlers: bookingHandlers(manner),
    });
    const { document } = await serveDocument({ document: bookings });
    const { failures } = await testServer({ document, url, depth: 'quick' });
    expect(failures.map((failure) => [failure.operation, failure.rule])).toEqual(
      operations.map((operation) => [operation, rule]),
    );
  });
});

test.each([true, false])(
  'an optional property that never comes back is told: %s',
  async (dropsNights) => {
    const handlers = bookingHandlers({ dropsNights });
    const { url, document } = await serveDocument({ document: bookings, handlers });
    const report = await testServer({ document, url, depth: 'quick' });
    expect(report.failures).toEqual([]);
    const told = report.coverage.operations.map(({ operation, unreturned }) => [
      operation,
      unreturned.map(({ place, sent }) => [place, sent > 1]),
    ]);
    const lost = dropsNights ? [['/nights', true]] : [];
    expect(told).toEqual([
      ['create', lost],
      ['read', []],
      ['replace', lost],
      ['remove', []],
    ]);
    const lines = testFormats.text(report).match(/^ {2}nights: sent \d+ times, never came back$/gm);
    expect(lines?.length ?? 0).toBe(dropsNights ? 2 : 0);
    expect(testFormats.html(report).includes('never came back')).toBe(dropsNights);
  },
);
