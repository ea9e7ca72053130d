/** Caches the rows that a SQLite file gave until one of their tables changes, by this process or another. */

import type { Database } from 'better-sqlite3';
import type { Value } from '../sql/statement';

/** Names of tables; undefined where it may be any. */
export type ChangedTables = ReadonlySet<string> | undefined;

/** Tracks the changes of a connection, and those of others as it sees them. */
export const changedTables = (raw: Database) => {
  // Changes with every commit of any other connection, and with none of this one (sqlite.org/pragma.html#pragma_data_version).
  const versionOfOthers = raw.prepare('PRAGMA data_version').pluck();
  let known: unknown;
  let open: Set<string> | undefined = new Set();
  let committed: Set<string> | undefined = new Set();

  return {
    /** Notes that a transaction begins. */
    begin(): void {
      open = new Set();
    },
    /** Notes that a statement changes these tables. */
    add(tables: readonly string[] | undefined): void {
      if (tables === undefined) open = undefined;
      for (const table of tables ?? []) open?.add(table);
    },
    /** Notes that the transaction is committed now, without a read in between. */
    commit(): void {
      if (open === undefined) committed = undefined;
      for (const table of open ?? []) committed?.add(table);
    },
    /** Takes the tables that have changed since the last call. */
    take(): ChangedTables {
      const version = versionOfOthers.get();
      const changed = version === known ? committed : undefined;
      known = version;
      if (committed?.size !== 0) committed = new Set();
      return changed;
    },
  };
};

/** The most characters of all rows together. */
const maxTotal = 4 * 1024 * 1024;
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

interface CachedResults {
  readonly tables: readonly string[];
  readonly rows: Map<Value, unknown[]>;
  cost: number;
}

/** Makes an empty cache. */
export const readCache = () => {
  // The most characters of one result: a page of a list, where its texts are of ordinary length.
  const maxResult = 256 * 1024;
  const statements = new Map<object, CachedResults>();
  let cost = 0;

  const invalidate = (changed: ChangedTables): void => {
    if (changed?.size === 0) return;
    for (const [statement, cached] of statements) {
      if (changed === undefined || cached.tables.some((table) => changed.has(table))) {
        statements.delete(statement);
        cost -= cached.cost;
      }
    }
  };

  return {
    /**
     * Finds the rows that the statement gave.
     *
     * @param statement - the object, for statements of the same SQL may hold different constants
     * @param key - of its parameters
     */
    get: (statement: object, key: Value): unknown[] | undefined =>
      statements.get(statement)?.rows.get(key),

    /** Caches rows of these tables. */
    set(statement: object, key: Value, rows: unknown[], tables: readonly string[]): void {
      const more = costOf(rows) + (typeof key === 'string' ? key.length : 0);
      if (more > maxResult) return;
      if (cost + more > maxTotal) invalidate(undefined);
      const cached = statements.get(statement) ?? { tables, rows: new Map(), cost: 0 };
      statements.set(statement, cached);
      cached.rows.set(key, rows);
      cached.cost += more;
      cost += more;
    },

    invalidate,
  };
};
