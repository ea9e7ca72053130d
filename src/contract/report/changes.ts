/** Changes between two documents by their cause: an edit of a shared part touches many operations, and is told once. */

import { groupBy } from '../../engine';
import type { Change, Severity, Side } from '../diff/change';

/** The severities, the worst first. */
export const severities: readonly Severity[] = ['breaking', 'warning', 'compatible'];

/** One edit of a document. It weighs as much as for the operations that it hurts most. */
export interface Cause {
  /** The first of the changes that the edit makes at that severity. */
  readonly change: Change;
  readonly sides: readonly Side[];
  /** All changes that it makes at that severity, one for each operation and side. */
  readonly changes: readonly Change[];
}

const causeOf = (shared: readonly Change[]): readonly Cause[] => {
  const worst = severities.find((severity) => shared.some((one) => one.severity === severity));
  const changes = shared.filter(({ severity }) => severity === worst);
  const sides = [...new Set(changes.map(({ side }) => side))];
  return changes.slice(0, 1).map((change) => ({ change, sides, changes }));
};

/** The causes of changes, the worst first; else in the order in which they are given. */
export const causesOf = (changes: readonly Change[]): readonly Cause[] => {
  const byPlace = groupBy(changes, ({ file, line, column, message }) =>
    JSON.stringify([file, line, column, message]),
  );
  const bySeverity = groupBy([...byPlace.values()].flatMap(causeOf), (one) => one.change.severity);
  return severities.flatMap((severity) => bySeverity.get(severity) ?? []);
};

/** Names beyond these are counted. */
const MOST_NAMES = 4;

/** `a, b, c, d and 2 more`: different names, in their order. */
export const listedNames = (given: readonly string[]): string => {
  const names = [...new Set(given)];
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
};
