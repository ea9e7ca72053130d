/** Reads from SQLite, and reads again only what may have changed. */

import type { Database } from 'better-sqlite3';
import type { Statement, Values } from '../sql/statement';
import { readCache } from './read-cache';
import { tableFamilies } from './related-tables';
import type { InvalidatedTables } from './sqlite-changes';
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
  /** What has changed since it was asked before. */
  takeChanges(): InvalidatedTables;
  /** Reads outside of any transaction; undefined while there is one, or where the statement does not only read. */
  allOutside(sql: string, values: readonly unknown[]): unknown[] | undefined;
}

/**
 * Makes a reader. It reads by the connection that writes, which has the pages at hand that it has changed, and by its own while that
 * is in a transaction: nobody sees what is not committed. Its own reads every page anew after each commit.
 *
 * @param raw - its own connection
 */
export const sqliteReader = (raw: Database, writing: WritingConnection): SqliteReader => {
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
    cache.invalidate(writing.takeChanges());
    isAsked = true;
    void settled.then(askAgain);
  };

  return {
    all(statement, parameters) {
      if (!isAsked) ask();
      const key = statement.key(parameters);
      const remembered = cache.get(statement, key);
      if (remembered !== undefined) return remembered;
      const values = statement.bind(parameters);
      const { sql } = statement;
      const rows = writing.allOutside(sql, values) ?? prepared(sql).all(values);
      cache.set(statement, key, rows, familiesOf(sql));
      return rows;
    },
    close: () => {
      raw.close();
    },
  };
};
