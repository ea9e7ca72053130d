/** What a race gives: everything that the tables, the plot and the JSON are made from. */

import type { Durability } from '../targets/contestant';
import type { Left } from '../runs/race';
import type { Figure } from './figures';
import type { Goal } from './goals';

/** A contestant in the report. */
export interface Entrant {
  readonly id: string;
  readonly title: string;
  readonly kind: 'ours' | 'peer' | 'floor';
  readonly durability: Durability;
  /** Why it did not take part, if it did not. */
  readonly absent: string | undefined;
  /** Milliseconds to the first answer, of each start. */
  readonly starts: readonly number[];
  /** Undefined where it stores nothing. */
  readonly exactInt64: boolean | undefined;
}

/** A scenario in the report. */
export interface Event {
  readonly name: string;
  readonly title: string;
  readonly phase: 'read' | 'write';
}

export interface Report {
  readonly date: string;
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly node: string;
    readonly system: string;
    /** Whether server and load generator had a core each. */
    readonly pinned: boolean;
  };
  readonly pets: number;
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly entrants: readonly Entrant[];
  readonly events: readonly Event[];
  readonly figures: readonly Figure[];
  readonly left: readonly Left[];
  readonly goals: readonly Goal[];
}

/** The number of connections at which throughput is compared: 64, or the nearest to it that was run. */
export const mainConnections = (connections: readonly number[]): number =>
  [...connections].sort((one, other) => Math.abs(one - 64) - Math.abs(other - 64))[0] ?? 1;

/** The figures of one contestant with so many connections. */
export const figuresFor = (
  { figures }: Pick<Report, 'figures'>,
  contestant: string,
  connections: number,
): Figure[] =>
  figures.filter(
    (figure) => figure.contestant === contestant && figure.connections === connections,
  );
