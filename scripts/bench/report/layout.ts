/** Lays tables out: for the terminal and in Markdown. */

import type { Figure } from './figures';
import type { Report } from './report';
import { allTables, shortTables, type Table } from './tables';

/** A table for the terminal: columns of equal width; the last one is as long as it is. */
export const terminalTable = ({ title, head, rows }: Table): string => {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(
      ...all.filter((row) => row.length === head.length).map((row) => row[column]?.length ?? 0),
    ),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        if (column === row.length - 1) return cell;
        return cell.padEnd(widths[column] ?? 0);
      })
      .join('  ')
      .trimEnd();
  return [title, '-'.repeat(title.length), ...all.map(line)].join('\n');
};

const escaped = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');

const markdownRow = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;

/** A table in Markdown. */
export const markdownTable = ({ title, note, head, rows }: Table): string =>
  [
    `## ${title}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    markdownRow(head),
    `|---|${'--:|'.repeat(head.length - 1)}`,
    ...rows.map((row) =>
      markdownRow([...row, ...Array<string>(head.length - row.length).fill('')]),
    ),
  ].join('\n');

const filled = (tables: readonly Table[]): Table[] => tables.filter(({ rows }) => rows.length > 0);

/** Where and how the figures were taken. */
export const conditions = (
  report: Pick<Report, 'machine' | 'pets' | 'rounds' | 'seconds' | 'date'>,
): string => {
  const { machine, pets, rounds, seconds } = report;
  const cores = machine.pinned
    ? 'server and load generator on a core each'
    : 'server and load generator share the cores';
  return `${machine.processor}, ${machine.cores} cores, ${machine.system}, Node.js ${machine.node}; ${cores}; ${pets.toLocaleString('en')} pets; ${rounds} rounds of ${seconds.toFixed(2)} s each; ${report.date}`;
};

/** The share of its core above which the load generator may be what is measured. */
const tooBusy = 0.95;

/** The share of the server's core that others may take before a figure says more of them than of the server. */
const tooForeign = 0.1;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const busyWarning = (figures: readonly Figure[]): string[] => {
  const busy = figures.filter(({ loadBusy }) => loadBusy > tooBusy);
  const whose = [...new Set(busy.map(({ contestant }) => contestant))].join(', ');
  return busy.length === 0
    ? []
    : [
        `In ${busy.length} of ${figures.length} measurements the load generator was busy more than ${percent(tooBusy)} of the time: ${whose} may be faster than shown there.`,
      ];
};

const foreignWarning = (figures: readonly Figure[]): string[] => {
  const shares = figures.flatMap(({ foreign }) => foreign ?? []);
  const disturbed = shares.filter((share) => share > tooForeign).length;
  return disturbed === 0
    ? []
    : [
        `THE MACHINE WAS NOT QUIET: in ${disturbed} of ${figures.length} measurements other programs took more than ${percent(tooForeign)} of the server's core (the most: ${percent(Math.max(...shares))}). Rates, ratios and times of this run are not to be relied on; processor time for a request is.`,
      ];
};

const warnings = ({ figures }: Report): string[] => [
  ...foreignWarning(figures),
  ...busyWarning(figures),
];

/** The report for the terminal. */
export const terminalText = (report: Report): string =>
  `${[conditions(report), ...warnings(report), ...filled(shortTables(report)).map(terminalTable)].join('\n\n')}\n`;

/** The whole report. */
export const markdownText = (report: Report): string =>
  `${['# Benchmark', conditions(report), ...warnings(report), ...filled(allTables(report)).map(markdownTable)].join('\n\n')}\n`;
