/** The table and the plot of what grows. */

import { expect, test } from '@jest/globals';
import {
  type FlatComparison,
  type FlatPoint,
  flatTable,
} from '../../../../../scripts/bench/report/flat-figures';
import { plotSvg } from '../../../../../scripts/bench/report/plot';

const point = (count: number, perSecond: number, megabytes: number | undefined): FlatPoint => ({
  count,
  figures: [
    { scenario: 'read', perSecond, processor: 20, faults: [] },
    { scenario: 'add', perSecond: perSecond / 10, processor: 80, faults: ['<late>'] },
  ],
  resident: megabytes === undefined ? undefined : megabytes * 2 ** 20,
});

const comparison: FlatComparison = {
  varied: 'pets',
  series: [
    { database: 'SQLite', points: [point(1000, 10_000, 100), point(100_000, 1000, 150)] },
    { database: 'other & more', points: [point(1000, 5000, undefined), point(100_000, 5000, 120)] },
  ],
};

test('the table has a row for each size, and columns for each database', () => {
  const { head, rows } = flatTable(comparison);
  expect(head).toEqual([
    'pets',
    ...['SQLite: read', 'SQLite: add', 'SQLite: MB'],
    ...['other & more: read', 'other & more: add', 'other & more: MB'],
  ]);
  expect(rows).toEqual([
    [
      '1,000',
      '10,000 / 20.0',
      '1,000 / 80.0 (<late>)',
      '100',
      '5,000 / 20.0',
      '500 / 80.0 (<late>)',
      '–',
    ],
    [
      '100,000',
      '1,000 / 20.0',
      '100 / 80.0 (<late>)',
      '150',
      '5,000 / 20.0',
      '500 / 80.0 (<late>)',
      '120',
    ],
  ]);
});

interface Line {
  readonly places: readonly (readonly [number, number])[];
}

const linesOf = (svg: string): readonly Line[] =>
  [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, points = '']) => ({
    places: points.split(' ').map((place) => {
      const [x = Number.NaN, y = Number.NaN] = place.split(',').map(Number);
      return [x, y] as const;
    }),
  }));

test('the plot has a line for each scenario and for the memory: level, or down where it got slower', () => {
  const svg = plotSvg([comparison]);
  const lines = linesOf(svg);
  // SQLite: read, add, memory; the other: read, add, memory of one point alone.
  expect(lines.map(({ places }) => places.length)).toEqual([2, 2, 2, 2, 2, 1]);
  const rises = lines.slice(0, 5).map(({ places: [first, last] }) => {
    const change = (first?.[1] ?? 0) - (last?.[1] ?? 0);
    return Math.sign(change);
  });
  expect(rises).toEqual([-1, -1, 1, 0, 0]);
  expect(svg).toContain('other &amp; more: read');
  for (const { places } of lines) {
    for (const [x, y] of places) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(960);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(500);
    }
  }
});
