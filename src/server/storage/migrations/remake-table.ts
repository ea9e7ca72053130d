/** Changes what a table of SQLite's is like. */

import type { Knex } from 'knex';

/** A table as it is to be. */
export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly string[];
  /** What stands between the parentheses of `create table`. */
  readonly definition: string;
  /** What stands behind them. */
  readonly options?: string;
  /** The columns of its key: what was in the table is copied in their order. */
  readonly key: readonly string[];
}

/** Makes the table anew with what was in it, which is the only way (sqlite.org/lang_altertable.html section 7). Its indexes go. */
export const remakeTable = async (
  db: Knex,
  { name, columns, definition, options = '', key }: TableDefinition,
): Promise<void> => {
  const anew = `${name}_new`;
  await db.raw(`create table ${anew} (${definition}) ${options}`);
  const rows = db(name)
    .orderBy([...key])
    .select(...columns);
  await db
    .into(db.raw(`?? (${columns.map(() => '??').join(', ')})`, [anew, ...columns]))
    .insert(rows);
  await db.schema.dropTable(name);
  await db.schema.renameTable(anew, name);
};
