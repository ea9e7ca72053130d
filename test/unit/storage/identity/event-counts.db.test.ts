/** Counters of several processes; when a window ends is tested by the limits that count in it. */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type EventCountStorage,
  knexEventCounts,
} from '../../../../src/storage/identity/event-counts';
import { useTemporaryDatabase } from '../temporary-database';

const file = useTemporaryDatabase();
let counts: EventCountStorage;

beforeAll(() => {
  counts = knexEventCounts(file.db);
});

beforeEach(() => file.db.knex('event_counts').delete());

const start = 1_700_000_000_000;
const window = 3_600_000;

test('counts under several names at once, each with its own window, until it ends', async () => {
  await counts.add(['a'], start, window);
  expect(await counts.add(['a', 'b'], start + 5, window)).toEqual([
    { name: 'a', count: 2, expiresAt: start + window },
    { name: 'b', count: 1, expiresAt: start + 5 + window },
  ]);
  expect(await counts.read(['a', 'unknown'], start + window - 1, window)).toHaveLength(1);
  expect(await counts.read(['a', 'b'], start + window, window)).toMatchObject([{ name: 'b' }]);
  await counts.deleteExpired(start + window);
  expect(await file.db.knex('event_counts').pluck('name')).toEqual(['b']);
  const [anew] = await counts.add(['b'], start + 5 + window, window);
  expect(anew).toEqual({ name: 'b', count: 1, expiresAt: start + 5 + 2 * window });
});

test('loses no event between two connections', async () => {
  const others = knexEventCounts(await file.openAnother());
  const adding = Array.from({ length: 40 }, (_, index) =>
    (index % 2 ? counts : others).add(['calls'], start, window),
  );
  await Promise.all(adding);
  expect(await counts.read(['calls'], start, window)).toMatchObject([{ count: 40 }]);
});

test('counts on where the clocks of two processes differ by seconds', async () => {
  await counts.add(['a'], start + 30_000, window);
  expect(await counts.read(['a'], start, window)).toMatchObject([{ count: 1 }]);
  expect(await counts.add(['a'], start, window)).toMatchObject([{ count: 2 }]);
});

test('takes a window that ends later than one from now as ended: a clock that was wrong locks out no longer', async () => {
  const ahead = start + 365 * 24 * window;
  await counts.add(['a'], ahead, window, 30);
  expect(await counts.read(['a'], start, window)).toEqual([]);
  expect(await counts.add(['a'], start, window)).toEqual([
    { name: 'a', count: 1, expiresAt: start + window },
  ]);
});
