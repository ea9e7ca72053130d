/** Compares what is stored with what was acknowledged: nothing lost, nothing twice, nothing in part. */

import {
  type Change,
  type History,
  isKeyed,
  type KeyedStep,
  type Kind,
  kinds,
  listedKinds,
  newStates,
  type State,
  type Thing,
  type Violation,
  type ViolationKind,
} from './history';

/** The result of a comparison. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** The indeterminate changes that were made, and what else is there now. */
  readonly settled: readonly KeyedStep[];
  /** The number of indeterminate changes that turned out to be made. */
  readonly resolvedAsMade: number;
}

const shown = (state: State): string => state ?? '(not there)';

const isListed = (kind: Kind): boolean => listedKinds.some((listed) => listed === kind);

/**
 * Compares the things that are there with what was acknowledged, and resolves the indeterminate changes.
 *
 * @param things all things of the kinds that can be listed, and some of the others, where a state of undefined says that one is not there
 */
export const compare = (history: History, things: readonly Thing[]): Verdict => {
  const violations: Violation[] = [];
  const settled: KeyedStep[] = [];
  let resolvedAsMade = 0;
  const found = newStates();
  const expected = newStates();
  for (const kind of kinds) {
    for (const [key, state] of history.settled[kind]) expected[kind].set(key, state);
  }

  const report = (kind: ViolationKind, text: string): void => {
    violations.push({ kind, text });
  };
  const settle = (step: KeyedStep): void => {
    settled.push(step);
    expected[step.kind].set(step.key, step.to);
  };

  const find = ({ kind, key, state }: Thing): void => {
    const other = found[kind].get(key);
    const text = `${kind} ${key} is there twice: ${other}, ${shown(state)}`;
    if (other !== undefined) report('duplicated', text);
    found[kind].set(key, state);
  };

  /** Resolves an addition, under whatever key it was assigned. */
  const resolveNew = (operation: string, kind: Kind, to: State): void => {
    const keys = [...found[kind]].filter(([, state]) => state === to).map(([key]) => key);
    resolvedAsMade += Math.sign(keys.length);
    for (const key of keys) settle({ kind, key, to });
    const text = `${operation}, indeterminate, was done as ${kind} ${keys.join(' and ')}: ${to}`;
    if (keys.length > 1) report('duplicated', text);
  };

  const resolveKeyed = ({ operation, steps }: Change): void => {
    const parts = steps.filter(isKeyed).map((step) => ({
      step,
      before: expected[step.kind].get(step.key),
      now: found[step.kind].get(step.key),
    }));
    if (parts.every(({ before, now }) => now === before)) return;
    resolvedAsMade += 1;
    for (const { step, now } of parts) settle({ ...step, to: now });
    if (parts.every(({ step, now }) => now === step.to)) return;
    const lines = parts.map(
      ({ step: { kind, key, to }, before, now }) =>
        `\n    ${kind} ${key}: was ${shown(before)}, asked for ${shown(to)}, is ${shown(now)}`,
    );
    report('torn', `${operation}, indeterminate, is neither made nor not made:${lines.join('')}`);
  };

  const judgeUnexpected = (kind: Kind, key: string, now: string): void => {
    const twin = history.keyOfNew(kind, now);
    if (expected[kind].has(key)) {
      report('revived', `${kind} ${key} was deleted and is there: ${now}`);
    } else if (twin === undefined) {
      report('unknown', `${kind} ${key}, which no client asked for, is there: ${now}`);
    } else report('duplicated', `${kind} ${twin} is there again as ${kind} ${key}: ${now}`);
  };

  const judge = (kind: Kind, key: string): void => {
    const [must, now] = [expected[kind].get(key), found[kind].get(key)];
    if (must === now) return;
    if (now === undefined) report('lost', `${kind} ${key} is not there: ${must}`);
    else if (must === undefined) judgeUnexpected(kind, key, now);
    else report('altered', `${kind} ${key} was acknowledged as ${must} and is ${now}`);
  };

  /** Judges a kind; of one that cannot be listed, what no client knows is learnt. */
  const judgeAll = (kind: Kind): void => {
    for (const [key, to] of isListed(kind) ? [] : found[kind]) {
      if (!expected[kind].has(key)) settle({ kind, key, to });
    }
    const keys = new Set([...found[kind].keys(), ...(isListed(kind) ? expected[kind].keys() : [])]);
    for (const key of keys) judge(kind, key);
  };

  things.forEach(find);
  // Additions first: what they were assigned may be what another one asked for in vain.
  for (const { operation, steps } of history.indeterminate) {
    for (const step of steps) if (!isKeyed(step)) resolveNew(operation, step.kind, step.to);
  }
  history.indeterminate.forEach(resolveKeyed);
  kinds.forEach(judgeAll);
  for (const { kind, key } of history.conflicts) {
    const text = `${kind} ${key} was refused as being in use, and was never stored`;
    if (!expected[kind].has(key)) report('unknown', text);
  }
  return { violations, settled, resolvedAsMade };
};
