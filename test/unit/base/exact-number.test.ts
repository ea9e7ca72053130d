/** Numbers keep their digits, and handlers get what they can calculate with. */

import { describe, expect, test } from '@jest/globals';
import {
  compareExactly,
  exactNumber,
  handOver,
  inNumberPlace,
  isWhole,
  numberKey,
  numberText,
  readInteger,
  readNumber,
} from '../../../src/base/exact-number';

describe('what handlers get in the place of a number', () => {
  test.each<[string, unknown]>([
    ['1', 1],
    ['-0', 0],
    ['1.50', 1.5],
    ['1e5', 100_000],
    ['0.1', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740994', 9007199254740994],
    ['1e25', 1e25],
    ['18446744073709551615', 18446744073709551615n],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
    ['1e400', 10n ** 400n],
    ['-1.5e400', -15n * 10n ** 399n],
    ['9'.repeat(60), 10n ** 60n - 1n],
    ['0.1234567890123456789', '0.1234567890123456789'],
    ['-72057594037927937.25', '-72057594037927937.25'],
    ['72057594037927937.250', '72057594037927937.25'],
    ['1.5e-400', '1.5e-400'],
    ['0.00000000000000000000000012345678901234567', '1.2345678901234567e-25'],
  ])('%s', (text, value) => {
    expect(handOver([inNumberPlace(readNumber(text), false)])).toStrictEqual([value]);
  });

  test('a double where the schema asks for one', () => {
    const values = ['9007199254740993', '0.1234567890123456789', '1e-400', '0.5'].map((text) =>
      inNumberPlace(readNumber(text), true),
    );
    expect(values.filter((value) => typeof value === 'number')).toStrictEqual([0.5]);
    expect(handOver(values)).toStrictEqual([9007199254740992, 0.12345678901234568, 0, 0.5]);
  });

  test('inside of objects and lists, whatever their names', () => {
    const value = JSON.parse('{"a":[{"__proto__":null}],"b":"text"}');
    Object.defineProperty(value.a[0], '__proto__', { value: exactNumber('0.1234567890123456789') });
    expect(JSON.stringify(handOver(value))).toBe(
      '{"a":[{"__proto__":"0.1234567890123456789"}],"b":"text"}',
    );
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
])('%s as a number of a message: %s', (text, kind) => {
  expect(readNumber(text) === undefined).toBe(kind === undefined);
});

test.each([
  ['5', 5],
  ['9007199254740993', 9007199254740993n],
  ['5.0', undefined],
  ['5e0', undefined],
])('%s as an integer of a message', (text, value) => {
  expect(readInteger(text)).toBe(value);
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
  expect(numberKey(10n ** 400n)).toBe(numberText(exactNumber('1e400') ?? 0));
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
