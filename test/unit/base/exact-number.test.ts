/** Handlers get numbers to calculate with, and every digit of decimals. */

import { describe, expect, test } from '@jest/globals';
import {
  compareExactly,
  exactNumber,
  handOver,
  inDecimalPlace,
  isWhole,
  messageNumber,
  numberKey,
  readDecimal,
  readNumber,
  spelledNumber,
} from '../../../src/base/exact-number';

describe('a number of a message', () => {
  test.each<[string, unknown]>([
    ['1', 1],
    ['1.50', 1.5],
    ['1e5', 100_000],
    ['0.1', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.1234567890123456789', 0.12345678901234568],
    ['1.5e-400', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740993.0', 9007199254740993n],
    ['1e23', 1e23],
    ['1e25', 1e25],
    ['18446744073709551615', 18446744073709551615n],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['1e400', 10n ** 400n],
    ['9'.repeat(60), 10n ** 60n - 1n],
    ['9007199254740993.5', undefined],
  ])('%s', (text, value) => {
    expect(messageNumber(text)).toStrictEqual(value);
  });

  test('keeps its text where every digit counts', () => {
    const texts = ['1', '12.50', '-0', '1E2', '9007199254740993.5'];
    const numbers = texts.map((text) => spelledNumber(text) ?? Number.NaN);
    expect(numbers.map(String)).toStrictEqual(texts);
    expect(handOver(numbers.map(inDecimalPlace))).toStrictEqual(texts);
    expect(handOver(numbers)).toStrictEqual([1, 12.5, -0, 100, 9007199254740994]);
  });

  test('is handed over inside of objects and lists, whatever their names', () => {
    const value = JSON.parse('{"a":[{"__proto__":null}],"b":"text"}');
    Object.defineProperty(value.a[0], '__proto__', { value: readDecimal('12.50') });
    expect(JSON.stringify(handOver(value))).toBe('{"a":[{"__proto__":"12.50"}],"b":"text"}');
  });
});

test.each([
  ['1e999', 'number'],
  ['1e1000', undefined],
  ['1e1000000000000', undefined],
  [`1e${'9'.repeat(40)}`, undefined],
  [`1e-${'9'.repeat(400)}`, undefined],
  ['1e-999', 'number'],
  ['1e-1000', undefined],
  [`0.${'3'.repeat(998)}`, 'number'],
  [`0.${'3'.repeat(999)}`, undefined],
  ['.5', undefined],
  ['+1', undefined],
  ['01', undefined],
  ['NaN', undefined],
  ['', undefined],
])('%s as a decimal: %s', (text, kind) => {
  expect(readDecimal(text) === undefined).toBe(kind === undefined);
});

test.each([
  ['5', 5],
  ['9007199254740993', 9007199254740993n],
  ['5.0', undefined],
  ['5e0', undefined],
])('%s as an integer of a message', (text, value) => {
  expect(readNumber(text, 'integer')).toBe(value);
});

test.each([
  ['9007199254740993', '9007199254740992', 1],
  ['0.1234567890123456788', '0.1234567890123456789', -1],
  ['1e25', '10000000000000000000000000', 0],
  ['1e400', '1.0e400', 0],
  ['-1e400', '5', -1],
  ['1e-400', '0', 1],
])('%s compared with %s', (one, other, order) => {
  const [first, second] = [exactNumber(one) ?? 0, exactNumber(other) ?? 0];
  expect(Math.sign(compareExactly(first, second))).toBe(order);
  expect(numberKey(first) === numberKey(second)).toBe(order === 0);
});

test('a double is compared by its text, which is what is written of it', () => {
  expect(compareExactly(1e25, 10n ** 25n)).toBe(0);
  expect(numberKey(1e25)).toBe(numberKey(10n ** 25n));
  expect(numberKey(10n ** 400n)).toBe(String(exactNumber('1e400') ?? 0));
});

test.each([
  ['1e400', true],
  ['1.5e400', true],
  ['9007199254740993', true],
  ['72057594037927937.25', false],
  ['1e-400', false],
])('%s is whole: %s', (text, whole) => {
  expect(isWhole(exactNumber(text))).toBe(whole);
});
