/** Holds what is there to what was acknowledged: nothing lost, nothing twice, nothing in halves. */

import type { KeyedStep, Kind, State, Violation } from './change';
import type { RecordedHistory } from './history';
import { resolveIndeterminate } from './resolve-indeterminate';
import { indexOf, type Snapshot } from './snapshot';

/** What the comparison says. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** What has become of the indeterminate changes, and what else is there now. */
  readonly settled: readonly KeyedStep[];
  /** How many of the indeterminate changes turned out to be made. */
  readonly resolvedAsMade: number;
}

/** Compares, and finds out what has become of the indeterminate changes. */
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
      ? [{ kind: 'unknown', text: `${kind} ${key}, which nobody asked for, is there: ${is}` }]
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

  /** Where not everything was observed, the unexpected is no violation: it is learned. */
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
    const text = `${kind} ${key} was refused as being in use, and nobody has ever had it`;
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
