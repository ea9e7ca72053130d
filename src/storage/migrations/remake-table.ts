/** Changes what a table of SQLite's is like; two migrations change the table of tags. */

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

/** What the table of tags may be like. */
export interface TagTable {
  /** Whether tags refer to their pet and go with it, found by an index. */
  readonly refers: boolean;
  readonly options: 'without rowid' | '';
}

const reference = ', foreign key (service, pet_id) references pets (service, id) on delete cascade';

/** Makes the table of tags anew with what was in it. */
export const remakeTags = async (db: Knex, { refers, options }: TagTable): Promise<void> => {
  await remakeTable(db, {
    name: 'pet_tags',
    columns: ['service', 'pet_id', 'name'],
    definition: `service text not null, pet_id bigint not null, name text not null,
      primary key (service, name, pet_id)${refers ? reference : ''}`,
    options,
    key: ['service', 'name', 'pet_id'],
  });
  if (refers) {
    await db.schema.alterTable('pet_tags', (table) => table.index(['service', 'pet_id']));
  }
};
