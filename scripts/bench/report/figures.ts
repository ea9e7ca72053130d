/**
 * Turns measurements into figures: medians over the rounds, ratios round by round. So are the percentiles of times: of all rounds
 * together, p99 would be the one round in which something else happened on the machine.
 */

import { percentile } from '../load/histogram';
import type { Cell } from '../runs/race';

/** What one contestant did in one scenario with so many connections. */
export interface Figure {
  readonly contestant: string;
  readonly scenario: string;
  readonly connections: number;
  /** Requests a second: the median of the rounds. */
  readonly perSecond: number;
  /** Of each round. */
  readonly rounds: readonly number[];
  /** Requests a second against the hand-written peer's of the same round: the median. */
  readonly ratio: number | undefined;
  /** Microseconds: the median of the rounds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time for a request, in microseconds. */
  readonly processor: number | undefined;
  /** The most bytes that it held. */
  readonly resident: number | undefined;
  /** The largest share of its core that the load generator was busy. */
  readonly loadBusy: number;
  /** The share of the server's core that other programs took: the median. */
  readonly foreign: number | undefined;
  readonly answers: number;
}

/** The contestant that ratios are taken against. */
export const yardstick = 'hand-written';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
};

/** NaN where there is nothing. */
export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const known = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined);

const ratioTo = (cell: Cell, base: Cell | undefined): number | undefined => {
  const ratios = cell.slices.map(({ perSecond }, round) => {
    const other = base?.slices[round]?.perSecond;
    return other ? perSecond / other : undefined;
  });
  const all = known(ratios);
  return all.length === 0 ? undefined : median(all);
};

const figureOf = (cell: Cell, base: Cell | undefined): Figure => {
  const { contestant, scenario, connections, slices } = cell;
  const ofRounds = (share: number): number =>
    median(slices.map(({ times }) => percentile(times, share)));
  const rounds = slices.map(({ perSecond }) => perSecond);
  const processor = known(slices.map((slice) => slice.processor));
  const foreign = known(slices.map((slice) => slice.foreign));
  const resident = known(slices.map((slice) => slice.resident));
  return {
    ...{ contestant, scenario, connections, rounds },
    perSecond: median(rounds),
    ratio: ratioTo(cell, base),
    p50: ofRounds(0.5),
    p99: ofRounds(0.99),
    processor: processor.length === 0 ? undefined : median(processor),
    resident: resident.length === 0 ? undefined : Math.max(...resident),
    loadBusy: Math.max(...slices.map(({ loadBusy }) => loadBusy)),
    foreign: foreign.length === 0 ? undefined : median(foreign),
    answers: slices.reduce((sum, { answers }) => sum + answers, 0),
  };
};

/** The figures of all cells. */
export const figuresOf = (cells: readonly Cell[]): Figure[] =>
  cells.map((cell) => {
    const base = cells.find(
      ({ contestant, scenario, connections }) =>
        contestant === yardstick && scenario === cell.scenario && connections === cell.connections,
    );
    return figureOf(cell, base);
  });
