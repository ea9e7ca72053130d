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

/** Ours without a technique in one scenario. */
export interface AblatedCell {
  readonly technique: string;
  readonly scenario: string;
  /** Each against ours whole in the same round: the median. Undefined where the system does not tell. */
  readonly processor: number | undefined;
  readonly perSecond: number;
  /** How often what replaces the technique ran, for one request. */
  readonly runs: number;
}

/** Everything that the tables and the JSON are made from. */
export interface AblationReport
  extends Pick<Report, 'date' | 'machine' | 'pets' | 'rounds' | 'seconds'> {
  readonly connections: number;
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

/** Holds the moments of one server against those of ours whole, round by round. */
export const ratiosOf = (
  whole: readonly Moment[],
  ablated: readonly Moment[],
): Pick<AblatedCell, 'processor' | 'perSecond'> => {
  const ratios = (figure: keyof Moment): number[] =>
    ablated.flatMap((moment, round) => {
      const [mine, base] = [moment[figure], whole[round]?.[figure]];
      return mine === undefined || !base ? [] : [mine / base];
    });
  return { processor: medianOf(ratios('processor')), perSecond: median(ratios('perSecond')) };
};

/** What runs more rarely is of no account to a request: the figure would show chance alone. */
const fewestRuns = 0.01;

const isUsed = ({ runs }: AblatedCell): boolean => runs >= fewestRuns;

/** The techniques that nothing used: what replaces them never, or hardly ever, ran, so that there is no figure. */
export const unusedTechniques = ({ techniques, cells }: AblationReport): string[] =>
  techniques
    .map(({ name }) => name)
    .filter((name) => !cells.some((cell) => cell.technique === name && isUsed(cell)));

const none = '–';

const table = (
  report: AblationReport,
  title: string,
  wholeCell: (whole: Moment) => string,
  figure: (cell: AblatedCell) => number | undefined,
): Table => {
  const { scenarios, techniques, cells } = report;
  const cellOf = (technique: string, scenario: string): string => {
    const cell = cells.find((one) => one.technique === technique && one.scenario === scenario);
    const value = cell !== undefined && isUsed(cell) ? figure(cell) : undefined;
    return value === undefined ? none : `${value.toFixed(2)} ×`;
  };
  return {
    title,
    note: `Each technique is switched off by itself; ${none}: the scenario does not use it.`,
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
