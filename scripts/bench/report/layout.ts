/** Lays tables out: for the terminal and in Markdown. */

import type { Report } from './report';
import type { Table } from './table';

/** A table for the terminal: columns of equal width; the last one is as long as it is. */
const terminalTable = ({ title, head, rows }: Table): string => {
  const all = [head, ...rows];
  const full = all.filter((row) => row.length === head.length);
  const widths = head.map((_, column) => Math.max(...full.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [title, '-'.repeat(title.length), ...all.map(line)].join('\n');
};

const escaped = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');

const markdownRow = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;

/** One table in Markdown. */
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

/** Where and how the figures were taken. */
const conditions = ({ machine, pets, rounds, seconds, date }: Report): string => {
  const cores = machine.pinned
    ? 'server and load generator on a core each'
    : 'server and load generator share the cores';
  return `${machine.processor}, ${machine.cores} cores, ${machine.system}, Node.js ${machine.node}; ${cores}; ${pets.toLocaleString('en')} pets; ${rounds} rounds of ${seconds.toFixed(2)} s each; ${date}`;
};

/** The share of its core above which the load generator may be what is measured. */
const tooBusy = 0.95;

/** The share of the server's core that others may take before a figure says more of them than of the server. */
const tooForeign = 0.1;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** What makes the figures doubtful. */
const warnings = ({ figures }: Report): readonly string[] => {
  const disturbed = figures.flatMap(({ foreign = 0 }) => (foreign > tooForeign ? [foreign] : []));
  const busy = figures.filter(({ loadBusy }) => loadBusy > tooBusy);
  const whose = [...new Set(busy.map(({ contestant }) => contestant))].join(', ');
  const foreignText = `THE MACHINE WAS NOT QUIET: in ${disturbed.length} of ${figures.length} measurements other programs took more than ${percent(tooForeign)} of the server's core (the most: ${percent(Math.max(...disturbed))}). Rates, ratios and times of this run are not reliable; processor time for a request is.`;
  const busyText = `In ${busy.length} of ${figures.length} measurements the load generator was busy more than ${percent(tooBusy)} of the time: ${whose} may be faster than shown there.`;
  return [...(disturbed.length > 0 ? [foreignText] : []), ...(busy.length > 0 ? [busyText] : [])];
};

const parts = (report: Report, tables: readonly Table[], lay: (table: Table) => string) => [
  conditions(report),
  ...warnings(report),
  ...tables.filter(({ rows }) => rows.length > 0).map(lay),
];

/** The tables for the terminal. */
export const terminalText = (report: Report, tables: readonly Table[]): string =>
  `${parts(report, tables, terminalTable).join('\n\n')}\n`;

/** The tables in Markdown. */
export const markdownText = (title: string, report: Report, tables: readonly Table[]): string =>
  `${[`# ${title}`, ...parts(report, tables, markdownTable)].join('\n\n')}\n`;
