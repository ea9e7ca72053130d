/** What the figures are held against: met, missed, not measured. */

import { describe, expect, test } from '@jest/globals';
import type { Figure } from '../../../../../scripts/bench/report/figures';
import { type Goal, goalsOf } from '../../../../../scripts/bench/report/goals';
import type { Entrant, Report } from '../../../../../scripts/bench/report/report';

const entrant = (id: string, given: Partial<Entrant> = {}): Entrant => ({
  ...{ id, title: id, kind: id === 'ours' ? 'ours' : 'peer', durability: 'synced' },
  ...{ absent: undefined, starts: [], exactInt64: true },
  ...given,
});

const figure = (contestant: string, scenario: string, given: Partial<Figure> = {}): Figure => ({
  ...{ contestant, scenario, connections: 64, perSecond: 1000, rounds: [1000] },
  ...{ ratio: undefined, p50: 100, p99: 200, processor: 50, resident: undefined },
  ...{ loadBusy: 0.5, foreign: 0, answers: 1000 },
  ...given,
});

const goals = (
  figures: readonly Figure[],
  entrants: readonly Entrant[] = [entrant('ours'), entrant('hand-written'), entrant('fastify')],
  connections: readonly number[] = [1, 64],
): Goal[] => {
  const machine = { processor: 'any', cores: 2, node: '20', system: 'any', pinned: true };
  const facts: Omit<Report, 'goals'> = {
    ...{ date: '', machine, pets: 1000, rounds: 1, seconds: 1, connections },
    ...{ entrants, events: [], figures, left: [] },
  };
  return goalsOf(facts);
};

const goalNamed = (start: string, all: readonly Goal[]): Pick<Goal, 'met' | 'found'> => {
  const { met, found } = all.find(({ goal }) => goal.startsWith(start)) as Goal;
  return { met, found };
};

const rates = (contestant: string, ...perSecond: number[]): Figure[] =>
  perSecond.map((rate, index) => figure(contestant, `scenario ${index}`, { perSecond: rate }));

test('nothing measured is neither met nor missed', () => {
  const all = goals([], []);
  expect(all).toHaveLength(7);
  for (const one of all) expect(one).toMatchObject({ met: undefined, found: 'not measured' });
});

describe('the geometric mean against the hand-written peer', () => {
  test.each([
    ['as wanted', [1500], [1000], true, '1.50 ×'],
    ['just short of it', [1490], [1000], false, '1.49 ×'],
    ['4 and 1 are 2, not 2.5', [4000, 1000], [1000, 1000], true, '2.00 ×'],
    ['only what both have run', [2000, 1], [1000], true, '2.00 ×'],
  ])('%s', (_, ours, theirs, met, found) => {
    const all = goals([...rates('ours', ...ours), ...rates('hand-written', ...theirs)]);
    expect(goalNamed('Geometric mean at 64 connections at least 1.5', all)).toEqual({ met, found });
    expect(goalNamed('Geometric mean at 64 connections at least 2.5', all).met).toBeUndefined();
  });

  test('is taken at the number of connections nearest to 64', () => {
    const at = (contestant: string, connections: number, perSecond: number): Figure =>
      figure(contestant, 'one', { connections, perSecond });
    const figures = [
      at('ours', 1, 1),
      at('ours', 32, 30),
      at('fastify', 1, 9),
      at('fastify', 32, 10),
    ];
    const all = goals(figures, undefined, [1, 32]);
    const found = goalNamed('Geometric mean at 32 connections at least 2.5 × fastify', all);
    expect(found).toEqual({ met: true, found: '3.00 ×' });
  });
});

describe('ahead of every peer', () => {
  const ahead = (figures: readonly Figure[], entrants?: readonly Entrant[]) =>
    goalNamed('Ahead of every peer', goals(figures, entrants));

  test.each([
    ['ahead of both', 1000, 999, true, '2 of 2'],
    ['level is not behind', 1000, 1000, true, '2 of 2'],
    ['behind one', 900, 1000, false, '1 of 2; not: scenario 0 × 64 against fastify: 0.90 ×'],
  ])('%s', (_, ours, fastify, met, found) => {
    const figures = [...rates('ours', ours), ...rates('hand-written', 500)];
    expect(ahead([...figures, ...rates('fastify', fastify)])).toEqual({ met, found });
  });

  test.each<[string, Entrant]>([
    ['who does not sync', entrant('other', { durability: 'unsynced' })],
    ['who does no work', entrant('other', { kind: 'floor', durability: 'no database' })],
  ])('nobody is held against one %s', (_, other) => {
    const figures = [...rates('ours', 1), ...rates('other', 1000)];
    expect(ahead(figures, [entrant('ours'), other]).met).toBeUndefined();
  });

  test('one connection alone does not count', () => {
    const alone = [figure('ours', 'one', { perSecond: 1 }), figure('fastify', 'one')];
    expect(ahead(alone.map((one) => ({ ...one, connections: 1 }))).met).toBeUndefined();
  });
});

test.each([
  ['One connection', 1, 'p50', 120, true, '1 of 1'],
  ['One connection', 1, 'p50', 121, false, '0 of 1; not: one: 121 µs against 100 µs'],
  ['64 connections: p99', 64, 'p99', 200, true, '1 of 1'],
  [
    ...(['64 connections: p99', 64, 'p99', 2001, false] as const),
    '0 of 1; not: one × 64 against hand-written: 2,001 µs against 200 µs',
  ],
])('%s, %d, %s %d', (start, connections, time, value, met, found) => {
  const figures = [
    figure('ours', 'one', { connections, [time]: value }),
    figure('hand-written', 'one', { connections }),
  ];
  expect(goalNamed(start, goals(figures))).toEqual({ met, found });
});

test.each([
  [[690, 699, 900], true, '699 ms'],
  [[700], false, '700 ms'],
])('starts of %j ms', (starts, met, found) => {
  const all = goals([], [entrant('ours', { starts }), entrant('fastify', { starts: [1] })]);
  expect(goalNamed('Start to first answer', all)).toEqual({ met, found });
});

test.each([
  [[100, 149], true, '149 MB'],
  [[151, 100], false, '151 MB'],
])('%j MB held', (megabytes, met, found) => {
  const figures = megabytes.map((held, index) =>
    figure('ours', `scenario ${index}`, { resident: held * 2 ** 20 }),
  );
  const hungry = figure('fastify', 'one', { resident: 2 ** 30 });
  expect(goalNamed('Resident memory', goals([...figures, hungry]))).toEqual({ met, found });
});
