import { describe, expect, test } from '@jest/globals';
import { readCache } from '../../../src/storage/read-cache';
import type { Value } from '../../../src/storage/statement';

describe('what was read', () => {
  test('is found while the version stays, and forgotten for good when it changes', () => {
    const cache = readCache();
    const rows = [{ a: 1 }];
    expect(cache.find(1, 'select', ['x'])).toBeUndefined();
    cache.keep('select', ['x'], rows);
    expect(cache.find(1, 'select', ['x'])).toBe(rows);
    expect(cache.find(2, 'select', ['x'])).toBeUndefined();
    expect(cache.find(1, 'select', ['x'])).toBeUndefined();
  });

  test.each<[string, Value[], Value[]]>([
    ['other texts', ['a'], ['b']],
    ['texts that are joined otherwise', ['a', 'b'], ['ab', '']],
    ['texts that look like joined ones', ['1:a1:b'], ['a', 'b']],
    ['a number and its digits', [1], ['1']],
    ['null and its name', [null], ['null']],
    ['separators inside', ['a;', 'b'], ['a', ';b']],
  ])('is told apart by %s', (_, one, other) => {
    const cache = readCache();
    cache.find(1, 'select', one);
    cache.keep('select', one, [{}]);
    expect(cache.find(1, 'select', other)).toBeUndefined();
    expect(cache.find(1, 'another', one)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['octets', Buffer.alloc(10)],
    ['long texts', 'x'.repeat(100 * 1024)],
  ])('is not kept where it holds %s', (_, value) => {
    const cache = readCache();
    cache.find(1, 'select', []);
    cache.keep('select', [], [{ value }]);
    expect(cache.find(1, 'select', [])).toBeUndefined();
  });

  test('is bounded in memory, whatever is asked', () => {
    const cache = readCache();
    cache.find(1, 'select', []);
    const text = 'x'.repeat(50 * 1024);
    let kept = 0;
    for (let at = 0; at < 1000; at += 1) cache.keep('select', [at], [{ text }]);
    for (let at = 0; at < 1000; at += 1)
      kept += Number(cache.find(1, 'select', [at]) !== undefined);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(100);
  });
});
