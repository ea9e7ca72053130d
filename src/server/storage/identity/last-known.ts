/** What was found last, by the digests of credentials, so that a request need not wait until it is found again. */

import type { Database } from '../database/database';

/** Credentials that are remembered; the oldest goes first. */
const most = 10_000;

/** Rows that were found. Nothing is remembered where finding takes no trip to another host. */
export const lastKnown = <Row>({ isAhead }: Pick<Database, 'isAhead'>) => {
  const rows = new Map<string, Row>();
  return {
    get: (hash: string): Row | undefined => rows.get(hash),
    /** Notes what was found; undefined: nothing. */
    note(hash: string, row: Row | undefined): Row | undefined {
      rows.delete(hash);
      if (!isAhead || row === undefined) return row;
      rows.set(hash, row);
      const [oldest] = rows.keys();
      if (rows.size > most && oldest !== undefined) rows.delete(oldest);
      return row;
    },
  };
};
