/** The bounds of the cache of rows; fresh-reads.sqlite.test.ts tests when rows leave it. */

import { describe, expect, test } from '@jest/globals';
import { readCache } from '../../../../src/storage/sqlite/read-cache';

const select = { sql: 'select' };

describe('what was read', () => {
  test('is distinguished by statement and key', () => {
    const cache = readCache();
    cache.set(select, 1, [{}], []);
    expect(cache.get(select, '1')).toBeUndefined();
    expect(cache.get({ ...select }, 1)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['bytes', Buffer.alloc(10)],
    ['long texts', 'x'.repeat(300 * 1024)],
  ])('is not kept where it holds %s', (_, value) => {
    const cache = readCache();
    cache.set(select, '', [{ value }], []);
    expect(cache.get(select, '')).toBeUndefined();
  });

  test('is bounded in memory, whatever is asked', () => {
    const cache = readCache();
    const text = 'x'.repeat(50 * 1024);
    let kept = 0;
    for (let at = 0; at < 1000; at += 1) cache.set(select, at, [{ text }], []);
    for (let at = 0; at < 1000; at += 1) kept += Number(cache.get(select, at) !== undefined);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(100);
  });

  test('makes room where it is forgotten', () => {
    const cache = readCache();
    const rows = [{ text: 'x'.repeat(200 * 1024) }];
    cache.set(select, 'x', rows, ['orders']);
    for (let at = 0; at < 100; at += 1) {
      cache.set({}, at, rows, ['pets']);
      cache.invalidate(new Set(['pets']));
    }
    expect(cache.get(select, 'x')).toBe(rows);
  });
});
