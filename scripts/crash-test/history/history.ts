/** What must be there, by what was acknowledged, and what may be there, by what is in doubt. */

import type { Change, KeyedStep, Kind, State, Step, Violation } from './change';

/** What the comparison reads. */
export interface History {
  /** Every thing that was ever acknowledged, as it must be; undefined where it must not be there any more. */
  settled(kind: Kind): ReadonlyMap<string, State>;
  /** Changes of which nobody knows whether they were made. */
  readonly doubts: readonly Change[];
  /** Keys that were refused because they are in use. */
  readonly claims: readonly { readonly kind: Kind; readonly key: string }[];
  /** The key under which a thing was first acknowledged in this state. */
  keyOfNew(kind: Kind, state: string): string | undefined;
}

/** How often things came out in which way. */
export interface Tally {
  readonly made: number;
  readonly refused: number;
  readonly doubtful: number;
}

/** A history that is being written. A thing in doubt is left alone until the doubt is resolved. */
export interface Ledger extends History {
  /** Acknowledged. */
  made(steps: readonly KeyedStep[]): void;
  /** In doubt. */
  doubt(change: Change): void;
  /** Told that nothing was changed. */
  refuse(): void;
  /** Told that the key is in use. */
  claim(kind: Kind, key: string): void;
  blame(violation: Violation): void;
  /** What was blamed so far. */
  readonly violations: readonly Violation[];
  /** The steps since the last resolution, the states before them among them. */
  readonly touched: readonly Step[];
  readonly tally: Tally;
  /** Ends all doubts: these steps were made, all others were not. What they settle is acknowledged from now on. */
  resolve(steps: readonly KeyedStep[]): void;
}

/** Opens an empty ledger. */
export const openLedger = (): Ledger => {
  const things = new Map<Kind, Map<string, State>>();
  const news = new Map<string, string>();
  const doubts: Change[] = [];
  const claims: { kind: Kind; key: string }[] = [];
  const violations: Violation[] = [];
  const touched: Step[] = [];
  const tally = { made: 0, refused: 0, doubtful: 0 };

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
    doubts,
    claims,
    violations,
    touched,
    tally,
    keyOfNew: (kind, state) => news.get(`${kind} ${state}`),

    made(steps) {
      tally.made += 1;
      touch(steps);
      settle(steps);
    },

    doubt(change) {
      tally.doubtful += 1;
      touch(change.steps);
      doubts.push(change);
    },

    refuse() {
      tally.refused += 1;
    },

    claim(kind, key) {
      claims.push({ kind, key });
    },

    blame(violation) {
      violations.push(violation);
    },

    resolve(steps) {
      settle(steps);
      doubts.length = 0;
      claims.length = 0;
      touched.length = 0;
    },
  };
};
