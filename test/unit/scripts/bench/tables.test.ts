/** The tables of a race. */

import { createHistogram } from 'node:perf_hooks';
import { expect, test } from '@jest/globals';
import { ours, peers } from '../../../../scripts/bench/contestants/programs';
import type { Cell, RaceResult } from '../../../../scripts/bench/race';
import type { Sample } from '../../../../scripts/bench/sample';
import { allScenarios } from '../../../../scripts/bench/scenarios/all';
import {
  ablationTables,
  markdownText,
  raceTables,
  warnings,
} from '../../../../scripts/bench/tables';

const times = createHistogram();
times.record(1000);

const sample = (perSecond: number, processor?: number, other: Partial<Sample> = {}): Sample => ({
  perSecond,
  processor,
  times,
  responses: 100,
  resident: 2 ** 20 * 80,
  loadBusy: 0.5,
  foreign: 0.01,
  faults: undefined,
  sent: 100,
  ...other,
});

const cell = (contestant: string, scenario: string, ...samples: Sample[]): Cell => ({
  contestant,
  scenario,
  connections: 64,
  samples,
});

const raceOf = (contestants: RaceResult['contestants'], cells: readonly Cell[]): RaceResult => ({
  plan: {
    scenarios: allScenarios.filter(({ name }) => ['read-order', 'add-json'].includes(name)),
    connections: [64],
    processes: 1,
    rounds: 1,
    seconds: 1,
    warmUp: 0,
    pets: 1000,
    core: 0,
  },
  contestants,
  cells,
  starts: new Map([['ours', [200, 300, 400]]]),
});

const result = raceOf(
  [ours(), ours({ id: 'before' }), ...peers.slice(0, 1)],
  [
    cell('ours', 'read-order', sample(900, 50)),
    cell('ours', 'add-json', sample(400, 40)),
    cell('before', 'read-order', sample(800, 50)),
    cell('before', 'add-json', sample(200, 80)),
    cell('hand-written', 'read-order', sample(600, 50)),
    cell('hand-written', 'add-json', sample(100, 50)),
  ],
);

/** The rows without the blanks that align them. */
const rowsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .map((line) => line.replaceAll(/ +/g, ' '));

test('a race shows rates, ratios, and the change since another checkout', () => {
  expect(rowsOf(markdownText(warnings(result), raceTables(result)))).toEqual([
    '| contestant | ratio | scenarios | processor µs | memory MB | start ms |',
    '| ours | 2.45 | 2 | 44.7 | 80.0 | 300 |',
    '| before | 1.63 | 2 | 63.2 | 80.0 | – |',
    '| hand-written node:http | 1.00 | 2 | 50.0 | 80.0 | – |',
    '| scenario | ours | before | hand-written |',
    '| Read an order (JSON) | 900/s (1.50) | 800/s (1.33) | 600/s |',
    '| Add a pet (JSON) | 400/s (4.00) | 200/s (2.00) | 100/s |',
    '| scenario | ours | before | hand-written |',
    '| Read an order (JSON) | 1.00 / 1.00 | 1.00 / 1.00 | 1.00 / 1.00 |',
    '| Add a pet (JSON) | 1.00 / 1.00 | 1.00 / 1.00 | 1.00 / 1.00 |',
    '| scenario | ours | before | hand-written |',
    '| Read an order (JSON) | 50.0 | 50.0 | 50.0 |',
    '| Add a pet (JSON) | 40.0 | 80.0 | 50.0 |',
    '| scenario | 64 connections |',
    '| Read an order (JSON) | 1.13 |',
    '| Add a pet (JSON) | 2.00 |',
    '| (geometric mean) | 1.50 |',
    '| scenario | 64 connections |',
    '| Read an order (JSON) | 1.00 |',
    '| Add a pet (JSON) | 0.50 |',
    '| (geometric mean) | 0.71 |',
  ]);
});

test('a ratio is the median of the ratios of the same round', () => {
  const rounds = raceOf(
    [ours(), ...peers.slice(0, 1)],
    [
      cell('ours', 'add-json', sample(100), sample(90), sample(40)),
      cell('hand-written', 'add-json', sample(100), sample(30), sample(20)),
    ],
  );
  expect(rowsOf(markdownText([], raceTables(rounds)))).toContain(
    '| Add a pet (JSON) | 90.0/s (2.00) | 30.0/s |',
  );
});

test('figures that are not reliable come with a warning, wrong responses with a table', () => {
  expect(warnings(result)).toEqual([]);
  const [first, ...rest] = result.cells;
  const faults = '3 × 500';
  const samples = [sample(900, 50, { foreign: 0.4, loadBusy: 0.99, faults })];
  const disturbed = { ...result, cells: [{ ...(first as Cell), samples }, ...rest] };
  const text = markdownText(warnings(disturbed), raceTables(disturbed));
  expect(text).toContain('THE MACHINE WAS NOT QUIET: in 1 of 6 measurements');
  expect(text).toContain('In 1 of 6 measurements the load generator was busy');
  expect(rowsOf(text)).toContain('| ours | read-order | 64 | 3 × 500 |');
});

test('an ablation shows each technique against ours whole', () => {
  const ablation = raceOf(
    [ours(), ours({ id: 'read-cache' })],
    [
      cell('ours', 'read-order', sample(12_345, 61.4)),
      cell('ours', 'add-json', sample(678, 50)),
      cell('read-cache', 'read-order', sample(6172.5, 122.8)),
      cell('read-cache', 'add-json', sample(678)),
    ],
  );
  expect(rowsOf(markdownText([], ablationTables(ablation)))).toEqual([
    '| scenario | ours | read-cache |',
    '| Read an order (JSON) | 1.00 | 2.00 |',
    '| Add a pet (JSON) | 1.00 | – |',
    '| scenario | ours | read-cache |',
    '| Read an order (JSON) | 1.00 | 0.50 |',
    '| Add a pet (JSON) | 1.00 | 1.00 |',
  ]);
});
