import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exactMultiple } from '../../../../src/schema/validation/checks-of';

describe('exactMultiple', () => {
  test.each<[value: number | bigint, divisor: number | bigint, want: boolean]>([
    [19.99, 0.01, true],
    [0.07, 0.01, true],
    [1.1, 0.1, true],
    [0.3, 0.1, true],
    [0.35, 0.1, false],
    [1e300, 7, false],
    [1e21, 1e-7, true],
    [5e-324, 5e-324, true],
    [1.7976931348623157e308, 5e-324, true],
    [-6, 3, true],
    [-7, 3, false],
    [0, 0.25, true],
    [-0, 3, true],
    [4.5, 1.5, true],
    [4.5, 3, false],
    [2n ** 62n, 4, true],
    [2n ** 62n + 1n, 4, false],
    [9n, 0.5, true],
    [2n ** 60n, 2n ** 59n, true],
    [1e23, 10, true],
    [6, 1.5, true],
  ])('%s by %s: %s', (value, divisor, want) => {
    expect(exactMultiple(divisor)(value)).toBe(want);
  });

  test('whole cents are multiples of a cent, half cents are not', () => {
    const isMultiple = exactMultiple(0.01);
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (cents) => {
        expect(isMultiple(Number(`${cents}e-2`))).toBe(true);
        expect(isMultiple(Number(`${cents}5e-3`))).toBe(false);
      }),
      { seed: 1 },
    );
  });
});
