/** What has changed in a SQLite file: by this connection, which tables; by others, only that something has. */

import type { Database } from 'better-sqlite3';

/** Gives the groups of related tables that a statement may read or change, each named after its first table. */
type TablesOf = (sql: string) => readonly string[];

interface Definition {
  readonly table: string;
  readonly sql: string;
}

/** The names in a text of SQL, among other words. */
const wordsOf = (sql: string): readonly string[] => sql.match(/\w+/g) ?? [];

/** The group of each table. */
const groupTables = (
  definitions: readonly Definition[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const groups = new Map(definitions.map(({ table }) => [table, new Set([table])]));
  for (const { table, sql } of definitions) {
    for (const word of wordsOf(sql)) {
      const one = groups.get(table);
      const other = groups.get(word);
      if (one === undefined || other === undefined || one === other) continue;
      for (const member of other) groups.set(member, one.add(member));
    }
  }
  return groups;
};

/**
 * Reads the definitions of tables, indexes, views and triggers. A statement's tables are found by its words: a word that only
 * looks like the name of a table adds a group, and no word removes one.
 */
export const relatedTables = (raw: Database): TablesOf => {
  const definitions = raw.prepare<[], Definition>(
    'select tbl_name as "table", sql from sqlite_schema where sql is not null',
  );
  const groups = groupTables(definitions.all());
  const namesIn = (sql: string): readonly string[] => {
    const found = new Set(wordsOf(sql).map((word) => groups.get(word)));
    return [...found].flatMap((group) => [...(group ?? [])].sort().slice(0, 1));
  };
  const known = new Map<string, readonly string[]>();
  return (sql) => {
    const names = known.get(sql) ?? namesIn(sql);
    known.set(sql, names);
    return names;
  };
};

/** Groups of related tables; undefined where any may have changed. */
export type InvalidatedTables = ReadonlySet<string> | undefined;

/** Tracks the changes of a connection, and those of others as it sees them. */
export const sqliteChanges = (raw: Database) => {
  const tablesOf = relatedTables(raw);
  // Changes with every commit of any other connection, and with none of this one (sqlite.org/pragma.html#pragma_data_version).
  const versionOfOthers = raw.prepare('PRAGMA data_version').pluck();
  let known: unknown;
  let open = new Set<string>();
  let committed = new Set<string>();

  return {
    /** A transaction begins. */
    begin(): void {
      open = new Set();
    },
    /** A statement that writes is run. */
    note(sql: string): void {
      for (const group of tablesOf(sql)) open.add(group);
    },
    /** The transaction is committed now, without a read in between. */
    commit(): void {
      for (const group of open) committed.add(group);
    },
    /** What has changed since the last call. */
    take(): InvalidatedTables {
      const version = versionOfOthers.get();
      const changed = version === known ? committed : undefined;
      known = version;
      if (committed.size > 0) committed = new Set();
      return changed;
    },
  };
};
