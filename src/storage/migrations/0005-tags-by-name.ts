/**
 * Tags in SQLite without rows beside their index: the primary key has all their columns, so that each tag was kept twice. That
 * was one page of ten that adding a pet writes. PostgreSQL keeps rows as before.
 */

import type { Knex } from 'knex';
import { isPostgres } from '../is-postgres';

const columns = ['service', 'pet_id', 'name'];

/** Makes the table anew with what was in it, which is the only way (sqlite.org/lang_altertable.html section 7). */
const remake = async (db: Knex, options: string): Promise<void> => {
  await db.raw(
    `create table pet_tags_new (
      service text not null, pet_id bigint not null, name text not null,
      primary key (service, name, pet_id),
      foreign key (service, pet_id) references pets (service, id) on delete cascade
    ) ${options}`,
  );
  const tags = db('pet_tags').orderBy(['service', 'name', 'pet_id']).select(columns);
  await db.into(db.raw('pet_tags_new (??, ??, ??)', columns)).insert(tags);
  await db.schema.dropTable('pet_tags');
  await db.schema.renameTable('pet_tags_new', 'pet_tags');
  await db.schema.alterTable('pet_tags', (table) => table.index(['service', 'pet_id']));
};

export const tagsByName: Knex.Migration = {
  async up(db) {
    // sqlite.org/withoutrowid.html
    if (!isPostgres(db)) await remake(db, 'without rowid');
  },

  async down(db) {
    if (!isPostgres(db)) await remake(db, '');
  },
};
