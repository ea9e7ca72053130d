/** The history of changes: what clients asked for, and what the responses acknowledged. */

/** The kinds of stored things that can be listed: what is not found of them is not there. */
export const listedKinds = ['pet', 'order', 'user', 'ad'] as const;

/** The kinds of stored things. A `number` is a user's id: the server assigns it, and no two users ever have the same. */
export const kinds = [...listedKinds, 'number', 'login'] as const;

export type Kind = (typeof kinds)[number];

/** A thing's content as canonical text; undefined: there is no such thing. */
export type State = string | undefined;

/** A thing as it was found. */
export interface Thing {
  readonly kind: Kind;
  readonly key: string;
  readonly state: State;
}

/** The change of one thing. */
export interface Step {
  readonly kind: Kind;
  /** Undefined where the server assigns it; such a step stands alone in its change. */
  readonly key: string | undefined;
  readonly to: State;
}

/** A step whose thing is known by name. */
export interface KeyedStep extends Step {
  readonly key: string;
}

export const isKeyed = (step: Step): step is KeyedStep => step.key !== undefined;

/** Steps that are made together or not at all. */
export interface Change {
  readonly operation: string;
  readonly steps: readonly Step[];
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

/** The numbers of outcomes. */
export interface Tally {
  readonly made: number;
  readonly refused: number;
  readonly indeterminate: number;
}

/** The states of things by kind and key. */
export type States = Readonly<Record<Kind, Map<string, State>>>;

export const newStates = (): States => ({
  pet: new Map(),
  order: new Map(),
  user: new Map(),
  ad: new Map(),
  number: new Map(),
  login: new Map(),
});

/** The part of a history that is read. */
interface Recorded {
  /** Every thing that was ever acknowledged, as it must be; undefined where it was deleted. */
  readonly settled: Readonly<Record<Kind, ReadonlyMap<string, State>>>;
  /** Changes without a response: each was made as a whole or not at all. Their things are left alone until that is resolved. */
  readonly indeterminate: readonly Change[];
  /** Keys that were refused because they are in use. */
  readonly conflicts: readonly { readonly kind: Kind; readonly key: string }[];
  /** All violations so far. */
  readonly violations: readonly Violation[];
  /** The steps since the last resolution, the states before them among them. */
  readonly touched: readonly Step[];
  readonly tally: Tally;
}

/** Opens the history of one database, which begins with what is there. */
export const openHistory = (things: readonly Thing[]) => {
  const settled = newStates();
  const news = new Map<string, string>();
  const indeterminate: Change[] = [];
  const conflicts: { kind: Kind; key: string }[] = [];
  const violations: Violation[] = [];
  const touched: Step[] = [];
  const tally = { made: 0, refused: 0, indeterminate: 0 };

  const touch = (steps: readonly Step[]): void => {
    for (const { kind, key, to } of steps) {
      if (key !== undefined) touched.push({ kind, key, to: settled[kind].get(key) });
      touched.push({ kind, key, to });
    }
  };

  const settle = (steps: readonly KeyedStep[]): void => {
    for (const { kind, key, to } of steps) {
      const known = settled[kind];
      if (to !== undefined && known.get(key) === undefined) news.set(`${kind} ${to}`, key);
      known.set(key, to);
    }
  };

  settle(things.map(({ kind, key, state }) => ({ kind, key, to: state })));
  const recorded: Recorded = { settled, indeterminate, conflicts, violations, touched, tally };
  return {
    ...recorded,

    /** Returns the key under which a thing was first acknowledged in this state. */
    keyOfNew: (kind: Kind, state: string): string | undefined => news.get(`${kind} ${state}`),

    /** Records an acknowledged change. */
    recordMade(steps: readonly KeyedStep[]): void {
      tally.made += 1;
      touch(steps);
      settle(steps);
    },

    /** Records a change of unknown outcome. */
    recordIndeterminate(change: Change): void {
      tally.indeterminate += 1;
      touch(change.steps);
      indeterminate.push(change);
    },

    /** Records a response that says that nothing was changed. */
    recordRefused(): void {
      tally.refused += 1;
    },

    /** Records a response that says that the key is in use. */
    recordConflict(kind: Kind, key: string): void {
      conflicts.push({ kind, key });
    },

    reportViolation(kind: ViolationKind, text: string): void {
      violations.push({ kind, text });
    },

    /** Resolves all indeterminate changes: these steps were made, all others were not. What they settle is acknowledged from now on. */
    resolve(steps: readonly KeyedStep[]): void {
      settle(steps);
      for (const list of [indeterminate, conflicts, touched]) list.length = 0;
    },
  };
};

export type History = ReturnType<typeof openHistory>;
