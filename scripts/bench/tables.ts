/** The figures of a race: medians over the rounds, ratios round by round; and their tables in Markdown. */

import type { Cell, RaceResult } from './race';
import type { Sample } from './sample';

/** A table; the first column is text, the others are numbers. */
interface Table {
  readonly title: string;
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const none = '–';

/** Writes a number with about three digits. */
const shown = (value: number | undefined): string => {
  if (value === undefined || !Number.isFinite(value)) return none;
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
};

const known = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value) => value !== undefined);

/** Returns the value in the middle of those that are known; NaN of nothing. */
export const median = (values: readonly (number | undefined)[]): number => {
  const sorted = known(values).sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
};

/** Returns the mean of those that are known; NaN of nothing. */
const geometricMean = (values: readonly number[]): number => {
  const logarithms = values.filter((value) => !Number.isNaN(value)).map(Math.log);
  return Math.exp(logarithms.reduce((sum, value) => sum + value, 0) / logarithms.length);
};

/** A figure of a sample that ratios are taken of. */
type Measure = 'perSecond' | 'processor';

const medianOf = ({ samples }: Cell, measure: Measure): number =>
  median(samples.map((sample) => sample[measure]));

const cellOf = ({ cells }: RaceResult, id: string, name: string, count: number): Cell | undefined =>
  cells.find(
    ({ contestant, scenario, connections }) =>
      contestant === id && scenario === name && connections === count,
  );

/** The contestant that others are compared with: an earlier version of ours, or the hand-written server, where they take part. */
const baseOf = ({ contestants }: RaceResult): string =>
  ['before', 'hand-written'].find((name) => contestants.some(({ id }) => id === name)) ?? 'ours';

/** Compares with the base in the same scenario: the median of the ratios of the rounds. */
const ratioOf = (result: RaceResult, cell: Cell, measure: Measure): number => {
  const base = cellOf(result, baseOf(result), cell.scenario, cell.connections);
  return median(
    cell.samples.map((sample, round) => {
      const [mine, theirs] = [sample[measure], base?.samples[round]?.[measure]];
      return mine === undefined || !theirs ? undefined : mine / theirs;
    }),
  );
};

const columnTitle = (connections: number): string =>
  `${connections} connection${connections === 1 ? '' : 's'}`;

/** A table of scenarios by contestants. */
const grid = (
  result: RaceResult,
  connections: number,
  title: string,
  text: (cell: Cell) => string,
): Table => {
  const { plan, contestants } = result;
  const ids = contestants.map(({ id }) => id);
  const rows = plan.scenarios.map(({ name, title: heading }) => {
    const cells = ids.map((id) => cellOf(result, id, name, connections));
    return [heading(plan.pets), ...cells.map((cell) => cell && text(cell))];
  });
  return {
    title: `${title}, ${columnTitle(connections)}`,
    head: ['scenario', ...ids],
    rows: rows
      .filter(([, ...texts]) => known(texts).length > 0)
      .map((row) => row.map((cell = none) => cell)),
  };
};

/** The number of connections at which contestants are compared: 64, or the nearest to it that was run. */
const mainConnections = (connections: readonly number[]): number =>
  connections.toSorted((one, other) => Math.abs(one - 64) - Math.abs(other - 64))[0] ?? 1;

const megabytesOf = (samples: readonly Sample[]): number =>
  Math.max(...known(samples.map(({ resident }) => resident))) / 2 ** 20;

const summary = (result: RaceResult): Table => {
  const main = mainConnections(result.plan.connections);
  const rows = result.contestants.map(({ id, title }) => {
    const all = result.cells.filter(({ contestant }) => contestant === id);
    const cells = all.filter(({ connections }) => connections === main);
    return [
      title,
      shown(geometricMean(cells.map((cell) => ratioOf(result, cell, 'perSecond')))),
      String(cells.length),
      shown(geometricMean(cells.map((cell) => ratioOf(result, cell, 'processor')))),
      shown(geometricMean(cells.map((cell) => medianOf(cell, 'processor')))),
      shown(megabytesOf(all.flatMap(({ samples }) => samples))),
      shown(median(result.starts.get(id) ?? [])),
    ];
  });
  return {
    title: `Requests a second against ${baseOf(result)}, ${columnTitle(main)}`,
    note: 'The ratios are geometric means over the scenarios that a contestant can do; processor time is that of the server for one request.',
    head: [
      ...['contestant', 'ratio', 'scenarios', 'processor ratio', 'processor µs', 'memory MB'],
      'start ms',
    ],
    rows,
  };
};

