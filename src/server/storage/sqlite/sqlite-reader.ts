/** Reads from SQLite through a cache that holds what cannot have changed. */

import type { Database } from 'better-sqlite3';
import type { Statement, Values } from '../sql/statement';
import { readCache } from './read-cache';
import { type InvalidatedTables, relatedTables } from './sqlite-changes';
import { statementsOf } from './sqlite-statements';

export interface SqliteReader {
  all<Parameters extends Values>(
    statement: Statement<Parameters, unknown>,
    parameters: Parameters,
  ): unknown[];
  close(): void;
}

/** The connection that writes, as far as readers use it. */
export interface WritingConnection {
  /** What has changed since the last call. */
  takeChanges(): InvalidatedTables;
  /** Reads outside of any transaction; undefined while there is one, or where the statement does not only read. */
  allOutside(sql: string, values: readonly unknown[]): unknown[] | undefined;
}

/**
 * Makes a reader. It reads by the connection that writes, which has the pages in memory that it has changed, and by its own while
 * that is in a transaction: what is not committed is not read. Its own reads every page anew after each commit.
 *
 * @param raw - its own connection
 */
export const sqliteReader = (raw: Database, writing: WritingConnection): SqliteReader => {
  const prepared = statementsOf(raw);
  const tablesOf = relatedTables(raw);
  const cache = readCache();

  // Several reads without waiting in between see everything as it was at the first: the check takes as long as reading a row.
  let isChecked = false;
  const checkChanges = (): void => {
    cache.invalidate(writing.takeChanges());
    isChecked = true;
    queueMicrotask(() => {
      isChecked = false;
    });
  };

  return {
    all(statement, parameters) {
      if (!isChecked) checkChanges();
      const key = statement.key(parameters);
      const cached = cache.get(statement, key);
      if (cached !== undefined) return cached;
      const values = statement.bind(parameters);
      const { sql } = statement;
      const rows = writing.allOutside(sql, values) ?? prepared(sql).all(values);
      cache.set(statement, key, rows, tablesOf(sql));
      return rows;
    },
    close: () => {
      raw.close();
    },
  };
};
