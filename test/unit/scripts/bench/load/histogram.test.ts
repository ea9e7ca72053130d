/** The histogram of answer times: exact for short ones, close for long ones. */

import { expect, test } from '@jest/globals';
import {
  type Histogram,
  newHistogram,
  percentile,
  record,
} from '../../../../../scripts/bench/load/histogram';

const histogramOf = (times: readonly number[]): Histogram => {
  const histogram = newHistogram();
  for (const time of times) record(histogram, time);
  return histogram;
};

const upTo = (most: number): number[] => Array.from({ length: most }, (_, index) => index + 1);

test.each([
  ['nothing at all', [], 0.5, 0],
  ['a single time', [7], 0.5, 7],
  ['no time', [0], 1, 0],
  ['less than no time, as clocks may say', [-3], 1, 0],
  ['a fraction, which is dropped', [12.9], 1, 12],
  ['the middle of 100', upTo(100), 0.5, 50],
  ['p99 of 100', upTo(100), 0.99, 99],
  ['all of 100', upTo(100), 1, 100],
  ['the least of 100', upTo(100), 0, 1],
  ['p99 where one in 200 is slow', [...Array<number>(199).fill(5), 1000], 0.99, 5],
  ['the slowest of them', [...Array<number>(199).fill(5), 1000], 1, 1000],
  ['the last time that is exact', [2047], 1, 2047],
  ['the first that is not: the middle of a bucket of two', [2048], 1, 2048.5],
  ['its neighbour', [2049], 1, 2048.5],
])('%s', (_, times, share, expected) => {
  expect(percentile(histogramOf(times), share)).toBe(expected);
});

test.each([2048, 3001, 4095, 4096, 10_007, 99_999, 1_000_003, 60_000_000, 2 ** 31 - 1])(
  '%d us is kept within a thousandth',
  (time) => {
    const error = Math.abs(percentile(histogramOf([time]), 1) - time) / time;
    expect(error).toBeLessThanOrEqual(0.001);
  },
);

test('what is longer than the longest counts as that', () => {
  expect(percentile(histogramOf([2 ** 40]), 1)).toBe(percentile(histogramOf([2 ** 31 - 1]), 1));
});
