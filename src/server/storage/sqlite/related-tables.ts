/** Families of tables: what changes one may change the others, for the definition of one names the other (a foreign key). */

import type { Database } from 'better-sqlite3';

/** Gives the families that a statement may read or change, each called after one of its tables. */
export type FamiliesOf = (sql: string) => readonly string[];

interface Definition {
  readonly table: string;
  readonly sql: string;
}

/** The names in a text of SQL, among other words. */
const wordsOf = (sql: string): readonly string[] => sql.match(/\w+/g) ?? [];

/** The family of each table. */
const familiesIn = (
  definitions: readonly Definition[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const families = new Map(definitions.map(({ table }) => [table, new Set([table])]));
  for (const { table, sql } of definitions) {
    for (const word of wordsOf(sql)) {
      const one = families.get(table);
      const other = families.get(word);
      if (one === undefined || other === undefined || one === other) continue;
      for (const member of other) families.set(member, one.add(member));
    }
  }
  return families;
};

/**
 * Reads the definitions of tables, indexes, views and triggers. A statement is known by its words: one that only looks like the
 * name of a table makes its families more, and none makes them fewer.
 */
export const tableFamilies = (raw: Database): FamiliesOf => {
  const definitions = raw.prepare<[], Definition>(
    'select tbl_name as "table", sql from sqlite_schema where sql is not null',
  );
  const families = familiesIn(definitions.all());
  const namesIn = (sql: string): readonly string[] => {
    const found = new Set(wordsOf(sql).map((word) => families.get(word)));
    return [...found].flatMap((family) => [...(family ?? [])].sort().slice(0, 1));
  };
  const known = new Map<string, readonly string[]>();
  return (sql) => {
    const names = known.get(sql) ?? namesIn(sql);
    known.set(sql, names);
    return names;
  };
};
