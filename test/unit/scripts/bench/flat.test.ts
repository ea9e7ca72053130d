/** Measurements of growing sizes: the documents that they serve, their table and their plot. */

import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  type FlatComparison,
  type FlatPoint,
  flatTable,
  withOperations,
} from '../../../../scripts/bench/flat';
import { plotSvg } from '../../../../scripts/bench/plot';

const document = `openapi: 3.0.3
paths:
  /items:
    get:
      operationId: getItems
    post:
      operationId: addItem
components: {}
`;

const operationsIn = (text: string): number =>
  Object.values(parse(text).paths as object).flatMap(Object.keys).length;

test.each([
  [2, 2],
  [3, 3],
  [50, 50],
  // None is taken away.
  [1, 2],
])('where %i operations are wanted there are %i', (wanted, present) => {
  const text = withOperations(document, wanted);
  expect(operationsIn(text)).toBe(present);
  expect(parse(text).paths['/items']).toEqual(parse(document).paths['/items']);
});

const point = (count: number, perSecond: number, megabytes: number): FlatPoint => ({
  count,
  figures: [
    { scenario: 'read by key', perSecond, processor: 20, faults: [] },
    { scenario: 'find 100', perSecond, processor: 30, faults: [] },
    { scenario: 'add', perSecond: perSecond / 10, processor: 80, faults: ['<late>'] },
  ],
  megabytes,
});

const comparison: FlatComparison = {
  varied: 'pets',
  series: [
    { database: 'SQLite', points: [point(1000, 10_000, 100), point(100_000, 1000, 150)] },
    { database: 'other & more', points: [point(1000, 5000, 120), point(100_000, 5000, 120)] },
  ],
};

test('the table has a row for each size, and columns for each database', () => {
  const { head, rows } = flatTable(comparison);
  const columns = ['read by key', 'find 100', 'add', 'MB'];
  expect(head).toEqual([
    'pets',
    ...columns.map((column) => `SQLite: ${column}`),
    ...columns.map((column) => `other & more: ${column}`),
  ]);
  expect(rows[0]).toEqual([
    '1,000',
    '10,000 / 20.0',
    '10,000 / 30.0',
    '1,000 / 80.0 (<late>)',
    '100',
    '5,000 / 20.0',
    '5,000 / 30.0',
    '500 / 80.0 (<late>)',
    '120',
  ]);
  expect(rows.map(([size]) => size)).toEqual(['1,000', '100,000']);
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
  // Of each database: read, find, add, memory.
  expect(lines.map(({ places }) => places.length)).toEqual([2, 2, 2, 2, 2, 2, 2, 2]);
  const rises = lines.map(({ places: [first, last] }) => {
    const change = (first?.[1] ?? 0) - (last?.[1] ?? 0);
    return Math.sign(change);
  });
  expect(rises).toEqual([-1, -1, -1, 1, 0, 0, 0, 0]);
  expect(svg).toContain('other &amp; more: read by key');
  for (const { places } of lines) {
    for (const [x, y] of places) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(960);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(500);
    }
  }
});
