/** Keys sort by their bytes as the values do. */

import { describe, expect, test } from '@jest/globals';
import {
  absentKey,
  itemKey,
  keyBehind,
  prefixEnd,
  type SortKind,
  sortKey,
} from '../../../../src/storage/collections/sort-keys';

const bytesOf = (text: string): Buffer => Buffer.from(text);

const keyOf = (value: unknown, kind: SortKind): string => {
  const key = sortKey(value, kind);
  if (key === undefined) throw new Error(`${String(value)} has no key`);
  return key;
};

describe.each<[string, SortKind, readonly unknown[]]>([
  [
    'numbers',
    'sort-number',
    [
      ...['-1e999', -(2n ** 64n), -(2n ** 63n), -1e15, -100, -99.5, -11, -10, -9, -1.51, -1.5, -1],
      ...['-0.5', '-0.12345678901234567891', '-0.1234567890123456789', -1e-9, '-1e-900', 0],
      ...['1e-900', 1e-9, 0.05, 0.1, '0.1234567890123456789', '0.12345678901234567891', 0.5, 1],
      ...[1.5, '1.51', 9, 10, 11, 99, 100, 2 ** 53, 2n ** 53n + 1n, 2n ** 63n - 1n, '1e999'],
    ],
  ],
  [
    'date-times',
    'sort-date-time',
    [
      ...['0000-01-01T00:00:00+23:59', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'],
      ...['1970-01-01T00:00:00Z', '2024-02-29T12:00:00+01:00', '2024-02-29t11:00:00.0001z'],
      ...['2024-02-29T11:00:00.00011Z', '2024-02-29T11:00:00.1Z', '2024-02-29T10:00:01-01:00'],
      ...['2024-12-31T23:59:59.9Z', '2024-12-31T23:59:60.5Z', '9999-12-31T23:59:59-23:59'],
    ],
  ],
  [
    'texts',
    'sort',
    [
      ...['', '\u0000', '\u0000\u0000', '\u0000\u0001', '\u0001', '\u0002', ' ', '1', '10', '9'],
      ...['A', 'a', 'a\u0000', 'a\u0000b', 'a\u0001', 'a ', 'ab', 'a\u{10ffff}', 'b', 'é'],
      ...['\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', '\u{10ffff}a'],
    ],
  ],
  ['booleans', 'sort', [false, true]],
])('keys of %s', (_, kind, values) => {
  test('sort as they do, in front of the key of no value', () => {
    const keys = [...values.map((value) => keyOf(value, kind)), absentKey];
    const sorted = [...keys].sort((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)));
    expect(sorted).toEqual(keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('lie between their bounds', () => {
    for (const [at, value] of values.entries()) {
      const key = bytesOf(keyOf(value, kind));
      const behind = bytesOf(keyBehind(keyOf(value, kind)));
      expect(Buffer.compare(behind, key)).toBe(1);
      const next = values[at + 1];
      if (next === undefined) continue;
      expect(Buffer.compare(bytesOf(keyOf(next, kind)), behind)).toBe(1);
    }
  });
});

test.each<[SortKind, unknown, unknown]>([
  ['sort-number', 100, '1.00e2'],
  ['sort-number', 0, '-0.000'],
  ['sort-number', 2 ** 53, 2n ** 53n],
  ['sort-date-time', '2024-02-29T11:00:00Z', '2024-02-29T13:30:00.000+02:30'],
  ['sort-date-time', '2024-12-31T23:59:60Z', '2025-01-01T00:00:00Z'],
])('of kind %s %s and %s are equal', (kind, one, other) => {
  expect(sortKey(one, kind)).toBe(sortKey(other, kind));
});

test.each<[SortKind, unknown]>([
  ['sort-number', 'many'],
  ['sort-number', Number.NaN],
  ['sort-number', true],
  ['sort-date-time', '2024-02-29'],
  ['sort-date-time', 5],
  ['sort', null],
  ['sort', {}],
  ['sort', ['a']],
])('of kind %s there is no key of %p', (kind, value) => {
  expect(sortKey(value, kind)).toBeUndefined();
});

test('texts that are longer than an index takes sort by their beginning, and differ', () => {
  const long = (end: string) => keyOf(`${'x'.repeat(200)}${end}`, 'sort');
  expect(new Set(['', 'a', 'b'].map(long)).size).toBe(3);
  expect(bytesOf(keyOf('€'.repeat(100_000), 'sort')).length).toBeLessThan(1000);
  // Not half of a character.
  const pairs = keyOf(`x${'😀'.repeat(100)}`, 'sort');
  expect(pairs.isWellFormed()).toBe(true);
  expect(pairs.startsWith(`sx${'😀'.repeat(99)}`)).toBe(true);
});

test.each([
  ['sa', 'sb'],
  ['s', 't'],
  ['s\ud7ff', 's\ue000'],
  ['sa\u{10ffff}', 'sb'],
  ['s\u{10ffff}\u{10ffff}', 't'],
  ['s😀', 's😁'],
])('what begins with %j ends in front of %j', (prefix, end) => {
  expect(prefixEnd(prefix)).toBe(end);
});

test.each([
  [{ place: { city: 'Bern' } }, 'sBern'],
  [{ place: { city: null } }, absentKey],
  [{ place: {} }, absentKey],
  [{ place: [{ city: 'Bern' }] }, absentKey],
  [{}, absentKey],
])('of the item %j the key is %j', (item, key) => {
  expect(itemKey(item, 'place.city', 'sort')).toBe(key);
});

test('a value that does not fit its schema sorts as it comes', () => {
  expect(itemKey({ at: 'soon' }, 'at', 'sort-date-time')).toBe('ssoon');
  expect(itemKey({ at: 5 }, 'at', 'sort-date-time')).toBe(keyOf(5, 'sort'));
});
