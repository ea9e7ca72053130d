/** What becomes of the measurements of several rounds. */

import { createHistogram } from 'node:perf_hooks';
import { expect, test } from '@jest/globals';
import { figuresOf, ratioOf } from '../../../../../scripts/bench/report/figures';
import type { Cell } from '../../../../../scripts/bench/runs/race';
import type { Sample } from '../../../../../scripts/bench/runs/sample';

const sample = (
  perSecond: number,
  microseconds: readonly number[],
  given: Partial<Sample> = {},
): Sample => {
  const times = createHistogram({ highest: 2 ** 31, figures: 3 });
  for (const time of microseconds) times.record(time);
  return {
    ...{ perSecond, times, responses: microseconds.length, sent: microseconds.length },
    ...{ processor: 50, resident: 1000, loadBusy: 0.5, foreign: 0.01, faults: undefined },
    ...given,
  };
};

const cell = (contestant: string, ...samples: Sample[]): Cell => ({
  ...{ contestant, scenario: 'read', connections: 64, samples },
});

test('a figure is the median of the rounds, and a round in which something else happened decides nothing', () => {
  const [ours] = figuresOf([
    cell(
      'ours',
      sample(100, [10, 11, 12], { processor: 40, foreign: 0.02 }),
      sample(20, [50, 60, 90_000], { processor: 90, resident: 3000, foreign: 0.5 }),
      sample(110, [8, 9, 14], { processor: 42, loadBusy: 0.7 }),
    ),
  ]);
  expect(ours).toMatchObject({
    ...{ perSecond: 100, p50: 11, p99: 14, processor: 42, foreign: 0.02 },
    ...{ resident: 3000, loadBusy: 0.7, responses: 9 },
  });
});

test('a ratio is the median of those of the rounds, not one of medians', () => {
  const [ours, base] = figuresOf([
    cell('ours', sample(300, [1]), sample(100, [1]), sample(90, [1])),
    cell('hand-written', sample(100, [1]), sample(200, [1]), sample(30, [1])),
  ]);
  expect(ratioOf(ours, base, 'perSecond')).toBe(3);
  expect(ratioOf(base, base, 'perSecond')).toBe(1);
  expect(ratioOf(ours, undefined, 'perSecond')).toBeUndefined();
});

test('what the system does not tell has no figure', () => {
  const unknown = { processor: undefined, resident: undefined, foreign: undefined };
  const figures = figuresOf([cell('ours', sample(100, [1], unknown))]);
  expect(figures).toMatchObject([unknown]);
  expect(ratioOf(figures[0], figures[0], 'processor')).toBeUndefined();
});
