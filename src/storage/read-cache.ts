/** Remembers what was read for as long as the database says that nothing has changed, and not a moment longer. */

import type { Value } from './statement';

export interface ReadCache {
  /** The rows that the statement gave for these values in this version of the database. */
  find(version: unknown, sql: string, values: readonly Value[]): unknown[] | undefined;
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

/** Two lists of values have the same key only where they are the same. */
const keyOf = (values: readonly Value[]): string => {
  let key = '';
  for (const value of values) {
    key += typeof value === 'string' ? `${value.length}:${value}` : `${typeof value} ${value};`;
  }
  return key;
};

/** Makes an empty one. */
export const readCache = (): ReadCache => {
  const remembered = new Map<string, Map<string, unknown[]>>();
  let current: unknown;
  let cost = 0;

  const forget = (): void => {
    for (const rows of remembered.values()) rows.clear();
    cost = 0;
  };

  const ofStatement = (sql: string): Map<string, unknown[]> => {
    const known = remembered.get(sql) ?? new Map<string, unknown[]>();
    remembered.set(sql, known);
    return known;
  };

  return {
    find(version, sql, values) {
      if (version === current) return remembered.get(sql)?.get(keyOf(values));
      current = version;
      forget();
      return undefined;
    },

    keep(sql, values, rows) {
      const key = keyOf(values);
      const more = costOf(rows) + key.length;
      if (more > longestRemembered) return;
      if (cost + more > mostRemembered) forget();
      cost += more;
      ofStatement(sql).set(key, rows);
    },
  };
};
