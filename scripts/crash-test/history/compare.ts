/** Compares what is stored with what was acknowledged: nothing lost, nothing twice, nothing in part. */

import {
  type Change,
  type KeyedStep,
  type Kind,
  type RecordedHistory,
  type State,
  shown,
  type Thing,
  type Violation,
} from './history';

/** The things that were observed. */
export interface Snapshot {
  /** Kinds of which everything was observed: what is not among the things is not there. */
  readonly whole: ReadonlySet<Kind>;
  /** Of other kinds, what was observed; a state of undefined says that it is not there. */
  readonly things: readonly Thing[];
}

/** The things by key and by state. */
interface SnapshotIndex {
  readonly kinds: ReadonlySet<Kind>;
  stateOf(kind: Kind, key: string): State;
  /** Returns the keys that were observed. */
  keysOf(kind: Kind): string[];
  /** Returns the keys under which the state is there. */
  keysWith(kind: Kind, state: State): readonly string[];
  /** Things that are there more than once. */
  readonly duplicates: readonly Violation[];
}

/** Indexes the things. */
const indexOf = ({ whole, things }: Snapshot): SnapshotIndex => {
  const byKind = new Map<Kind, Map<string, State>>();
  const byState = new Map<string, string[]>();
  const duplicates: Violation[] = [];
  for (const { kind, key, state } of things) {
    const states = byKind.get(kind) ?? new Map<string, State>();
    const other = states.get(key);
    if (other !== undefined) {
      const text = `${kind} ${key} is there twice: ${other}, ${shown(state)}`;
      duplicates.push({ kind: 'duplicated', text });
    }
    byKind.set(kind, states.set(key, state));
    const name = `${kind} ${state}`;
    byState.set(name, [...(byState.get(name) ?? []), key]);
  }
  return {
    kinds: new Set([...whole, ...byKind.keys()]),
    stateOf: (kind, key) => byKind.get(kind)?.get(key),
    keysOf: (kind) => [...(byKind.get(kind)?.keys() ?? [])],
    keysWith: (kind, state) => byState.get(`${kind} ${state}`) ?? [],
    duplicates,
  };
};

/** The state that must be there, as far as it is known by now. */
interface Expectation {
  stateOf(kind: Kind, key: string): State;
  settle(step: KeyedStep): void;
}

const isKeyed = (step: Change['steps'][number]): step is KeyedStep => step.key !== undefined;

/** The outcome of the indeterminate changes. */
interface Resolution {
  /** The number of them that were made. */
  readonly made: number;
  readonly violations: readonly Violation[];
}

/** Settles the changes that were made; reports those that were made twice or in part. */
const resolveIndeterminate = (
  indeterminate: readonly Change[],
  found: SnapshotIndex,
  expected: Expectation,
): Resolution => {
  let made = 0;

  /** Resolves an addition, under whatever key it was assigned. */
  const resolveNew = (operation: string, kind: Kind, to: State): Violation[] => {
    const keys = found.keysWith(kind, to);
    made += Math.sign(keys.length);
    for (const key of keys) expected.settle({ kind, key, to });
    const text = `${operation}, indeterminate, was done as ${kind} ${keys.join(' and ')}: ${to}`;
    return keys.length > 1 ? [{ kind: 'duplicated', text }] : [];
  };

  const resolveKeyed = ({ operation, steps }: Change): Violation[] => {
    const parts = steps.filter(isKeyed).map((step) => ({
      step,
      was: expected.stateOf(step.kind, step.key),
      is: found.stateOf(step.kind, step.key),
    }));
    if (parts.every(({ was, is }) => is === was)) return [];
    made += 1;
    for (const { step, is } of parts) expected.settle({ ...step, to: is });
    if (parts.every(({ step, is }) => is === step.to)) return [];
    const lines = parts.map(
      ({ step: { kind, key, to }, was, is }) =>
        `\n    ${kind} ${key}: was ${shown(was)}, asked for ${shown(to)}, is ${shown(is)}`,
    );
    const text = `${operation}, indeterminate, is neither made nor not made:${lines.join('')}`;
    return [{ kind: 'torn', text }];
  };

  // Additions first: what they were assigned may be what another one asked for in vain.
  const violations = [
    ...indeterminate.flatMap(({ operation, steps }) =>
      steps.flatMap((step) => (isKeyed(step) ? [] : resolveNew(operation, step.kind, step.to))),
    ),
    ...indeterminate.flatMap(resolveKeyed),
  ];
  return { made, violations };
};

/** The result of a comparison. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** The indeterminate changes that were made, and what else is there now. */
  readonly settled: readonly KeyedStep[];
  /** The number of indeterminate changes that turned out to be made. */
  readonly resolvedAsMade: number;
}

/** Compares what is stored with what was acknowledged, and resolves the indeterminate changes. */
export const compare = (history: RecordedHistory, snapshot: Snapshot): Verdict => {
  const found = indexOf(snapshot);
  const settled: KeyedStep[] = [];

  const copies = new Map<Kind, Map<string, State>>();
  const expected = (kind: Kind): Map<string, State> => {
    const copy = copies.get(kind) ?? new Map(history.settled(kind));
    copies.set(kind, copy);
    return copy;
  };
  const settle = (step: KeyedStep): void => {
    settled.push(step);
    expected(step.kind).set(step.key, step.to);
  };

  const judgeUnexpected = (kind: Kind, key: string, is: string): Violation[] => {
    if (expected(kind).has(key)) {
      return [{ kind: 'revived', text: `${kind} ${key} was deleted and is there: ${is}` }];
    }
    const twin = history.keyOfNew(kind, is);
    return twin === undefined
      ? [{ kind: 'unknown', text: `${kind} ${key}, which no client asked for, is there: ${is}` }]
      : [{ kind: 'duplicated', text: `${kind} ${twin} is there again as ${kind} ${key}: ${is}` }];
  };

  const judge = (kind: Kind, key: string): Violation[] => {
    const [must, is] = [expected(kind).get(key), found.stateOf(kind, key)];
    if (must === is) return [];
    if (is === undefined) return [{ kind: 'lost', text: `${kind} ${key} is not there: ${must}` }];
    if (must === undefined) return judgeUnexpected(kind, key, is);
    const text = `${kind} ${key} was acknowledged as ${must} and is ${is}`;
    return [{ kind: 'altered', text }];
  };

  /** Learns what is there of a kind of which not everything was observed. */
  const learn = (kind: Kind): void => {
    for (const key of found.keysOf(kind)) {
      if (!expected(kind).has(key)) settle({ kind, key, to: found.stateOf(kind, key) });
    }
  };

  const judgeAll = (kind: Kind): Violation[] => {
    const isWhole = snapshot.whole.has(kind);
    if (!isWhole) learn(kind);
    const keys = [...found.keysOf(kind), ...(isWhole ? expected(kind).keys() : [])];
    return [...new Set(keys)].flatMap((key) => judge(kind, key));
  };

  const judgeConflict = ({ kind, key }: RecordedHistory['conflicts'][number]): Violation[] => {
    const text = `${kind} ${key} was refused as being in use, and was never stored`;
    return expected(kind).has(key) ? [] : [{ kind: 'unknown', text }];
  };

  const stateOf = (kind: Kind, key: string): State => expected(kind).get(key);
  const indeterminate = resolveIndeterminate(history.indeterminate, found, { stateOf, settle });
  const violations = [
    ...found.duplicates,
    ...indeterminate.violations,
    ...[...found.kinds].flatMap(judgeAll),
    ...history.conflicts.flatMap(judgeConflict),
  ];
  return { violations, settled, resolvedAsMade: indeterminate.made };
};
