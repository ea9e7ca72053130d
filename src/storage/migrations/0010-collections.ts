/**
 * Tables of collections, the same for every service, in place of a table for each kind of resource. What the pet store and the
 * ads had kept goes over as it is: texts, ids, counters, and the indexes that their handlers declare.
 */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';

const createRegister = async (db: Knex): Promise<void> => {
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
    // The id of the last item that it holds, until it is complete.
    table.bigInteger('filled_to');
    table.integer('is_complete').notNullable();
    table.unique(['collection', 'kind', 'path']);
  });
};

const createItems = async (db: Knex): Promise<void> => {
  // Lists are read by the key: in SQLite it is found in two thirds of the time that id and collection take. It is of no use
  // that it never comes again (sqlite.org/autoinc.html), which would be one more page to write.
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
    table.index(['collection', 'item_id']);
  });
};

const register = async (db: Knex): Promise<void> => {
  for (const name of ['pets', 'orders', 'ads']) {
    await db.raw(
      'insert into collections (service, name) select distinct service, ? from ?? order by service',
      [name, name],
    );
  }
  const indexes = [
    ['lookup', 'status'],
    ['lookup', 'tags.name'],
    ['count', 'status'],
  ];
  for (const index of indexes) {
    await db.raw(
      `insert into collection_indexes (collection, kind, path, is_complete)
        select key, ?, ?, 1 from collections where name = 'pets' order by key`,
      index,
    );
  }
};

/** The rows of an old table, beside the collection that they go to. */
const from = (table: string, name = table): string =>
  `from ${table} join collections on collections.service = ${table}.service and collections.name = '${name}'`;

/** The same, beside an index of the collection. */
const withIndex = (table: string, kind: string, path: string): string =>
  `${from(table, 'pets')} join collection_indexes on collection_indexes.collection = collections.key
    and kind = '${kind}' and path = '${path}'`;

const moves: readonly string[] = [
  `insert into items (collection, id, document, format)
    select collections.key, id, document, format ${from('pets')} order by collections.key, id`,
  `insert into items (collection, id, document, format)
    select collections.key, id, document, format ${from('orders')} order by collections.key, id`,
  `insert into items (collection, id, owner, document, format)
    select collections.key, ads.key, author, document, format ${from('ads')}
    order by collections.key, ads.key`,
  `insert into item_index (index_key, value, id, item)
    select collection_indexes.key, status, pets.id, items.key ${withIndex('pets', 'lookup', 'status')}
    join items on items.collection = collections.key and items.id = pets.id where status is not null
    order by collection_indexes.key, status, pets.id`,
  `insert into item_index (index_key, value, id, item)
    select collection_indexes.key, pet_tags.name, pet_id, items.key
    ${withIndex('pet_tags', 'lookup', 'tags.name')}
    join items on items.collection = collections.key and items.id = pet_id
    order by collection_indexes.key, pet_tags.name, pet_id`,
  `insert into value_counts (index_key, value, shard, count)
    select collection_indexes.key, status, shard, count ${withIndex('status_counts', 'count', 'status')}`,
  `insert into item_files (id, service, collection, item_id, media_type, bytes)
    select id, files.service, collections.key, pet_id, media_type, bytes ${from('files', 'pets')}`,
];

export const collectionTables: Knex.Migration = {
  async up(db) {
    await createRegister(db);
    await createItems(db);
    await register(db);
    for (const move of moves) await db.raw(move);
    for (const table of ['pet_tags', 'files', 'pets', 'orders', 'ads', 'status_counts']) {
      await db.schema.dropTable(table);
    }
  },
};
