/** Remembers what was read until what it was read of changes, and not a moment longer. */

import type { Value } from '../sql/statement';
import type { InvalidatedTables } from './sqlite-changes';

export interface ReadCache {
  /**
   * The rows that the statement gave.
   * @param statement - itself, for statements of the same words may hold different constants
   * @param key - of its parameters
   */
  get(statement: object, key: Value): unknown[] | undefined;
  /** Keeps rows of these families of tables. */
  set(statement: object, key: Value, rows: unknown[], families: readonly string[]): void;
  /** Forgets what was read of families that have changed. */
  invalidate(changed: InvalidatedTables): void;
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
      // Bytes of files are not worth their memory.
      else if (value instanceof Uint8Array) cost += mostRemembered;
    }
  }
  return cost;
};

/** What one statement gave. */
interface Remembered {
  readonly families: readonly string[];
  readonly rows: Map<Value, unknown[]>;
  cost: number;
}

/** Makes an empty one. */
export const readCache = (): ReadCache => {
  const statements = new Map<object, Remembered>();
  let cost = 0;

  const invalidate = (changed: InvalidatedTables): void => {
    if (changed?.size === 0) return;
    for (const [statement, remembered] of statements) {
      if (changed === undefined || remembered.families.some((family) => changed.has(family))) {
        statements.delete(statement);
        cost -= remembered.cost;
      }
    }
  };

  return {
    get: (statement, key) => statements.get(statement)?.rows.get(key),

    set(statement, key, rows, families) {
      const more = costOf(rows) + (typeof key === 'string' ? key.length : 0);
      if (more > longestRemembered) return;
      if (cost + more > mostRemembered) invalidate(undefined);
      const remembered = statements.get(statement) ?? { families, rows: new Map(), cost: 0 };
      statements.set(statement, remembered);
      remembered.rows.set(key, rows);
      remembered.cost += more;
      cost += more;
    },

    invalidate,
  };
};
