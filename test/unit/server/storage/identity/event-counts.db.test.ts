import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../../src/server/storage/database/database';
import {
  type EventCountStorage,
  knexEventCounts,
} from '../../../../../src/server/storage/identity/event-counts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

let file: TemporaryDatabase;
let counts: EventCountStorage;

beforeAll(async () => {
  file = await openTemporaryDatabase();
  counts = knexEventCounts(file.db);
});

beforeEach(() => file.db.knex('event_counts').delete());

afterAll(() => file.remove());

const start = 1_700_000_000_000;
const window = 3_600_000;

describe('knexEventCounts', () => {
  test('a window starts with its first event and ends for all at once', async () => {
    const seen: unknown[] = [];
    for (const offset of [0, 1, window - 1, window, window + 1]) {
      const [count] = await counts.add(['calls'], start + offset, window);
      seen.push([count?.count, (count?.expiresAt ?? 0) - start]);
    }
    expect(seen).toEqual([
      [1, window],
      [2, window],
      [3, window],
      [1, 2 * window],
      [2, 2 * window],
    ]);
  });

  test('counts under several names at once, each with its own window', async () => {
    await counts.add(['a'], start, window);
    expect(await counts.add(['a', 'b'], start + 5, window)).toEqual([
      { name: 'a', count: 2, expiresAt: start + window },
      { name: 'b', count: 1, expiresAt: start + 5 + window },
    ]);
  });

  test.each([
    [window - 1, 1],
    [window, 0],
  ])('after %d ms %d counts can be read', async (offset, found) => {
    await counts.add(['a'], start, window);
    expect(await counts.read(['a', 'unknown'], start + offset)).toHaveLength(found);
  });

  test('forgets the windows that have ended', async () => {
    await counts.add(['old'], start, window);
    await counts.add(['new'], start + 1, window);
    await counts.deleteExpired(start + window);
    expect(await file.db.knex('event_counts').select('name')).toEqual([{ name: 'new' }]);
  });

  test('loses no event between two connections', async () => {
    const second = await openDatabase(file.url);
    const others = knexEventCounts(second);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? counts : others).add(['calls'], start, window),
      ),
    );
    expect(await counts.read(['calls'], start)).toMatchObject([{ count: 40 }]);
    await closeDatabase(second);
  });
});
