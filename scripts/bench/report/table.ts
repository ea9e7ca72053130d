/** A table of a report, as rows of texts that Markdown and the terminal lay out. */

import type { Figure } from './figures';
import { figuresFor, type Report } from './report';

/** A table; the first column is text, the others are numbers. */
export interface Table {
  readonly title: string;
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Stands where there is nothing. */
export const none = '–';

/** A number to about three digits. */
export const shown = (value: number | undefined): string => {
  if (value === undefined || !Number.isFinite(value)) return none;
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
};

/** So many connections, in words. */
export const plural = (connections: number): string =>
  `${connections} connection${connections === 1 ? '' : 's'}`;

/** A table of scenarios by contestants. */
export const grid = (
  report: Report,
  connections: number,
  title: string,
  cell: (figure: Figure) => string,
): Table => {
  const ids = report.entrants.map(({ id }) => id);
  const running = ids.filter((id) => figuresFor(report, id, connections).length > 0);
  const cellOf = (id: string, scenario: string): string => {
    const figure = figuresFor(report, id, connections).find((one) => one.scenario === scenario);
    return figure === undefined ? none : cell(figure);
  };
  const rows = report.scenarios.map((scenario) => [
    scenario.title,
    ...running.map((id) => cellOf(id, scenario.name)),
  ]);
  return {
    title: `${title}, ${plural(connections)}`,
    head: ['scenario', ...running],
    rows: rows.filter(([, ...cells]) => cells.some((text) => text !== none)),
  };
};
