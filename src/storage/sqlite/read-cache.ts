/** Caches rows until one of the tables that they were read from changes. */

import type { Value } from '../sql/statement';
import type { InvalidatedTables } from './sqlite-changes';

export interface ReadCache {
  /**
   * The rows that the statement gave.
   * @param statement - the object, for statements of the same SQL may hold different constants
   * @param key - of its parameters
   */
  get(statement: object, key: Value): unknown[] | undefined;
  /** Caches rows of these groups of related tables. */
  set(statement: object, key: Value, rows: unknown[], groups: readonly string[]): void;
  /** Removes the rows of groups that have changed. */
  invalidate(changed: InvalidatedTables): void;
}

/** Characters of all rows together. */
const maxTotal = 4 * 1024 * 1024;
/** Characters of the rows of one result: of a page of a list, where its texts are of ordinary length. */
const maxResult = 256 * 1024;
/** What a row costs beside its texts. */
const rowCost = 100;

const costOf = (rows: readonly unknown[]): number => {
  let cost = rowCost;
  for (const row of rows) {
    cost += rowCost;
    for (const value of Object.values(row as object)) {
      if (typeof value === 'string') cost += value.length;
      // Bytes of files take more memory than they save time.
      else if (value instanceof Uint8Array) cost += maxTotal;
    }
  }
  return cost;
};

/** The results of one statement. */
interface CachedResults {
  readonly groups: readonly string[];
  readonly rows: Map<Value, unknown[]>;
  cost: number;
}

/** Makes an empty one. */
export const readCache = (): ReadCache => {
  const statements = new Map<object, CachedResults>();
  let cost = 0;

  const invalidate = (changed: InvalidatedTables): void => {
    if (changed?.size === 0) return;
    for (const [statement, cached] of statements) {
      if (changed === undefined || cached.groups.some((group) => changed.has(group))) {
        statements.delete(statement);
        cost -= cached.cost;
      }
    }
  };

  return {
    get: (statement, key) => statements.get(statement)?.rows.get(key),

    set(statement, key, rows, groups) {
      const more = costOf(rows) + (typeof key === 'string' ? key.length : 0);
      if (more > maxResult) return;
      if (cost + more > maxTotal) invalidate(undefined);
      const cached = statements.get(statement) ?? { groups, rows: new Map(), cost: 0 };
      statements.set(statement, cached);
      cached.rows.set(key, rows);
      cached.cost += more;
      cost += more;
    },

    invalidate,
  };
};
