/** What must be there, by what was acknowledged, and what may be there, by the indeterminate changes. */

import type { Change, KeyedStep, Kind, State, Step, Violation } from './change';

/** What the comparison reads. */
export interface RecordedHistory {
  /** Every thing that was ever acknowledged, as it must be; undefined where it must not be there any more. */
  settled(kind: Kind): ReadonlyMap<string, State>;
  /** Changes of which nobody knows whether they were made. */
  readonly indeterminate: readonly Change[];
  /** Keys that were refused because they are in use. */
  readonly conflicts: readonly { readonly kind: Kind; readonly key: string }[];
  /** The key under which a thing was first acknowledged in this state. */
  keyOfNew(kind: Kind, state: string): string | undefined;
}

/** How often things came out in which way. */
export interface Tally {
  readonly made: number;
  readonly refused: number;
  readonly indeterminate: number;
}

/** A history that is being written. A thing of an indeterminate change is left alone until that is resolved. */
export interface History extends RecordedHistory {
  /** Acknowledged. */
  recordMade(steps: readonly KeyedStep[]): void;
  /** Of unknown outcome. */
  recordIndeterminate(change: Change): void;
  /** Told that nothing was changed. */
  recordRefused(): void;
  /** Told that the key is in use. */
  recordConflict(kind: Kind, key: string): void;
  reportViolation(violation: Violation): void;
  /** All violations so far. */
  readonly violations: readonly Violation[];
  /** The steps since the last resolution, the states before them among them. */
  readonly touched: readonly Step[];
  readonly tally: Tally;
  /** Resolves all indeterminate changes: these steps were made, all others were not. What they settle is acknowledged from now on. */
  resolve(steps: readonly KeyedStep[]): void;
}

/** Opens an empty history. */
export const openHistory = (): History => {
  const things = new Map<Kind, Map<string, State>>();
  const news = new Map<string, string>();
  const indeterminate: Change[] = [];
  const conflicts: { kind: Kind; key: string }[] = [];
  const violations: Violation[] = [];
  const touched: Step[] = [];
  const tally = { made: 0, refused: 0, indeterminate: 0 };

  const settled = (kind: Kind): Map<string, State> => {
    const known = things.get(kind) ?? new Map<string, State>();
    things.set(kind, known);
    return known;
  };

  const touch = (steps: readonly Step[]): void => {
    for (const { kind, key, to } of steps) {
      if (key !== undefined) touched.push({ kind, key, to: settled(kind).get(key) });
      touched.push({ kind, key, to });
    }
  };

  const settle = (steps: readonly KeyedStep[]): void => {
    for (const { kind, key, to } of steps) {
      const known = settled(kind);
      if (to !== undefined && known.get(key) === undefined) news.set(`${kind} ${to}`, key);
      known.set(key, to);
    }
  };

  return {
    settled,
    indeterminate,
    conflicts,
    violations,
    touched,
    tally,
    keyOfNew: (kind, state) => news.get(`${kind} ${state}`),

    recordMade(steps) {
      tally.made += 1;
      touch(steps);
      settle(steps);
    },

    recordIndeterminate(change) {
      tally.indeterminate += 1;
      touch(change.steps);
      indeterminate.push(change);
    },

    recordRefused() {
      tally.refused += 1;
    },

    recordConflict(kind, key) {
      conflicts.push({ kind, key });
    },

    reportViolation(violation) {
      violations.push(violation);
    },

    resolve(steps) {
      settle(steps);
      indeterminate.length = 0;
      conflicts.length = 0;
      touched.length = 0;
    },
  };
};
