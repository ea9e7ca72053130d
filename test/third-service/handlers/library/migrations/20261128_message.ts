/** The messages that are to be sent, each until it has arrived. */

import type { Knex } from 'knex';

export const up = (knex: Knex) =>
  knex.schema.createTable('library_message', (table) => {
    // The message has one id, however often it is sent.
    table.uuid('id').primary();
    table.text('body').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.timestamp('next_at').notNullable().index();
  });

export const down = (knex: Knex) => knex.schema.dropTable('library_message');
