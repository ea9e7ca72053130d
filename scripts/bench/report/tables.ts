/** The tables of a report. */

import { type Figure, geometricMean, known, median, ratioOf, sameEvent } from './figures';
import { type Entrant, figuresFor, mainConnections, type Report } from './report';
import { grid, none, plural, shown, type Table } from './table';

/** The contestant that rates are compared with. */
const yardstick = 'hand-written';

const yesNo = (value: boolean | undefined): string => {
  if (value === undefined) return none;
  return value ? 'yes' : 'no';
};

/** A contestant's rates against the yardstick's, scenario by scenario. */
const ratiosToYardstick = (report: Report, id: string, connections: number): number[] => {
  const base = sameEvent(report.figures, yardstick);
  return known(
    figuresFor(report, id, connections).map((figure) => ratioOf(figure, base(figure), 'perSecond')),
  );
};

const summaryRow = (report: Report, { id, title, ...entrant }: Entrant): string[] => {
  if (entrant.absent !== undefined) return [title, `did not take part: ${entrant.absent}`];
  const connections = mainConnections(report.connections);
  const figures = figuresFor(report, id, connections);
  const all = report.figures.filter(({ contestant }) => contestant === id);
  const resident = known(all.map((figure) => figure.resident));
  const hasXml = report.scenarios.some(({ name }) => name.includes('xml'))
    ? all.some(({ scenario }) => scenario.includes('xml'))
    : undefined;
  return [
    title,
    shown(geometricMean(ratiosToYardstick(report, id, connections))),
    `${figures.length}`,
    shown(geometricMean(known(figures.map(({ processor }) => processor)))),
    shown(Math.max(...resident) / 2 ** 20),
    shown(entrant.starts.length === 0 ? undefined : Math.round(median(entrant.starts))),
    yesNo(hasXml),
    yesNo(entrant.exactInt64),
  ];
};

const summary = (report: Report): Table => ({
  title: `Requests a second against the hand-written peer, ${plural(mainConnections(report.connections))}`,
  note: 'The ratio is the geometric mean over the scenarios that a contestant can do; processor time is that of the server for one request.',
  head: [
    ...['contestant', 'ratio', 'scenarios', 'processor µs', 'memory MB', 'start ms'],
    ...['XML', 'exact int64'],
  ],
  rows: report.entrants.map((entrant) => summaryRow(report, entrant)),
});

const skippedTable = ({ skipped, scenarios }: Report): Table => {
  const titles = new Map(scenarios.map(({ name, title }) => [name, title]));
  return {
    title: 'What was not run, and why',
    head: ['contestant', 'scenario', 'reason'],
    rows: skipped.map(({ contestant, scenario, reason, fault }) => [
      contestant,
      titles.get(scenario) ?? scenario,
      fault ? `WRONG RESPONSE: ${reason}` : reason,
    ]),
  };
};

/** What has changed from `before` to `ours`; without rows where `before` did not take part. */
const beforeAndAfter = (
  report: Report,
  what: string,
  measure: 'perSecond' | 'processor',
): Table => {
  const { connections, scenarios, figures } = report;
  const before = sameEvent(figures, 'before');
  const ratio = (scenario: string, count: number): number | undefined => {
    const after = figuresFor(report, 'ours', count).find((one) => one.scenario === scenario);
    return after && ratioOf(after, before(after), measure);
  };
  const columns = connections.map((count) => scenarios.map(({ name }) => ratio(name, count)));
  const means = columns.map((ratios) => shown(geometricMean(known(ratios))));
  const rows = scenarios.map(({ title }, row) => [
    title,
    ...columns.map((ratios) => shown(ratios[row])),
  ]);
  const isCompared = figures.some(({ contestant }) => contestant === 'before');
  return {
    title: `${what}, after / before`,
    head: ['scenario', ...connections.map(plural)],
    rows: isCompared ? [...rows, ['(geometric mean)', ...means]] : [],
  };
};

/** What requests cost in a database server; without rows where there is none. */
const databaseTable = (report: Report, count: number): Table => ({
  ...grid(
    report,
    count,
    'In the database, for a request: statements / bytes of write-ahead log / processor µs',
    ({ database }) =>
      database === undefined
        ? none
        : [database.statements, database.wal, database.processor].map(shown).join(' / '),
  ),
  note: 'Statements that begin and end a transaction count, too.',
});

/** The tables that the terminal shows. */
export const shortTables = (report: Report): readonly Table[] => {
  const base = sameEvent(report.figures, yardstick);
  const main = mainConnections(report.connections);
  const rate = (figure: Figure): string => {
    const ratio = ratioOf(figure, base(figure), 'perSecond');
    const isBase = figure.contestant === yardstick || ratio === undefined;
    return `${shown(figure.perSecond)}/s${isBase ? '' : ` (${shown(ratio)})`}`;
  };
  return [
    summary(report),
    ...report.connections.map((count) =>
      grid(report, count, `Requests a second (ratio to ${yardstick})`, rate),
    ),
    databaseTable(report, main),
    beforeAndAfter(report, 'Requests a second', 'perSecond'),
    beforeAndAfter(report, 'Processor time for a request', 'processor'),
    skippedTable(report),
  ];
};

/** All tables. */
export const allTables = (report: Report): readonly Table[] => [
  ...shortTables(report),
  ...report.connections.flatMap((count) => [
    grid(
      report,
      count,
      'Milliseconds to the response, p50 / p99',
      ({ p50, p99 }) => `${shown(p50 / 1000)} / ${shown(p99 / 1000)}`,
    ),
    grid(report, count, 'Processor microseconds for a request', ({ processor }) =>
      shown(processor),
    ),
    ...(count === mainConnections(report.connections) ? [] : [databaseTable(report, count)]),
  ]),
];

/** What each contestant of an ablation costs or achieves against ours whole, scenario by scenario. */
export const ablationTables = (report: Report): readonly Table[] => {
  const count = mainConnections(report.connections);
  const base = sameEvent(report.figures, 'ours');
  const table = (title: string, unit: string, measure: 'perSecond' | 'processor'): Table => ({
    title: `${title}, against ours whole, ${plural(count)}`,
    note: `Each technique is switched off by itself, in ${report.processes} processes one after the other.`,
    head: ['without', ...report.scenarios.map(({ name }) => name), 'technique'],
    rows: report.entrants.map(({ id, title: technique }) => [
      id,
      ...report.scenarios.map(({ name }) => {
        const figure = figuresFor(report, id, count).find((one) => one.scenario === name);
        if (id === 'ours') return `${shown(figure?.[measure])} ${unit}`;
        const ratio = figure && ratioOf(figure, base(figure), measure);
        return ratio === undefined ? none : `${shown(ratio)} ×`;
      }),
      technique,
    ]),
  });
  return [
    table('Processor time for a request', 'µs', 'processor'),
    table('Requests a second', '/s', 'perSecond'),
  ];
};
