/** A connection to SQLite that only reads, and reads again only what may have changed. */

import type { Database } from 'better-sqlite3';
import { readCache } from './read-cache';
import { statementsOf } from './sqlite-statements';
import type { Statement, Values } from './statement';

export interface SqliteReader {
  all<Parameters extends Values>(
    statement: Statement<Parameters, unknown>,
    parameters: Parameters,
  ): unknown[];
  close(): void;
}

/** Wraps a connection. */
export const sqliteReader = (raw: Database): SqliteReader => {
  const prepared = statementsOf(raw);
  const cache = readCache();
  // Changes with every commit of any other connection, of this process or another (sqlite.org/pragma.html#pragma_data_version).
  const version = raw.prepare('PRAGMA data_version').pluck();

  // What reads several things without waiting in between sees them all as they were at the first: asking takes as long as
  // reading a row.
  let isAsked = false;
  const askAgain = (): void => {
    isAsked = false;
  };
  const settled = Promise.resolve();

  const ask = (): void => {
    cache.settle(version.get());
    isAsked = true;
    void settled.then(askAgain);
  };

  return {
    all(statement, parameters) {
      if (!isAsked) ask();
      const key = statement.key(parameters);
      const known = cache.find(statement, key);
      if (known !== undefined) return known;
      const rows = prepared(statement.sql).all(statement.bind(parameters));
      cache.keep(statement, key, rows);
      return rows;
    },
    close: () => {
      raw.close();
    },
  };
};
