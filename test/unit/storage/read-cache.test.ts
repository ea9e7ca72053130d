import { describe, expect, test } from '@jest/globals';
import { readCache } from '../../../src/storage/read-cache';

const select = { sql: 'select' };

describe('what was read', () => {
  test('is found while the version stays, and forgotten for good when it changes', () => {
    const cache = readCache();
    const rows = [{ a: 1 }];
    cache.settle(1);
    expect(cache.find(select, 'x')).toBeUndefined();
    cache.keep(select, 'x', rows);
    cache.settle(1);
    expect(cache.find(select, 'x')).toBe(rows);
    cache.settle(2);
    expect(cache.find(select, 'x')).toBeUndefined();
    cache.settle(1);
    expect(cache.find(select, 'x')).toBeUndefined();
  });

  test('is told apart by statement and key', () => {
    const cache = readCache();
    cache.settle(1);
    cache.keep(select, 1, [{}]);
    expect(cache.find(select, '1')).toBeUndefined();
    expect(cache.find({ ...select }, 1)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['octets', Buffer.alloc(10)],
    ['long texts', 'x'.repeat(300 * 1024)],
  ])('is not kept where it holds %s', (_, value) => {
    const cache = readCache();
    cache.settle(1);
    cache.keep(select, '', [{ value }]);
    expect(cache.find(select, '')).toBeUndefined();
  });

  test('is bounded in memory, whatever is asked', () => {
    const cache = readCache();
    cache.settle(1);
    const text = 'x'.repeat(50 * 1024);
    let kept = 0;
    for (let at = 0; at < 1000; at += 1) cache.keep(select, at, [{ text }]);
    for (let at = 0; at < 1000; at += 1) kept += Number(cache.find(select, at) !== undefined);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(100);
  });
});
