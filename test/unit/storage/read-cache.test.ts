import { describe, expect, test } from '@jest/globals';
import { readCache } from '../../../src/storage/read-cache';
import type { Value } from '../../../src/storage/statement';

describe('what was read', () => {
  test('is found while the version stays, and forgotten for good when it changes', () => {
    const cache = readCache();
    const rows = [{ a: 1 }];
    cache.settle(1);
    expect(cache.find('select', ['x'])).toBeUndefined();
    cache.keep('select', ['x'], rows);
    cache.settle(1);
    expect(cache.find('select', ['x'])).toBe(rows);
    cache.settle(2);
    expect(cache.find('select', ['x'])).toBeUndefined();
    cache.settle(1);
    expect(cache.find('select', ['x'])).toBeUndefined();
  });

  test.each<[string, Value[], Value[]]>([
    ['other texts', ['a'], ['b']],
    ['texts that are joined otherwise', ['a', 'b'], ['ab', '']],
    ['texts that look like joined ones', ['1:a1:b', ''], ['a', 'b']],
    ['a number and its digits', [1], ['1']],
    ['null and its name', [null], ['null']],
    ['separators inside', ['a;', 'b'], ['a', ';b']],
  ])('is told apart by %s', (_, one, other) => {
    const cache = readCache();
    cache.settle(1);
    cache.keep('select', one, [{}]);
    expect(cache.find('select', other)).toBeUndefined();
    expect(cache.find('another', one)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['octets', Buffer.alloc(10)],
    ['long texts', 'x'.repeat(100 * 1024)],
  ])('is not kept where it holds %s', (_, value) => {
    const cache = readCache();
    cache.settle(1);
    cache.keep('select', [], [{ value }]);
    expect(cache.find('select', [])).toBeUndefined();
  });

  test('is bounded in memory, whatever is asked', () => {
    const cache = readCache();
    cache.settle(1);
    const text = 'x'.repeat(50 * 1024);
    let kept = 0;
    for (let at = 0; at < 1000; at += 1) cache.keep('select', [at], [{ text }]);
    for (let at = 0; at < 1000; at += 1) kept += Number(cache.find('select', [at]) !== undefined);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(100);
  });
});
