/** The tables of this version, created in an empty database. */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';

const createCollections = async (db: Knex): Promise<void> => {
  await db.schema.createTable('collections', (table) => {
    table.increments('key');
    table.text('service').notNullable();
    table.text('name').notNullable();
    table.unique(['service', 'name']);
  });
  await db.schema.createTable('collection_indexes', (table) => {
    table.increments('key');
    table.integer('collection').notNullable();
    table.text('kind').notNullable();
    table.text('path').notNullable();
    table.integer('is_complete').notNullable();
    table.unique(['collection', 'kind', 'path']);
  });
  await db.schema.createTable('walks', (table) => {
    table.text('service').notNullable();
    // The name of the collection, or `users`.
    table.text('collection').notNullable();
    // The name of the data migration.
    table.text('task').notNullable();
    // The id of the last item that was migrated.
    table.bigInteger('walked_to');
    table.integer('is_complete').notNullable();
    table.primary(['service', 'collection', 'task']);
  });
};

const createItems = async (db: Knex): Promise<void> => {
  // Lists are read by the key: in SQLite it is found in two thirds of the time that id and collection take. There a key may
  // come again once its item is deleted: an autoincrement would write one more page (sqlite.org/autoinc.html).
  const key = isPostgres(db) ? 'bigserial primary key' : 'integer primary key';
  await db.raw(`create table items (key ${key}, collection integer not null, id bigint not null,
    owner text, document text not null, format text not null)`);
  await db.schema.alterTable('items', (table) => table.unique(['collection', 'id']));
  // In SQLite a row beside the index of its key would be one more page to write (sqlite.org/withoutrowid.html).
  const options = isPostgres(db) ? '' : 'without rowid';
  await db.raw(`create table item_index (index_key integer not null, value text not null,
    id bigint not null, item bigint not null, primary key (index_key, value, id)) ${options}`);
  await db.raw(`create table value_counts (index_key integer not null, value text not null,
    shard integer not null, count bigint not null, primary key (index_key, value, shard)) ${options}`);
  await db.schema.createTable('item_files', (table) => {
    table.text('id').primary();
    table.text('service').notNullable();
    table.integer('collection').notNullable();
    table.bigInteger('item_id').notNullable();
    table.text('media_type').notNullable();
    table.binary('bytes').notNullable();
    // The user who attached it; null where that is not known.
    table.text('owner');
    table.index(['collection', 'item_id']);
    table.index(['service', 'owner']);
  });
};

const createIds = async (db: Knex): Promise<void> => {
  await db.schema.createTable('id_counters', (table) => {
    table.text('name').primary();
    table.bigInteger('next').notNullable();
    // The least given id that the counter has not passed.
    table.bigInteger('retired');
  });
  await db.schema.createTable('retired_ids', (table) => {
    // The name of the counter that never assigns the id.
    table.text('kind').notNullable();
    table.bigInteger('id').notNullable();
    table.primary(['kind', 'id']);
  });
};

/** Adds a reference to a user, with whom the row is deleted. */
const referToUser = (table: Knex.CreateTableBuilder): Knex.ReferencingColumnBuilder =>
  table.integer('user_key').unsigned().notNullable().references('users.key').onDelete('CASCADE');

/** Times are milliseconds since 1970 (UTC). */
const createIdentity = async (db: Knex): Promise<void> => {
  await db.schema.createTable('users', (table) => {
    table.increments('key');
    table.text('service').notNullable();
    table.bigInteger('id').notNullable();
    table.text('username');
    table.text('password_hash');
    table.text('document').notNullable();
    table.text('format').notNullable().defaultTo('');
    table.text('username_key');
    // The name as names are compared (RFC 8265); null where an older user has the same.
    table.text('comparable_key');
    table.unique(['service', 'id']);
    table.unique(['service', 'username_key']);
    // Null unless the user may not sign in.
    table.bigInteger('disabled_at');
    table.unique(['service', 'comparable_key']);
  });
  await db.schema.createTable('sign_in_networks', (table) => {
    referToUser(table);
    // A digest.
    table.text('network').notNullable();
    table.bigInteger('used_at').notNullable();
    table.primary(['user_key', 'network']);
  });
  await db.schema.createTable('tokens', (table) => {
    table.increments('key');
    table.text('hash').notNullable().unique();
    table.text('kind').notNullable();
    referToUser(table).index();
    table.text('scopes').notNullable();
    table.text('client');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
};

const createClients = async (db: Knex): Promise<void> => {
  await db.schema.createTable('api_keys', (table) => {
    table.increments('key');
    table.text('service').notNullable();
    table.text('label').notNullable();
    table.text('hash').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('revoked_at');
    // The key that this one has replaced, and until when it is good.
    table.text('previous_hash');
    table.bigInteger('previous_created_at');
    table.bigInteger('previous_until');
    table.unique(['service', 'label']);
    table.unique(['service', 'hash']);
    table.index(['service', 'previous_hash']);
  });
  await db.schema.createTable('clients', (table) => {
    table.increments('key');
    table.text('service').notNullable();
    table.text('client_id').notNullable();
    table.text('name').notNullable();
    table.text('redirect_uris').notNullable();
    // Separated by blanks; null: all.
    table.text('flows');
    table.unique(['service', 'client_id']);
  });
  // Authorization codes (RFC 6749 section 4.1).
  await db.schema.createTable('oauth_codes', (table) => {
    table.text('hash').primary();
    table.text('service').notNullable();
    table.text('client').notNullable();
    referToUser(table).index();
    table.text('redirect_uri');
    table.text('challenge').notNullable();
    table.text('scopes').notNullable();
    table.bigInteger('expires_at').notNullable();
    table.text('token_hash');
    table.bigInteger('forget_at').notNullable().index();
  });
  await db.schema.createTable('event_counts', (table) => {
    table.text('name').primary();
    table.bigInteger('count').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
};

/** Device codes (RFC 8628). */
const createDeviceCodes = (db: Knex): Promise<void> =>
  db.schema.createTable('device_codes', (table) => {
    table.text('hash').primary();
    table.text('service').notNullable();
    table.text('user_code_hash').notNullable();
    table.text('client').notNullable();
    // Null until a user has allowed it.
    table.integer('user_key').unsigned().references('users.key').onDelete('CASCADE').index();
    table.text('scopes').notNullable();
    table.integer('is_denied').notNullable();
    table.bigInteger('expires_at').notNullable().index();
    table.integer('poll_seconds').notNullable();
    table.bigInteger('next_poll_at').notNullable();
    table.unique(['service', 'user_code_hash']);
  });

/** Creates the tables. */
export const baseline: Knex.Migration = {
  async up(db) {
    await createCollections(db);
    await createItems(db);
    await createIds(db);
    await createIdentity(db);
    await createClients(db);
    await createDeviceCodes(db);
  },
};
