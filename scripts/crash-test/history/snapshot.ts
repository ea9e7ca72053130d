/** What is stored, with an index by key and by state. */

import { type Kind, type State, shown, type Thing, type Violation } from './change';

/** What was observed. */
export interface Snapshot {
  /** Kinds of which everything was observed: what is not among the things is not there. */
  readonly whole: ReadonlySet<Kind>;
  /** Of other kinds, what was observed; a state of undefined says that it is not there. */
  readonly things: readonly Thing[];
}

/** The things, ordered for looking up. */
export interface SnapshotIndex {
  readonly kinds: ReadonlySet<Kind>;
  stateOf(kind: Kind, key: string): State;
  /** The keys that were observed. */
  keysOf(kind: Kind): string[];
  /** The keys under which the state is there. */
  keysWith(kind: Kind, state: State): readonly string[];
  /** Things that are there more than once. */
  readonly duplicates: readonly Violation[];
}

/** Makes the index. */
export const indexOf = ({ whole, things }: Snapshot): SnapshotIndex => {
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
