/** What the tables show of a race. */

import { expect, test } from '@jest/globals';
import type { Figure } from '../../../../../scripts/bench/report/figures';
import { markdownText, terminalText } from '../../../../../scripts/bench/report/layout';
import type { Entrant, Report } from '../../../../../scripts/bench/report/report';
import { ablationTables, allTables, shortTables } from '../../../../../scripts/bench/report/tables';

const entrant = (id: string, title: string): Entrant => ({
  ...{ id, title, kind: id === 'ours' ? 'ours' : 'peer', absent: undefined },
  ...{ starts: [300], exactInt64: true },
});

const figure = (
  contestant: string,
  scenario: string,
  perSecond: number,
  processor?: number,
): Figure => ({
  ...{ contestant, scenario, connections: 64, perSecond, processor, p50: 1000, p99: 2500 },
  database: undefined,
  ...{ resident: 2 ** 20 * 80, loadBusy: 0.5, foreign: 0.01, responses: 100 },
  rounds: [{ perSecond, processor }],
});

const report = (others: readonly Entrant[], figures: readonly Figure[]): Report => ({
  date: '2000-01-01T00:00:00.000Z',
  machine: { processor: 'any', cores: 2, node: '20', system: 'any', pinned: true },
  ...{ pets: 1000, processes: 5, rounds: 1, seconds: 1, connections: [64] },
  entrants: [entrant('ours', 'ours (SQLite)'), ...others],
  scenarios: [
    { name: 'read', title: 'Read a pet' },
    { name: 'add', title: 'Add a pet' },
  ],
  ...{ figures, skipped: [] },
});

const rowsOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^\| /.test(line));

const race = report(
  [entrant('hand-written', 'hand-written'), entrant('before', 'ours before')],
  [
    ...[figure('ours', 'read', 900, 50), figure('ours', 'add', 400, 40)],
    ...[figure('hand-written', 'read', 600, 50), figure('hand-written', 'add', 100, 50)],
    ...[figure('before', 'read', 800, 50), figure('before', 'add', 200, 80)],
  ],
);

test('a race shows rates, ratios, and what has changed', () => {
  expect(rowsOf(markdownText('Race', race, shortTables(race)))).toEqual([
    '| contestant | ratio | scenarios | processor µs | memory MB | start ms | XML | exact int64 |',
    '| ours (SQLite) | 2.45 | 2 | 44.7 | 80.0 | 300 | – | yes |',
    '| hand-written | 1.00 | 2 | 50.0 | 80.0 | 300 | – | yes |',
    '| ours before | 1.63 | 2 | 63.2 | 80.0 | 300 | – | yes |',
    '| scenario | ours | hand-written | before |',
    '| Read a pet | 900/s (1.50) | 600/s | 800/s (1.33) |',
    '| Add a pet | 400/s (4.00) | 100/s | 200/s (2.00) |',
    '| scenario | 64 connections |',
    '| Read a pet | 1.13 |',
    '| Add a pet | 2.00 |',
    '| (geometric mean) | 1.50 |',
    '| scenario | 64 connections |',
    '| Read a pet | 1.00 |',
    '| Add a pet | 0.50 |',
    '| (geometric mean) | 0.71 |',
  ]);
  expect(markdownText('Race', race, allTables(race))).toContain('| Read a pet | 1.00 / 2.50 |');
});

test('a race in a database server shows what requests cost there', () => {
  const costs = [
    { wal: 0, statements: 1, processor: 45.25 },
    { wal: 1234.5, statements: undefined, processor: undefined },
  ];
  const figures = race.figures.map((one, index) => ({ ...one, database: costs[index] }));
  const text = markdownText('Race', race, shortTables({ ...race, figures }));
  expect(rowsOf(text)).toContain('| Read a pet | 1.00 / 0.00 / 45.3 | – | – |');
  expect(rowsOf(text)).toContain('| Add a pet | – / 1,235 / – | – | – |');
});

test('figures that are not reliable are told as such', () => {
  const [first, ...rest] = race.figures;
  const disturbed = { ...(first as Figure), foreign: 0.4, loadBusy: 0.99 };
  const text = terminalText({ ...race, figures: [disturbed, ...rest] }, shortTables(race));
  expect(text).toContain('THE MACHINE WAS NOT QUIET: in 1 of 6 measurements');
  expect(text).toContain('In 1 of 6 measurements the load generator was busy');
  expect(terminalText(race, shortTables(race))).not.toMatch(/NOT QUIET|busy/);
});

test('an ablation shows each technique against ours whole', () => {
  const ablation = report(
    [entrant('cache', 'what was read is remembered')],
    [
      ...[figure('ours', 'read', 12_345, 61.4), figure('ours', 'add', 678, 50)],
      ...[figure('cache', 'read', 6172.5, 122.8), figure('cache', 'add', 678)],
    ],
  );
  expect(rowsOf(markdownText('Ablation', ablation, ablationTables(ablation)))).toEqual([
    '| without | read | add | technique |',
    '| ours | 61.4 µs | 50.0 µs | ours (SQLite) |',
    '| cache | 2.00 × | – | what was read is remembered |',
    '| without | read | add | technique |',
    '| ours | 12,345 /s | 678 /s | ours (SQLite) |',
    '| cache | 0.50 × | 1.00 × | what was read is remembered |',
  ]);
});
