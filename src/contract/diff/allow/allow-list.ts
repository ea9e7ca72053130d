/** Changes that are accepted, and until when: what they name does not count. */

import { printable } from '../../../engine';
import type { Change, DiffRuleId } from '../change';

/** An accepted change; what it does not name may be anything. */
export interface AllowEntry {
  readonly rule: DiffRuleId;
  readonly operation?: string | undefined;
  readonly pointer?: string | undefined;
  /** Why it is accepted, for readers. */
  readonly reason: string;
  /** The last day on which it counts, `YYYY-MM-DD` in UTC; undefined: always. */
  readonly expires?: string | undefined;
}

/** What is left of changes, and what the list did. */
export interface AllowedChanges {
  readonly changes: readonly Change[];
  /** Entries that would match, were they not expired. */
  readonly expired: readonly AllowEntry[];
  /** Entries that match no change. */
  readonly unmatched: readonly AllowEntry[];
}

const matches = (entry: AllowEntry, change: Change): boolean =>
  entry.rule === change.rule &&
  (entry.operation === undefined || entry.operation === change.operation) &&
  (entry.pointer === undefined || entry.pointer === change.pointer);

/**
 * Takes out what is accepted.
 * @param today `YYYY-MM-DD` in UTC
 */
export const withoutAllowed = (
  changes: readonly Change[],
  entries: readonly AllowEntry[],
  today: string,
): AllowedChanges => {
  const isExpired = ({ expires }: AllowEntry): boolean => expires !== undefined && expires < today;
  const used = entries.filter((entry) => changes.some((change) => matches(entry, change)));
  const valid = used.filter((entry) => !isExpired(entry));
  return {
    changes: changes.filter((change) => !valid.some((entry) => matches(entry, change))),
    expired: used.filter(isExpired),
    unmatched: entries.filter((entry) => !used.includes(entry)),
  };
};

/** An entry in words. */
export const allowEntryText = ({ rule, operation, pointer }: AllowEntry): string =>
  printable(
    [
      rule,
      ...(operation === undefined ? [] : [`in ${operation}`]),
      ...(pointer ? [pointer] : []),
    ].join(' '),
  );
