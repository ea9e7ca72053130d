/** The figures of a race: medians over the rounds, ratios round by round; and their tables in Markdown. */

import { yardstick } from './contestants/programs';
import type { Cell, RaceResult } from './race';
import type { Sample } from './sample';

/** A table; the first column is text, the others are numbers. */
export interface Table {
  readonly title: string;
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const none = '–';

/** Writes a number with about three digits. */
export const shown = (value: number | undefined): string => {
  if (value === undefined || !Number.isFinite(value)) return none;
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
};

/** Returns the value in the middle; 0 of nothing. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
};

/** Returns the values that are known. */
export const known = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value) => value !== undefined);

const medianOf = (values: readonly (number | undefined)[]): number | undefined =>
  known(values).length === 0 ? undefined : median(known(values));

/** NaN of nothing, which is shown as nothing. */
const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const megabytesOf = (samples: readonly Sample[]): number =>
  Math.max(...known(samples.map(({ resident }) => resident))) / 2 ** 20;

/** A figure of a sample that ratios are taken of. */
type Measure = 'perSecond' | 'processor';

/** Compares with another contestant in the same scenario: the median of the ratios of the rounds. */
const ratioTo = (
  { cells }: RaceResult,
  base: string,
  measure: Measure,
): ((cell: Cell) => number | undefined) => {
  return ({ scenario, connections, samples }) => {
    const other = cells.find(
      (cell) =>
        cell.contestant === base && cell.scenario === scenario && cell.connections === connections,
    );
    return medianOf(
      samples.map((sample, round) => {
        const [mine, theirs] = [sample[measure], other?.samples[round]?.[measure]];
        return mine === undefined || !theirs ? undefined : mine / theirs;
      }),
    );
  };
};

const columnTitle = (connections: number): string =>
  `${connections} connection${connections === 1 ? '' : 's'}`;

/** A table of scenarios by contestants. */
const grid = (
  { plan, contestants, cells }: RaceResult,
  connections: number,
  title: string,
  text: (cell: Cell) => string,
): Table => {
  const ids = contestants.map(({ id }) => id);
  const cellText = (id: string, scenario: string): string => {
    const found = cells.find(
      (cell) =>
        cell.contestant === id && cell.scenario === scenario && cell.connections === connections,
    );
    return found === undefined ? none : text(found);
  };
  const rows = plan.scenarios.map(({ name, title: heading }) => [
    heading(plan.pets),
    ...ids.map((id) => cellText(id, name)),
  ]);
  return {
    title: `${title}, ${columnTitle(connections)}`,
    head: ['scenario', ...ids],
    rows: rows.filter(([, ...texts]) => texts.some((one) => one !== none)),
  };
};

/** The number of connections at which contestants are compared: 64, or the nearest to it that was run. */
const mainConnections = (connections: readonly number[]): number =>
  [...connections].sort((one, other) => Math.abs(one - 64) - Math.abs(other - 64))[0] ?? 1;

const summary = (result: RaceResult): Table => {
  const main = mainConnections(result.plan.connections);
  const ratio = ratioTo(result, yardstick, 'perSecond');
  const rows = result.contestants.map(({ id, title }) => {
    const all = result.cells.filter(({ contestant }) => contestant === id);
    const cells = all.filter(({ connections }) => connections === main);
    const processor = cells.map(({ samples }) => medianOf(samples.map((one) => one.processor)));
    return [
      title,
      shown(geometricMean(known(cells.map(ratio)))),
      String(cells.length),
      shown(geometricMean(known(processor))),
      shown(megabytesOf(all.flatMap(({ samples }) => samples))),
      shown(medianOf(result.starts.get(id) ?? [])),
    ];
  });
  return {
    title: `Requests a second against the hand-written peer, ${columnTitle(main)}`,
    note: 'The ratio is the geometric mean over the scenarios that a contestant can do; processor time is that of the server for one request.',
    head: ['contestant', 'ratio', 'scenarios', 'processor µs', 'memory MB', 'start ms'],
    rows,
  };
};