const wrongResponses = ({ cells }: RaceResult): Table => ({
  title: 'WRONG RESPONSES',
  head: ['contestant', 'scenario', 'connections', 'wrong'],
  rows: cells.flatMap(({ contestant, scenario, connections, samples }) =>
    known(samples.map(({ faults }) => faults)).map((faults) => [
      ...[contestant, scenario],
      ...[String(connections), faults],
    ]),
  ),
});

/** Returns the tables of a race. */
export const raceTables = (result: RaceResult): readonly Table[] => {
  const base = baseOf(result);
  const withRatio = (cell: Cell, text: string, measure: Measure): string =>
    cell.contestant === base ? text : `${text} (${shown(ratioOf(result, cell, measure))})`;
  const rate = (cell: Cell): string =>
    withRatio(cell, `${shown(medianOf(cell, 'perSecond'))}/s`, 'perSecond');
  const processor = (cell: Cell): string =>
    withRatio(cell, shown(medianOf(cell, 'processor')), 'processor');
  const times = ({ samples }: Cell): string =>
    [50, 99]
      .map((share) => shown(median(samples.map((one) => one.times.percentile(share))) / 1000))
      .join(' / ');
  return [
    summary(result),
    ...result.plan.connections.flatMap((connections) => [
      grid(result, connections, `Requests a second (ratio to ${base})`, rate),
      grid(result, connections, 'Milliseconds to the response, p50 / p99', times),
      grid(result, connections, 'Processor microseconds for a request (ratio)', processor),
    ]),
    wrongResponses(result),
  ];
};

/** The share of its core above which the load generator may be what is measured. */
const mostLoadBusy = 0.95;

/** The share of the server's core that others may take before a figure says more of them than of the server. */
const mostForeign = 0.1;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Returns sentences on what makes the figures doubtful. */
export const warnings = ({ cells }: RaceResult): readonly string[] => {
  const foreign = cells.map(({ samples }) => median(samples.map((one) => one.foreign)));
  const disturbed = foreign.filter((share) => share > mostForeign);
  const busy = cells.filter(({ samples }) => samples.some((one) => one.loadBusy > mostLoadBusy));
  const names = [...new Set(busy.map(({ contestant }) => contestant))].join(', ');
  return [
    disturbed.length > 0 &&
      `THE MACHINE WAS NOT QUIET: in ${disturbed.length} of ${cells.length} measurements other programs took more than ${percent(mostForeign)} of the server's core (at most ${percent(Math.max(...disturbed))}). Rates, ratios and times of this run are not reliable; processor time for a request is.`,
    busy.length > 0 &&
      `In ${busy.length} of ${cells.length} measurements the load generator was busy more than ${percent(mostLoadBusy)} of the time: ${names} may be faster than shown there.`,
  ].filter((sentence) => sentence !== false);
};

/** Writes the table in Markdown, its columns aligned. */
const markdownTable = ({ title, note, head, rows }: Table): string => {
  const widths = head.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0), 4),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width))).join(' | ')} |`;
  const rule = widths.map((width, column) => `${'-'.repeat(width - 1)}${column === 0 ? '-' : ':'}`);
  return [
    `## ${title}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    line(head),
    line(rule),
    ...rows.map(line),
  ].join('\n');
};

/** Writes the tables that have rows. */
export const markdownText = (sentences: readonly string[], tables: readonly Table[]): string => {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  return `${[...sentences, ...filled.map(markdownTable)].join('\n\n')}\n`;
};
