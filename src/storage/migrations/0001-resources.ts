/** Tables of the resources: each its JSON text beside the columns that are searched. Every row belongs to a service. */

import type { Knex } from 'knex';

type Columns = Knex.CreateTableBuilder;

const addDocumentKey = (table: Columns): void => {
  table.text('service').notNullable();
  table.bigInteger('id').notNullable();
  table.text('document').notNullable();
  table.primary(['service', 'id']);
};

const addPetReference = (table: Columns): void => {
  table.text('service').notNullable();
  table.bigInteger('pet_id').notNullable();
  table
    .foreign(['service', 'pet_id'])
    .references(['service', 'id'])
    .inTable('pets')
    .onDelete('CASCADE');
  table.index(['service', 'pet_id']);
};

const createPets = async (db: Knex): Promise<void> => {
  await db.schema.createTable('pets', (table) => {
    addDocumentKey(table);
    table.text('status');
    table.index(['service', 'status', 'id']);
  });
  await db.schema.createTable('pet_tags', (table) => {
    addPetReference(table);
    table.text('name').notNullable();
    table.primary(['service', 'name', 'pet_id']);
  });
  await db.schema.createTable('files', (table) => {
    table.text('id').primary();
    addPetReference(table);
    table.text('media_type').notNullable();
    table.binary('bytes').notNullable();
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now());
  });
};

const createIds = async (db: Knex): Promise<void> => {
  await db.schema.createTable('id_counters', (table) => {
    table.text('name').primary();
    table.bigInteger('next').notNullable();
  });
  await db.schema.createTable('retired_ids', (table) => {
    table.text('kind').notNullable();
    table.bigInteger('id').notNullable();
    table.primary(['kind', 'id']);
  });
};

const up = async (db: Knex): Promise<void> => {
  await createPets(db);
  await db.schema.createTable('orders', addDocumentKey);
  await db.schema.createTable('ads', (table) => {
    table.bigIncrements('key');
    table.text('service').notNullable();
    table.text('author').notNullable();
    table.text('document').notNullable();
  });
  await createIds(db);
};

export const resourceTables: Knex.Migration = { up };
