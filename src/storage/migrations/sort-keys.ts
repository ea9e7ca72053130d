/** The tables of sorted fields, and of what servers that share a database keep secret together. */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';

/** Creates the tables. */
export const sortKeys: Knex.Migration = {
  async up(db) {
    // Keys sort by their bytes, whatever the collation of the database.
    const [collation, options] = isPostgres(db) ? ['collate "C"', ''] : ['', 'without rowid'];
    await db.raw(`create table item_sort_keys (index_key integer not null, id bigint not null,
      key text ${collation} not null, primary key (index_key, id)) ${options}`);
    await db.raw('create index item_sort_keys_in_order on item_sort_keys (index_key, key, id)');
    await db.schema.createTable('secrets', (table) => {
      table.text('name').primary();
      table.text('value').notNullable();
    });
  },
};
