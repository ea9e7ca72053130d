/** Tables of accounts, credentials and the counts that limit them. Times are milliseconds since 1970 (UTC). */

import type { Knex } from 'knex';

const createUsers = (table: Knex.CreateTableBuilder): void => {
  table.increments('key');
  table.text('service').notNullable();
  table.bigInteger('id').notNullable();
  table.text('username');
  table.text('password_hash');
  table.text('document').notNullable();
  table.unique(['service', 'id']);
  table.unique(['service', 'username']);
};

const createTokens = (table: Knex.CreateTableBuilder): void => {
  table.increments('key');
  table.text('hash').notNullable().unique();
  table.text('kind').notNullable();
  table
    .integer('user_key')
    .unsigned()
    .notNullable()
    .references('users.key')
    .onDelete('CASCADE')
    .index();
  table.text('scopes').notNullable();
  table.text('client');
  table.bigInteger('created_at').notNullable();
  table.bigInteger('expires_at').notNullable().index();
};

const createApiKeys = (table: Knex.CreateTableBuilder): void => {
  table.increments('key');
  table.text('service').notNullable();
  table.text('label').notNullable();
  table.text('hash').notNullable();
  table.bigInteger('created_at').notNullable();
  table.bigInteger('revoked_at');
  table.unique(['service', 'label']);
  table.unique(['service', 'hash']);
};

const createClients = (table: Knex.CreateTableBuilder): void => {
  table.increments('key');
  table.text('service').notNullable();
  table.text('client_id').notNullable();
  table.text('name').notNullable();
  table.text('redirect_uris').notNullable();
  table.unique(['service', 'client_id']);
};

const createEventCounts = (table: Knex.CreateTableBuilder): void => {
  table.text('name').primary();
  table.bigInteger('count').notNullable();
  table.bigInteger('expires_at').notNullable().index();
};

export const identityTables: Knex.Migration = {
  async up(db) {
    await db.schema.createTable('users', createUsers);
    await db.schema.createTable('tokens', createTokens);
    await db.schema.createTable('api_keys', createApiKeys);
    await db.schema.createTable('clients', createClients);
    await db.schema.createTable('event_counts', createEventCounts);
  },
};
