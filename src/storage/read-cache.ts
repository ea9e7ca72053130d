/** Remembers what was read for as long as the database says that nothing has changed, and not a moment longer. */

import type { Value } from './statement';

export interface ReadCache {
  /** Says which version of the database is the present one; what was read of another is forgotten. */
  settle(version: unknown): void;
  /**
   * The rows that the statement gave in the present version.
   * @param statement - itself, for statements of the same words may hold different constants
   * @param key - of its parameters
   */
  find(statement: object, key: Value): unknown[] | undefined;
  /** Keeps rows that were read after the version was. */
  keep(statement: object, key: Value, rows: unknown[]): void;
}

/** Characters of all that is remembered together. */
const mostRemembered = 4 * 1024 * 1024;
/** Characters of the rows of one statement: of a page of a list, where its texts are of ordinary length. */
const longestRemembered = 256 * 1024;
/** What a row costs beside its texts. */
const rowCost = 100;

const costOf = (rows: readonly unknown[]): number => {
  let cost = rowCost;
  for (const row of rows) {
    cost += rowCost;
    for (const value of Object.values(row as object)) {
      if (typeof value === 'string') cost += value.length;
      // Octets of files are not worth their memory.
      else if (value instanceof Uint8Array) cost += mostRemembered;
    }
  }
  return cost;
};

/** Makes an empty one. */
export const readCache = (): ReadCache => {
  const remembered = new Map<object, Map<Value, unknown[]>>();
  let current: unknown;
  let cost = 0;

  const forget = (): void => {
    remembered.clear();
    cost = 0;
  };

  const ofStatement = (statement: object): Map<Value, unknown[]> => {
    const known = remembered.get(statement) ?? new Map<Value, unknown[]>();
    remembered.set(statement, known);
    return known;
  };

  return {
    settle(version) {
      if (version === current) return;
      current = version;
      forget();
    },

    find: (statement, key) => remembered.get(statement)?.get(key),

    keep(statement, key, rows) {
      const more = costOf(rows) + (typeof key === 'string' ? key.length : 0);
      if (more > longestRemembered) return;
      if (cost + more > mostRemembered) forget();
      cost += more;
      ofStatement(statement).set(key, rows);
    },
  };
};
