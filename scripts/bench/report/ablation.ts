/** What each technique is worth: what ours did without it, against ours whole. */

import { median } from './figures';
import { conditions, markdownTable, terminalTable } from './layout';
import type { Report } from './report';
import type { Table } from './tables';

/** One moment of one server in one scenario. */
export interface Moment {
  readonly perSecond: number;
  /** Processor time for a request, in microseconds. */
  readonly processor: number | undefined;
}

/** What ours did in one round, whole and without a technique. */
export interface Pair {
  readonly whole: Moment;
  readonly without: Moment;
}

/** Ours without a technique in one scenario that uses it. */
export interface AblatedCell {
  readonly technique: string;
  readonly scenario: string;
  /** Each against ours whole in the same round: the median. Undefined where the system does not tell. */
  readonly processor: number | undefined;
  readonly perSecond: number;
}

/** Everything that the tables and the JSON are made from. */
export interface AblationReport
  extends Pick<Report, 'date' | 'machine' | 'pets' | 'rounds' | 'seconds'> {
  readonly connections: number;
  /** How many processes of each were measured, one after the other. */
  readonly processes: number;
  readonly techniques: readonly { readonly name: string; readonly title: string }[];
  /** With what ours whole did: medians. */
  readonly scenarios: readonly { readonly name: string; readonly whole: Moment }[];
  readonly cells: readonly AblatedCell[];
}

const known = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined);

const medianOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : median(values);

/** The medians over the rounds. */
export const wholeOf = (moments: readonly Moment[]): Moment => ({
  perSecond: median(moments.map(({ perSecond }) => perSecond)),
  processor: medianOf(known(moments.map(({ processor }) => processor))),
});

/** The moments of one server beside those of ours whole, round by round. */
export const pairsOf = (whole: readonly Moment[], without: readonly Moment[]): Pair[] =>
  without.flatMap((moment, round) => {
    const base = whole[round];
    return base === undefined ? [] : [{ whole: base, without: moment }];
  });

/** The ratios of the rounds: their medians. */
export const ratiosOf = (pairs: readonly Pair[]): Pick<AblatedCell, 'processor' | 'perSecond'> => {
  const ratios = (figure: keyof Moment): number[] =>
    pairs.flatMap(({ whole, without }) => {
      const [mine, base] = [without[figure], whole[figure]];
      return mine === undefined || !base ? [] : [mine / base];
    });
  return { processor: medianOf(ratios('processor')), perSecond: median(ratios('perSecond')) };
};

/** The techniques that no scenario uses, so that there is no figure. */
export const unusedTechniques = ({ techniques, cells }: AblationReport): string[] =>
  techniques
    .map(({ name }) => name)
    .filter((name) => !cells.some(({ technique }) => technique === name));

const none = '–';

const table = (
  report: AblationReport,
  title: string,
  wholeCell: (whole: Moment) => string,
  figure: (cell: AblatedCell) => number | undefined,
): Table => {
  const { scenarios, techniques, cells, processes } = report;
  const cellOf = (technique: string, scenario: string): string => {
    const cell = cells.find((one) => one.technique === technique && one.scenario === scenario);
    const value = cell && figure(cell);
    return value === undefined ? none : `${value.toFixed(2)} ×`;
  };
  return {
    title,
    note: `Each technique is switched off by itself, in ${processes} processes one after the other; ${none}: the scenario does not use it.`,
    head: ['without', ...scenarios.map(({ name }) => name), 'technique'],
    rows: [
      ['(ours whole)', ...scenarios.map(({ whole }) => wholeCell(whole)), ''],
      ...techniques.map(({ name, title: what }) => [
        name,
        ...scenarios.map((scenario) => cellOf(name, scenario.name)),
        what,
      ]),
    ],
  };
};

const tablesOf = (report: AblationReport): Table[] => [
  table(
    report,
    'Processor time for a request, against ours whole',
    ({ processor }) => (processor === undefined ? none : `${processor.toFixed(0)} µs`),
    ({ processor }) => processor,
  ),
  table(
    report,
    `Requests a second, against ours whole, ${report.connections} connections`,
    ({ perSecond }) => `${Math.round(perSecond).toLocaleString('en')}/s`,
    ({ perSecond }) => perSecond,
  ),
];

/** The report for the terminal. */
export const ablationText = (report: AblationReport): string =>
  `${[conditions(report), ...tablesOf(report).map(terminalTable)].join('\n\n')}\n`;

/** The report in Markdown. */
export const ablationMarkdown = (report: AblationReport): string =>
  `${['# What each technique is worth', conditions(report), ...tablesOf(report).map(markdownTable)].join('\n\n')}\n`;
