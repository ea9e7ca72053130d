/** What has changed in a SQLite file: by this connection, which tables; by others, only that something has. */

import type { Database } from 'better-sqlite3';
import { relatedTables } from './related-tables';

/** Groups of related tables; undefined where any may have changed. */
export type InvalidatedTables = ReadonlySet<string> | undefined;

/** The changes of a connection, and of others as it sees them. */
export interface SqliteChanges {
  /** A transaction begins. */
  begin(): void;
  /** A statement that writes is run. */
  note(sql: string): void;
  /** The transaction is committed now, without a read in between. */
  commit(): void;
  /** What has changed since the last call. */
  take(): InvalidatedTables;
}

/** Tracks the changes of a connection. */
export const sqliteChanges = (raw: Database): SqliteChanges => {
  const tablesOf = relatedTables(raw);
  // Changes with every commit of any other connection, and with none of this one (sqlite.org/pragma.html#pragma_data_version).
  const versionOfOthers = raw.prepare('PRAGMA data_version').pluck();
  let known: unknown;
  let open = new Set<string>();
  let committed = new Set<string>();

  return {
    begin() {
      open = new Set();
    },
    note(sql) {
      for (const group of tablesOf(sql)) open.add(group);
    },
    commit() {
      for (const group of open) committed.add(group);
    },
    take() {
      const version = versionOfOthers.get();
      const changed = version === known ? committed : undefined;
      known = version;
      if (committed.size > 0) committed = new Set();
      return changed;
    },
  };
};
