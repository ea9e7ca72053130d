/** What lists and counts of any size need, on any database: formats of texts, counted statuses, keys of bounded length. */

import type { Knex } from 'knex';
import { searchKey } from '../sql/search-key';

const documentTables = ['pets', 'orders', 'ads', 'users'];

const addFormats = async (db: Knex): Promise<void> => {
  for (const name of documentTables) {
    await db.schema.alterTable(name, (table) => {
      // No format is empty: what is there is written anew when it is read.
      table.text('format').notNullable().defaultTo('');
    });
  }
};

const countStatuses = async (db: Knex): Promise<void> => {
  await db.schema.createTable('status_counts', (table) => {
    table.text('service').notNullable();
    table.text('status').notNullable();
    table.integer('shard').notNullable();
    table.bigInteger('count').notNullable();
    table.primary(['service', 'status', 'shard']);
  });
  const counted = db('pets').whereNotNull('status').groupBy('service', 'status');
  await db
    .into(db.raw('status_counts (service, status, shard, count)'))
    .insert(counted.select('service', 'status', db.raw('0'), db.raw('count(*)')));
};

const shortenTags = async (db: Knex): Promise<void> => {
  const names: string[] = await db('pet_tags').distinct('name').pluck('name');
  for (const name of names.filter((one) => searchKey(one) !== one)) {
    await db('pet_tags')
      .where({ name })
      .update({ name: searchKey(name) });
  }
};

const addUsernameKeys = async (db: Knex): Promise<void> => {
  await db.schema.alterTable('users', (table) => {
    table.text('username_key');
    table.dropUnique(['service', 'username']);
  });
  const users: { key: unknown; username: string }[] = await db('users')
    .whereNotNull('username')
    .select('key', 'username');
  for (const { key, username } of users) {
    await db('users')
      .where({ key })
      .update({ username_key: searchKey(username) });
  }
  await db.schema.alterTable('users', (table) => {
    table.unique(['service', 'username_key']);
  });
};

export const growth: Knex.Migration = {
  async up(db) {
    await addFormats(db);
    await countStatuses(db);
    await shortenTags(db);
    await addUsernameKeys(db);
    // Nobody ever read it, and databases write times in different ways.
    await db.raw('alter table files drop column created_at');
  },
};
