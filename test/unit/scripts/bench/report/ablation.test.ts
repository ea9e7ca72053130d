/** What the measurements without a technique say of it. */

import { expect, test } from '@jest/globals';
import {
  type AblationReport,
  ablationMarkdown,
  ablationText,
  type Moment,
  pairsOf,
  ratiosOf,
  unusedTechniques,
  wholeOf,
} from '../../../../../scripts/bench/report/ablation';

const moments = (...pairs: (readonly [number, number | undefined])[]): Moment[] =>
  pairs.map(([perSecond, processor]) => ({ perSecond, processor }));

test.each<[string, Moment[], Moment[], object]>([
  ['one round', moments([100, 10]), moments([50, 15]), { perSecond: 0.5, processor: 1.5 }],
  [
    'each round against its own, not medians against each other',
    moments([100, 10], [200, 5], [50, 20]),
    moments([50, 20], [100, 10], [50, 20]),
    { perSecond: 0.5, processor: 2 },
  ],
  [
    'a system that does not tell processor time',
    moments([100, undefined]),
    moments([80, undefined]),
    { perSecond: 0.8, processor: undefined },
  ],
])('ratios: %s', (_, whole, ablated, expected) => {
  expect(ratiosOf(pairsOf(whole, ablated))).toEqual(expected);
});

test('ours whole is told by its medians', () => {
  expect(wholeOf(moments([1, 30], [9, 10], [2, 20]))).toEqual({ perSecond: 2, processor: 20 });
});

const report: AblationReport = {
  date: '2000-01-01T00:00:00.000Z',
  machine: { processor: 'any', cores: 2, node: '20', system: 'any', pinned: true },
  ...{ pets: 1000, processes: 5, rounds: 1, seconds: 1, connections: 64 },
  techniques: [
    { name: 'cache', title: 'what was read is remembered' },
    { name: 'groups', title: 'changes share transactions' },
  ],
  scenarios: [
    { name: 'read', whole: { perSecond: 12_345, processor: 61.4 } },
    { name: 'add', whole: { perSecond: 678, processor: undefined } },
  ],
  cells: [
    { technique: 'cache', scenario: 'read', processor: 1.3456, perSecond: 0.7 },
    { technique: 'groups', scenario: 'add', processor: 1.5, perSecond: 0.25 },
  ],
};

test('the tables show what a scenario uses', () => {
  const lines = ablationMarkdown(report).split('\n');
  expect(lines.filter((line) => /^\| /.test(line))).toEqual([
    '| without | read | add | technique |',
    '| (ours whole) | 61 µs | – |  |',
    '| cache | 1.35 × | – | what was read is remembered |',
    '| groups | – | 1.50 × | changes share transactions |',
    '| without | read | add | technique |',
    '| (ours whole) | 12,345/s | 678/s |  |',
    '| cache | 0.70 × | – | what was read is remembered |',
    '| groups | – | 0.25 × | changes share transactions |',
  ]);
  expect(ablationText(report)).toContain('cache         1.35 ×  –       what was read is');
});

test.each<[string, AblationReport['cells'], readonly string[]]>([
  ['all used', report.cells, []],
  ['one not', report.cells.slice(0, 1), ['groups']],
  ['none', [], ['cache', 'groups']],
])('what was not used is told: %s', (_, cells, unused) => {
  expect(unusedTechniques({ ...report, cells })).toEqual(unused);
});
