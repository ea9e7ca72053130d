/** The tables of a report, as rows of texts that Markdown and the terminal lay out. */

import { type Figure, geometricMean, median, yardstick } from './figures';
import { type Entrant, figuresFor, mainConnections, type Report } from './report';

/** A table; the first column is text, the others are numbers. */
export interface Table {
  readonly title: string;
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const none = '–';

/** A number to about three digits. */
const digits = (value: number): string => {
  if (!Number.isFinite(value)) return none;
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
};

const shown = (value: number | undefined): string => (value === undefined ? none : digits(value));

const megabytes = (bytes: readonly number[]): number | undefined =>
  bytes.length === 0 ? undefined : Math.max(...bytes) / 2 ** 20;

const known = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined);

const yesNo = (value: boolean | undefined): string => {
  if (value === undefined) return none;
  return value ? 'yes' : 'no';
};

/** The geometric mean of a contestant's ratios to the yardstick; undefined where there is none. */
export const meanRatio = (report: Report, id: string, connections: number): number | undefined => {
  const ratios = known(figuresFor(report, id, connections).map(({ ratio }) => ratio));
  return ratios.length === 0 ? undefined : geometricMean(ratios);
};

const summaryRow = (report: Report, entrant: Entrant): string[] => {
  const { id, title, durability, starts, absent } = entrant;
  if (absent !== undefined) return [title, durability, `did not take part: ${absent}`];
  const connections = mainConnections(report.connections);
  const figures = figuresFor(report, id, connections);
  const all = report.figures.filter(({ contestant }) => contestant === id);
  const xml = report.events.some(({ name }) => name.includes('xml'))
    ? all.some(({ scenario }) => scenario.includes('xml'))
    : undefined;
  return [
    title,
    durability,
    shown(meanRatio(report, id, connections)),
    `${figures.length}`,
    digits(geometricMean(known(figures.map(({ processor }) => processor)))),
    shown(megabytes(known(all.map(({ resident }) => resident)))),
    starts.length === 0 ? none : `${Math.round(median(starts))}`,
    yesNo(xml),
    yesNo(entrant.exactInt64),
  ];
};

const summary = (report: Report): Table => ({
  title: `Requests a second against the hand-written peer, ${mainConnections(report.connections)} connections`,
  note: 'The ratio is the geometric mean over the scenarios that a contestant can do; processor time is that of the server for one request.',
  head: [
    ...['contestant', 'writes', 'ratio', 'scenarios', 'processor µs', 'memory MB', 'start ms'],
    ...['XML', 'exact int64'],
  ],
  rows: report.entrants.map((entrant) => summaryRow(report, entrant)),
});

/** A table of scenarios by contestants. */
const grid = (
  report: Report,
  connections: number,
  title: string,
  cell: (figure: Figure) => string,
): Table => {
  const here = report.figures.filter((figure) => figure.connections === connections);
  const ids = report.entrants
    .map(({ id }) => id)
    .filter((id) => here.some(({ contestant }) => contestant === id));
  const rowOf = ({ name, title: event }: Report['events'][number]): string[] => [
    event,
    ...ids.map((id) => {
      const figure = here.find(
        ({ contestant, scenario }) => contestant === id && scenario === name,
      );
      return figure === undefined ? none : cell(figure);
    }),
  ];
  const run = report.events.filter(({ name }) => here.some(({ scenario }) => scenario === name));
  return { title, head: ['scenario', ...ids], rows: run.map(rowOf) };
};

const plural = (connections: number): string =>
  `${connections} connection${connections === 1 ? '' : 's'}`;

const leftTable = ({ left, events }: Report): Table => {
  const titles = new Map(events.map(({ name, title }) => [name, title]));
  return {
    title: 'What was not run, and why',
    head: ['contestant', 'scenario', 'reason'],
    rows: left.map(({ contestant, scenario, reason, fault }) => [
      contestant,
      titles.get(scenario) ?? scenario,
      fault ? `WRONG ANSWER: ${reason}` : reason,
    ]),
  };
};

const goalTable = ({ goals }: Report): Table => ({
  title: 'Goals',
  head: ['goal', 'met', 'found'],
  rows: goals.map(({ goal, met, found }) => [goal, yesNo(met), found]),
});

const rateCell = ({ perSecond, ratio, contestant }: Figure): string =>
  contestant === yardstick || ratio === undefined
    ? `${digits(perSecond)}/s`
    : `${digits(perSecond)}/s (${digits(ratio)})`;

const milliseconds = (microseconds: number): string => digits(microseconds / 1000);

/** The median over the rounds: each is compared with the same round of the other. */
const rateRatio = (after: Figure, before: Figure): number =>
  median(after.rounds.map((rate, round) => rate / (before.rounds[round] ?? Number.NaN)));

const processorRatio = (after: Figure, before: Figure): number | undefined =>
  after.processor && before.processor && after.processor / before.processor;

/** What has changed between `before` and `ours`; without rows where `before` did not take part. */
const beforeAndAfter = (
  report: Report,
  title: string,
  ratio: (after: Figure, before: Figure) => number | undefined,
): Table => {
  const { connections, events, figures } = report;
  const ratioOf = (scenario: string, count: number): number | undefined => {
    const [after, before] = ['ours', 'before'].map((id) =>
      figuresFor(report, id, count).find((figure) => figure.scenario === scenario),
    );
    return after && before && ratio(after, before);
  };
  const isCompared = figures.some(({ contestant }) => contestant === 'before');
  const columns = connections.map((count) => events.map(({ name }) => ratioOf(name, count)));
  const means = columns.map((ratios) => shown(geometricMean(known(ratios))));
  const rows = events.map((event, row) => [
    event.title,
    ...columns.map((ratios) => shown(ratios[row])),
  ]);
  return {
    title,
    head: ['scenario', ...connections.map(plural)],
    rows: isCompared ? [...rows, ['(geometric mean)', ...means]] : [],
  };
};

/** The tables that the terminal shows. */
export const shortTables = (report: Report): Table[] => [
  summary(report),
  ...report.connections.map((count) =>
    grid(report, count, `Requests a second (ratio to ${yardstick}), ${plural(count)}`, rateCell),
  ),
  beforeAndAfter(report, 'Requests a second, after / before', rateRatio),
  beforeAndAfter(report, 'Processor time for a request, after / before', processorRatio),
  leftTable(report),
  goalTable(report),
];

/** All tables. */
export const allTables = (report: Report): Table[] => [
  ...shortTables(report),
  ...report.connections.map((count) =>
    grid(
      report,
      count,
      `Milliseconds to the answer, p50 / p99, ${plural(count)}`,
      ({ p50, p99 }) => `${milliseconds(p50)} / ${milliseconds(p99)}`,
    ),
  ),
  ...report.connections.map((count) =>
    grid(report, count, `Processor microseconds for a request, ${plural(count)}`, ({ processor }) =>
      shown(processor),
    ),
  ),
];
