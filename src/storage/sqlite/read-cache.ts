/** Reads a SQLite file, and keeps the rows that it gave until one of their tables changes, by this process or another. */

import type { Database } from 'better-sqlite3';
import { lazy } from '../../base/memoize';
import type { AnyStatement, OwnResult } from '../connections/database-driver';
import type { Value, Values } from '../sql/statement';
import { ownStatements } from './own-statements';
import { type ChangedTables, type SyncConnection, statementsOf } from './sqlite-connection';

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

/** Makes an empty cache. */
export const readCache = () => {
  // The most characters of one result: a page of a list, where its texts are of ordinary length.
  const maxResult = 256 * 1024;
  const statements = new Map<
    object,
    { readonly tables: readonly string[]; readonly rows: Map<Value, unknown[]>; cost: number }
  >();
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
    /** Finds the rows of a statement, by its object, for statements of the same SQL may hold different constants. */
    get: (statement: object, key: Value): unknown[] | undefined =>
      statements.get(statement)?.rows.get(key),

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

/**
 * Makes a reader with a cache of rows that cannot have changed. It reads over the connection that writes, which has the changed pages in
 * memory; and over its own, which reads all pages again after each commit, while the other one is in a transaction.
 */
export const sqliteReader = (
  raw: Database,
  useWriter: <Result>(work: (writer: SyncConnection) => Result) => Result,
) => {
  const prepared = statementsOf(raw);
  const own = lazy(() => ownStatements(raw));
  const cache = readCache();

  // Several reads without waiting in between see everything as it was at the first: the check takes as long as reading a row.
  let isChecked = false;
  const checkChanges = (): void => {
    cache.invalidate(useWriter(({ takeChanges }) => takeChanges()));
    isChecked = true;
    queueMicrotask(() => {
      isChecked = false;
    });
  };

  const read = (statement: AnyStatement, parameters: Values): unknown[] =>
    useWriter(({ allOutside }) => allOutside(statement, parameters)) ??
    prepared(statement.sql).all(statement.bind(parameters));

  return {
    all(statement: AnyStatement, parameters: Values): unknown[] {
      const { tables } = statement;
      if (tables === undefined) return read(statement, parameters);
      if (!isChecked) checkChanges();
      const key = statement.key(parameters);
      const cached = cache.get(statement, key);
      if (cached !== undefined) return cached;
      const rows = read(statement, parameters);
      cache.set(statement, key, rows, tables);
      return rows;
    },
    /** Runs a statement of an author's own; undefined where it does not only read. */
    readOwn: (sql: string, values: readonly unknown[]): OwnResult | undefined =>
      useWriter(({ readOwn }) => readOwn(sql, values)) ??
      (own().onlyReads(sql) ? own().run(sql, values) : undefined),
    close: () => {
      raw.close();
    },
  };
};
