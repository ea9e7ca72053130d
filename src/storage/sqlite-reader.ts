/** A connection to SQLite that only reads, and reads again only what may have changed. */

import type { Database } from 'better-sqlite3';
import { readCache } from './read-cache';
import type { ChangedFamilies } from './sqlite-changes';
import { statementsOf } from './sqlite-statements';
import type { Statement, Values } from './statement';
import { tableFamilies } from './table-families';

export interface SqliteReader {
  all<Parameters extends Values>(
    statement: Statement<Parameters, unknown>,
    parameters: Parameters,
  ): unknown[];
  close(): void;
}

/**
 * Wraps a connection.
 *
 * @param takeChanges - gives what has changed since it was asked before
 */
export const sqliteReader = (raw: Database, takeChanges: () => ChangedFamilies): SqliteReader => {
  const prepared = statementsOf(raw);
  const familiesOf = tableFamilies(raw);
  const cache = readCache();

  // What reads several things without waiting in between sees them all as they were at the first: asking takes as long as
  // reading a row.
  let isAsked = false;
  const askAgain = (): void => {
    isAsked = false;
  };
  const settled = Promise.resolve();

  const ask = (): void => {
    cache.forget(takeChanges());
    isAsked = true;
    void settled.then(askAgain);
  };

  return {
    all(statement, parameters) {
      if (!isAsked) ask();
      const key = statement.key(parameters);
      const remembered = cache.find(statement, key);
      if (remembered !== undefined) return remembered;
      const rows = prepared(statement.sql).all(statement.bind(parameters));
      cache.keep(statement, key, rows, familiesOf(statement.sql));
      return rows;
    },
    close: () => {
      raw.close();
    },
  };
};
