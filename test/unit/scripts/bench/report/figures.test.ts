/** What becomes of the measurements of several rounds. */

import { expect, test } from '@jest/globals';
import { newHistogram, record } from '../../../../../scripts/bench/load/histogram';
import type { Cell } from '../../../../../scripts/bench/runs/race';
import type { Slice } from '../../../../../scripts/bench/runs/sample';
import { figuresOf } from '../../../../../scripts/bench/report/figures';

const slice = (perSecond: number, times: readonly number[], given: Partial<Slice> = {}): Slice => {
  const histogram = newHistogram();
  for (const time of times) record(histogram, time);
  return {
    ...{ perSecond, times: histogram, answers: times.length, sent: times.length },
    ...{ processor: 50, resident: 1000, loadBusy: 0.5, foreign: 0.01, faults: undefined },
    ...given,
  };
};

const cell = (contestant: string, ...slices: Slice[]): Cell => ({
  ...{ contestant, scenario: 'read', connections: 64, slices },
});

test('a figure is the median of the rounds, and a round in which something else happened decides nothing', () => {
  const [ours] = figuresOf([
    cell(
      'ours',
      slice(100, [10, 11, 12], { processor: 40, foreign: 0.02 }),
      slice(20, [50, 60, 90_000], { processor: 90, resident: 3000, foreign: 0.5 }),
      slice(110, [8, 9, 14], { processor: 42, loadBusy: 0.7 }),
    ),
  ]);
  expect(ours).toMatchObject({
    ...{ perSecond: 100, rounds: [100, 20, 110], p50: 11, p99: 14, processor: 42, foreign: 0.02 },
    ...{ resident: 3000, loadBusy: 0.7, answers: 9, ratio: undefined },
  });
});

test('a ratio is the median of those of the rounds, not one of medians', () => {
  const figures = figuresOf([
    cell('ours', slice(300, [1]), slice(100, [1]), slice(90, [1])),
    cell('hand-written', slice(100, [1]), slice(200, [1]), slice(30, [1])),
  ]);
  expect(figures.map(({ contestant, ratio }) => [contestant, ratio])).toEqual([
    ['ours', 3],
    ['hand-written', 1],
  ]);
});

test('what the system does not tell has no figure', () => {
  const unknown = { processor: undefined, resident: undefined, foreign: undefined };
  expect(figuresOf([cell('ours', slice(100, [1], unknown))])).toMatchObject([unknown]);
});
