/** What is measured while one size grows, and the table of it. */

import { none, shown, type Table } from './table';

/** One scenario at one size on one database. */
export interface FlatFigure {
  readonly scenario: string;
  readonly perSecond: number;
  /** Microseconds of the server's processor for one request. */
  readonly processor: number;
  /** What was wrong with responses. */
  readonly faults: readonly string[];
}

/** One size on one database. */
export interface FlatPoint {
  /** How much there is of what is varied. */
  readonly count: number;
  readonly figures: readonly FlatFigure[];
  /** Bytes of memory after all scenarios, where the system tells. */
  readonly resident: number | undefined;
}

/** All sizes of one database. */
export interface FlatSeries {
  readonly database: string;
  readonly points: readonly FlatPoint[];
}

/** One thing that is varied, and what it does on each database. */
export interface FlatComparison {
  readonly varied: string;
  readonly series: readonly FlatSeries[];
}

/** A count of bytes in megabytes. */
export const megabytes = (bytes: number): number => bytes / 2 ** 20;

const cellsOf = ({ figures, resident }: FlatPoint): readonly string[] => [
  ...figures.map(({ perSecond, processor, faults }) =>
    [`${shown(perSecond)} / ${shown(processor)}`, ...faults.map((fault) => `(${fault})`)].join(' '),
  ),
  resident === undefined ? none : shown(megabytes(resident)),
];

/** Requests a second and processor time for one, and memory. */
export const flatTable = ({ varied, series }: FlatComparison): Table => {
  const columns = series.flatMap(({ database, points }) =>
    [...(points[0]?.figures ?? []).map(({ scenario }) => scenario), 'MB'].map(
      (column) => `${database}: ${column}`,
    ),
  );
  const rows = (series[0]?.points ?? []).map(({ count }, row) => [
    count.toLocaleString('en'),
    ...series.flatMap(({ points }) => (points[row] ? cellsOf(points[row]) : [])),
  ]);
  return {
    title: `Requests a second / processor µs for one, and megabytes of memory, by the number of ${varied}`,
    head: [varied, ...columns],
    rows,
  };
};
