/** What a race gives: everything that the tables and the JSON are made from. */

import type { Skipped } from '../runs/race';
import type { Figure } from './figures';

/** A contestant in the report. */
export interface Entrant {
  readonly id: string;
  readonly title: string;
  readonly kind: 'ours' | 'peer';
  /** Why it did not take part, if it did not. */
  readonly absent: string | undefined;
  /** Milliseconds to the first response, of each start. */
  readonly starts: readonly number[];
  /** Undefined where it stores nothing. */
  readonly exactInt64: boolean | undefined;
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
  readonly processes: number;
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly entrants: readonly Entrant[];
  readonly scenarios: readonly { readonly name: string; readonly title: string }[];
  readonly figures: readonly Figure[];
  readonly skipped: readonly Skipped[];
}

/** The number of connections at which throughput is compared: 64, or the nearest to it that was run. */
export const mainConnections = (connections: readonly number[]): number =>
  [...connections].sort((one, other) => Math.abs(one - 64) - Math.abs(other - 64))[0] ?? 1;

/** The figures of one contestant at that many connections. */
export const figuresFor = (
  { figures }: Report,
  contestant: string,
  connections: number,
): readonly Figure[] =>
  figures.filter((one) => one.contestant === contestant && one.connections === connections);
