/** What was found last, by the digests of credentials: a request need not wait until it is found again, nor is it made of its row anew. */

import type { Database } from '../database/database';

/** Credentials that are remembered; the oldest goes first. */
const most = 10_000;

const isSameRow = <Row extends object>(one: Row, other: Row): boolean => {
  if (one === other) return true;
  for (const column in one) if (one[column] !== other[column]) return false;
  return true;
};

/**
 * What rows of one statement say.
 *
 * @param read - makes what is remembered of a row
 */
export const lastKnown = <Row extends object, Found>(
  { isAhead }: Pick<Database, 'isAhead'>,
  read: (row: Row) => Found,
) => {
  const known = new Map<string, { readonly row: Row; readonly found: Found }>();
  return {
    /** Nothing where finding takes no trip to another host. */
    get: (hash: string): Found | undefined => (isAhead ? known.get(hash)?.found : undefined),
    /** What was found: the same object for as long as its row says the same. */
    note(hash: string, row: Row | undefined): Found | undefined {
      const before = known.get(hash);
      if (row === undefined) {
        known.delete(hash);
        return undefined;
      }
      if (before !== undefined && isSameRow(before.row, row)) return before.found;
      const found = read(row);
      known.set(hash, { row, found });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
      return found;
    },
  };
};
