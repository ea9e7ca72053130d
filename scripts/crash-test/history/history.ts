/** The history of changes: what clients asked for, and what the responses acknowledged. */

/** The kinds of stored things. A `number` is a user's id: the server assigns it, and no two users ever have the same. */
export type Kind = 'pet' | 'order' | 'user' | 'number' | 'ad' | 'login';

/** A thing's content as canonical text; undefined: there is no such thing. */
export type State = string | undefined;

/** The change of one thing. */
export interface Step {
  readonly kind: Kind;
  /** Undefined where the server assigns it; such a step stands alone in its change. */
  readonly key: string | undefined;
  readonly to: State;
}

/** Steps that are made together or not at all. */
export interface Change {
  readonly operation: string;
  readonly steps: readonly Step[];
}

/** A step whose thing is known by name. */
export interface KeyedStep extends Step {
  readonly key: string;
}

/** A thing as it was found. */
export interface Thing {
  readonly kind: Kind;
  readonly key: string;
  readonly state: State;
}

/**
 * - `lost`: what was acknowledged is not there; - `revived`: what was deleted is; - `altered`: it is not as acknowledged.
 * - `duplicated`: it is there twice, or its id was given twice; - `torn`: a part of it is there; - `unknown`: no client asked for it.
 * - `response`: a response that contradicts what is there; - `hang`: no response at all; - `down`: the server does not come back.
 */
export type ViolationKind =
  | 'lost'
  | 'revived'
  | 'altered'
  | 'duplicated'
  | 'torn'
  | 'unknown'
  | 'response'
  | 'hang'
  | 'down';

/** An observation that must never be made. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly text: string;
}

/** Writes a state for people. */
export const shown = (state: State): string => state ?? '(not there)';

/** The part of a history that the comparison reads. */
export interface RecordedHistory {
  /** Returns every thing that was ever acknowledged, as it must be; undefined where it was deleted. */
  settled(kind: Kind): ReadonlyMap<string, State>;
  /** Changes without a response: each was made as a whole or not at all. */
  readonly indeterminate: readonly Change[];
  /** Keys that were refused because they are in use. */
  readonly conflicts: readonly { readonly kind: Kind; readonly key: string }[];
  /** Returns the key under which a thing was first acknowledged in this state. */
  keyOfNew(kind: Kind, state: string): string | undefined;
}

/** The numbers of outcomes. */
export interface Tally {
  readonly made: number;
  readonly refused: number;
  readonly indeterminate: number;
}

/** A history that is being written. A thing of an indeterminate change is left alone until that is resolved. */
export interface History extends RecordedHistory {
  /** Records an acknowledged change. */
  recordMade(steps: readonly KeyedStep[]): void;
  /** Records a change of unknown outcome. */
  recordIndeterminate(change: Change): void;
  /** Records a response that says that nothing was changed. */
  recordRefused(): void;
  /** Records a response that says that the key is in use. */
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
