/** The targets of fuzzing, which are in `test/fuzz`. */

/** Something that takes bytes. */
export interface FuzzTarget {
  /** The first inputs. */
  readonly seeds: readonly Uint8Array[];
  /** Pieces that matter to the format. */
  readonly tokens: readonly string[];
  /** The most bytes that the server would take; `mostLength` where it is not given. */
  readonly longest?: number;
  /** True where the time of a run is the processor's, so that it has a bound. */
  readonly isTimed: boolean;
  /** @throws whatever is a finding; a declared refusal is not */
  run(input: Uint8Array): void | Promise<void>;
  stop?(): Promise<void>;
}

/** Makers of targets, by name. */
export type FuzzTargets = Readonly<Record<string, () => FuzzTarget | Promise<FuzzTarget>>>;

/** The longest input that the search makes step by step. */
export const usualLength = 4096;

/** The longest input: the default bound of documents. */
export const mostLength = 1024 * 1024;

/**
 * Returns the milliseconds of the processor that an input may take. The server means to take a tenth of a second for the longest, on a
 * machine that does nothing else; a search has its machine for itself as a rule, but not always.
 */
export const timeBound = (length: number): number => Math.min(200, 40 + (160 * length) / 65_536);
