/** Remembers what was read for as long as the database says that nothing has changed, and not a moment longer. */

import type { Value } from './statement';

export interface ReadCache {
  /** Says which version of the database is the present one; what was read of another is forgotten. */
  settle(version: unknown): void;
  /** The rows that the statement gave for these values in the present version. */
  find(sql: string, values: readonly Value[]): unknown[] | undefined;
  /** Keeps rows that were read after the version was. */
  keep(sql: string, values: readonly Value[], rows: unknown[]): void;
}

/** Characters of all that is remembered together. */
const mostRemembered = 4 * 1024 * 1024;
/** Characters of the rows of one statement; the pages of a long list would only fill the memory. */
const longestRemembered = 64 * 1024;
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

/** Two lists of values for a statement have the same key only where they are the same. */
const keyOf = (values: readonly Value[]): Value => {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  let key = '';
  for (const value of values) {
    key += typeof value === 'string' ? `${value.length}:${value}` : `${typeof value} ${value};`;
  }
  return key;
};

/** Makes an empty one. */
export const readCache = (): ReadCache => {
  const remembered = new Map<string, Map<Value, unknown[]>>();
  let current: unknown;
  let cost = 0;

  const forget = (): void => {
    for (const rows of remembered.values()) rows.clear();
    cost = 0;
  };

  const ofStatement = (sql: string): Map<Value, unknown[]> => {
    const known = remembered.get(sql) ?? new Map<Value, unknown[]>();
    remembered.set(sql, known);
    return known;
  };

  return {
    settle(version) {
      if (version === current) return;
      current = version;
      forget();
    },

    find: (sql, values) => remembered.get(sql)?.get(keyOf(values)),

    keep(sql, values, rows) {
      const key = keyOf(values);
      const more = costOf(rows) + (typeof key === 'string' ? key.length : 0);
      if (more > longestRemembered) return;
      if (cost + more > mostRemembered) forget();
      cost += more;
      ofStatement(sql).set(key, rows);
    },
  };
};