/** The ratios of a contestant to another one, scenario by scenario; without rows where one of them did not take part. */
const ratioTable = (
  result: RaceResult,
  id: string,
  base: string,
  title: string,
  measure: Measure,
): Table => {
  const { plan, cells } = result;
  const ratio = ratioTo(result, base, measure);
  const columns = plan.connections.map((connections) =>
    plan.scenarios.map(({ name }) => {
      const cell = cells.find(
        (one) => one.contestant === id && one.scenario === name && one.connections === connections,
      );
      return cell && ratio(cell);
    }),
  );
  const rows = plan.scenarios.map((scenario, row) => [
    scenario.title(plan.pets),
    ...columns.map((ratios) => shown(ratios[row])),
  ]);
  const means = columns.map((ratios) => shown(geometricMean(known(ratios))));
  const isCompared = columns.flat().some((value) => value !== undefined);
  return {
    title: `${title}, ${id} / ${base}`,
    head: ['scenario', ...plan.connections.map(columnTitle)],
    rows: isCompared ? [...rows, ['(geometric mean)', ...means]] : [],
  };
};

const wrongResponses = ({ cells }: RaceResult): Table => ({
  title: 'WRONG RESPONSES',
  head: ['contestant', 'scenario', 'connections', 'wrong'],
  rows: cells.flatMap(({ contestant, scenario, connections, samples }) =>
    known(samples.map(({ faults }) => faults)).map((faults) => [
      contestant,
      scenario,
      String(connections),
      faults,
    ]),
  ),
});

/** Returns the tables of a race. */
export const raceTables = (result: RaceResult): readonly Table[] => {
  const toYardstick = ratioTo(result, yardstick, 'perSecond');
  const rate = (cell: Cell): string => {
    const text = `${shown(median(cell.samples.map(({ perSecond }) => perSecond)))}/s`;
    const ratio = toYardstick(cell);
    return cell.contestant === yardstick || ratio === undefined
      ? text
      : `${text} (${shown(ratio)})`;
  };
  const times = ({ samples }: Cell): string =>
    [50, 99]
      .map((share) => shown(median(samples.map((one) => one.times.percentile(share))) / 1000))
      .join(' / ');
  const processor = ({ samples }: Cell): string =>
    shown(medianOf(samples.map((one) => one.processor)));
  return [
    summary(result),
    ...result.plan.connections.flatMap((connections) => [
      grid(result, connections, `Requests a second (ratio to ${yardstick})`, rate),
      grid(result, connections, 'Milliseconds to the response, p50 / p99', times),
      grid(result, connections, 'Processor microseconds for a request', processor),
    ]),
    ratioTable(result, 'ours', 'before', 'Requests a second', 'perSecond'),
    ratioTable(result, 'ours', 'before', 'Processor time for a request', 'processor'),
    wrongResponses(result),
  ];
};

/** Returns the tables of an ablation: contestants without a technique against ours whole. */
export const ablationTables = (result: RaceResult): readonly Table[] => [
  ...result.plan.connections.flatMap((connections) =>
    (['processor', 'perSecond'] as const).map((measure) => {
      const ratio = ratioTo(result, 'ours', measure);
      const title = measure === 'processor' ? 'Processor time for a request' : 'Requests a second';
      return grid(result, connections, `${title} against ours whole`, (cell) => shown(ratio(cell)));
    }),
  ),
  wrongResponses(result),
];

/** The share of its core above which the load generator may be what is measured. */
const mostLoadBusy = 0.95;

/** The share of the server's core that others may take before a figure says more of them than of the server. */
const mostForeign = 0.1;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Returns sentences on what makes the figures doubtful. */
export const warnings = ({ cells }: RaceResult): readonly string[] => {
  const foreign = cells.map(({ samples }) => medianOf(samples.map((one) => one.foreign)) ?? 0);
  const disturbed = foreign.filter((share) => share > mostForeign);
  const busy = cells.filter(({ samples }) => samples.some((one) => one.loadBusy > mostLoadBusy));
  const names = [...new Set(busy.map(({ contestant }) => contestant))].join(', ');
  const sentences: string[] = [];
  if (disturbed.length > 0) {
    sentences.push(
      `THE MACHINE WAS NOT QUIET: in ${disturbed.length} of ${cells.length} measurements other programs took more than ${percent(mostForeign)} of the server's core (at most ${percent(Math.max(...disturbed))}). Rates, ratios and times of this run are not reliable; processor time for a request is.`,
    );
  }
  if (busy.length > 0) {
    sentences.push(
      `In ${busy.length} of ${cells.length} measurements the load generator was busy more than ${percent(mostLoadBusy)} of the time: ${names} may be faster than shown there.`,
    );
  }
  return sentences;
};

/** Writes the table in Markdown, its columns aligned. */
export const markdownTable = ({ title, note, head, rows }: Table): string => {
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
