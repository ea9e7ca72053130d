/** Changes what SQLite's table of tags is like. */

import type { Knex } from 'knex';

const columns = ['service', 'pet_id', 'name'];

/** What the table may be like. */
export interface TagTable {
  /** Whether tags refer to their pet and go with it, found by an index. */
  readonly refers: boolean;
  readonly options: 'without rowid' | '';
}

const reference = ', foreign key (service, pet_id) references pets (service, id) on delete cascade';

/** Makes the table anew with what was in it, which is the only way (sqlite.org/lang_altertable.html section 7). */
export const remakeTags = async (db: Knex, { refers, options }: TagTable): Promise<void> => {
  await db.raw(
    `create table pet_tags_new (
      service text not null, pet_id bigint not null, name text not null,
      primary key (service, name, pet_id)${refers ? reference : ''}
    ) ${options}`,
  );
  const tags = db('pet_tags').orderBy(['service', 'name', 'pet_id']).select(columns);
  await db.into(db.raw('pet_tags_new (??, ??, ??)', columns)).insert(tags);
  await db.schema.dropTable('pet_tags');
  await db.schema.renameTable('pet_tags_new', 'pet_tags');
  if (refers) {
    await db.schema.alterTable('pet_tags', (table) => table.index(['service', 'pet_id']));
  }
};
