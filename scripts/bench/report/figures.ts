/**
 * Turns samples into figures: medians over the rounds, ratios round by round. So are the percentiles of times: of all rounds
 * together, p99 would be the one round in which something else happened on the machine.
 */

import type { Cell } from '../runs/race';
import type { DatabaseCost, Sample } from '../runs/sample';

/** What one contestant did in one scenario at that many connections. */
export interface Figure {
  readonly contestant: string;
  readonly scenario: string;
  readonly connections: number;
  /** Requests a second: the median of the rounds. */
  readonly perSecond: number;
  /** Microseconds: the median of the rounds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time for a request, in microseconds: the median of the rounds. */
  readonly processor: number | undefined;
  /** The most bytes of memory that it held. */
  readonly resident: number | undefined;
  /** The largest share of its core that the load generator was busy. */
  readonly loadBusy: number;
  /** The share of the server's core that other programs took: the median. */
  readonly foreign: number | undefined;
  readonly responses: number;
  /** What a request costs in the database server: the medians of the rounds; undefined where there is none. */
  readonly database: DatabaseCost | undefined;
  /** Of each round, from which ratios are taken. */
  readonly rounds: readonly Pick<Sample, 'perSecond' | 'processor'>[];
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
};

/** NaN where there is nothing. */
export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

export const known = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value) => value !== undefined);

const medianOf = (values: readonly (number | undefined)[]): number | undefined =>
  known(values).length === 0 ? undefined : median(known(values));

const databaseOf = (samples: readonly Sample[]): DatabaseCost | undefined => {
  const costs = known(samples.map(({ database }) => database));
  const wal = medianOf(costs.map((cost) => cost.wal));
  if (wal === undefined) return undefined;
  return {
    wal,
    statements: medianOf(costs.map(({ statements }) => statements)),
    processor: medianOf(costs.map(({ processor }) => processor)),
  };
};

const figureOf = ({ contestant, scenario, connections, samples }: Cell): Figure => {
  const resident = known(samples.map((sample) => sample.resident));
  return {
    ...{ contestant, scenario, connections },
    perSecond: median(samples.map(({ perSecond }) => perSecond)),
    p50: median(samples.map(({ times }) => times.percentile(50))),
    p99: median(samples.map(({ times }) => times.percentile(99))),
    processor: medianOf(samples.map(({ processor }) => processor)),
    resident: resident.length === 0 ? undefined : Math.max(...resident),
    loadBusy: Math.max(...samples.map(({ loadBusy }) => loadBusy)),
    foreign: medianOf(samples.map(({ foreign }) => foreign)),
    database: databaseOf(samples),
    responses: samples.reduce((sum, { responses }) => sum + responses, 0),
    rounds: samples.map(({ perSecond, processor }) => ({ perSecond, processor })),
  };
};

/** The figures of all cells. */
export const figuresOf = (cells: readonly Cell[]): readonly Figure[] => cells.map(figureOf);

/** One contestant against another: the median of the ratios of the rounds; undefined where nothing is known. */
export const ratioOf = (
  one: Figure | undefined,
  base: Figure | undefined,
  measure: 'perSecond' | 'processor',
): number | undefined =>
  medianOf(
    (one?.rounds ?? []).map((round, index) => {
      const [mine, other] = [round[measure], base?.rounds[index]?.[measure]];
      return mine === undefined || !other ? undefined : mine / other;
    }),
  );

/** The figures of the others in the same scenario, at as many connections. */
export const sameEvent =
  (figures: readonly Figure[], contestant: string) =>
  ({ scenario, connections }: Figure): Figure | undefined =>
    figures.find(
      (other) =>
        other.contestant === contestant &&
        other.scenario === scenario &&
        other.connections === connections,
    );
