/** What has changed in a SQLite file: of a connection of ours, which tables; of all others, only that something has. */

import type { Database } from 'better-sqlite3';
import { tableFamilies } from './related-tables';

/** Families of tables; undefined where any may have changed. */
export type InvalidatedTables = ReadonlySet<string> | undefined;

/** The changes of a connection, and of others as it sees them. */
export interface SqliteChanges {
  /** A transaction begins. */
  begin(): void;
  /** A statement that writes is run. */
  note(sql: string): void;
  /** The transaction is committed now, and nobody reads in between. */
  commit(): void;
  /** What has changed since this was asked before. */
  take(): InvalidatedTables;
}

/** Watches the connection; whoever uses it says what it does. */
export const sqliteChanges = (raw: Database): SqliteChanges => {
  const familiesOf = tableFamilies(raw);
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
      for (const family of familiesOf(sql)) open.add(family);
    },
    commit() {
      for (const family of open) committed.add(family);
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
