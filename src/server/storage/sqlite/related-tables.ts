/** Related tables: a change of one may change the others, for the definition of one names the other (a foreign key). */

import type { Database } from 'better-sqlite3';

/** Gives the groups of related tables that a statement may read or change, each named after its first table. */
export type TablesOf = (sql: string) => readonly string[];

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
