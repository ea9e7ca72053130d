/** What a comparison has found, as reports are made of it. */

import type { Change, Severity } from '../../../src/contract';
import { type Diagnostic, groupBy } from '../../../src/engine';

/** From which severity on a comparison fails. */
export type FailOn = 'breaking' | 'warning' | 'any' | 'none';

/** The changes of all compared documents. */
export interface DiffReport {
  readonly changes: readonly Change[];
  /** The errors of the compared documents: they may hide changes. */
  readonly problems: readonly Diagnostic[];
  readonly failOn: FailOn;
}

const failing: Readonly<Record<FailOn, readonly Severity[]>> = {
  breaking: ['breaking'],
  warning: ['breaking', 'warning'],
  any: ['breaking', 'warning', 'compatible'],
  none: [],
};

/** Whether a change fails the comparison. */
export const isFailing = ({ severity }: Change, failOn: FailOn): boolean =>
  failing[failOn].includes(severity);

/** How many changes are of one severity. */
export const countOf = (changes: readonly Change[], severity: Severity): number =>
  changes.filter((change) => change.severity === severity).length;

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** `1 breaking change, 0 warnings, 2 compatible changes`, after the errors of the documents where they have some. */
export const summaryOf = ({ changes, problems }: DiffReport): string =>
  [
    ...(problems.length === 0 ? [] : [counted(problems.length, 'error', 'errors')]),
    counted(countOf(changes, 'breaking'), 'breaking change', 'breaking changes'),
    counted(countOf(changes, 'warning'), 'warning', 'warnings'),
    counted(countOf(changes, 'compatible'), 'compatible change', 'compatible changes'),
  ].join(', ');

/** Changes that belong together. */
export interface ChangeGroup {
  /** `GET /things (listThings)`, or `The whole document`. */
  readonly title: string;
  readonly changes: readonly Change[];
}

/** The operation of a change, as people call it. */
export const titleOf = ({ operation, method, path }: Change): string => {
  if (method === null || path === null) return 'The whole document';
  const name = `${method.toUpperCase()} ${path}`;
  return operation === null ? name : `${name} (${operation})`;
};

const weights: readonly Severity[] = ['breaking', 'warning', 'compatible'];

/** The changes by operation, the worst of each first. */
export const groupsOf = (changes: readonly Change[]): readonly ChangeGroup[] => {
  const groups = [...groupBy(changes, titleOf)];
  return groups.map(([title, group]) => ({
    title,
    changes: group.toSorted(
      (one, other) => weights.indexOf(one.severity) - weights.indexOf(other.severity),
    ),
  }));
};
