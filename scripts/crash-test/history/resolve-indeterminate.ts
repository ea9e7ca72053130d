/** Finds out what has become of indeterminate changes: each was made as a whole, or not at all. */

import {
  type Change,
  type KeyedStep,
  type Kind,
  type State,
  shown,
  type Violation,
} from './change';
import type { SnapshotIndex } from './snapshot';

/** What must be there, as far as it is known by now. */
export interface Expectation {
  stateOf(kind: Kind, key: string): State;
  settle(step: KeyedStep): void;
}

const isKeyed = (step: Change['steps'][number]): step is KeyedStep => step.key !== undefined;

/** What has become of the indeterminate changes. */
export interface Resolution {
  /** How many of them were made. */
  readonly made: number;
  readonly violations: readonly Violation[];
}

/** Settles the changes that were made; says which were done twice or in halves. */
export const resolveIndeterminate = (
  indeterminate: readonly Change[],
  found: SnapshotIndex,
  expected: Expectation,
): Resolution => {
  let made = 0;

  /** An addition, under whatever key it was assigned. */
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
