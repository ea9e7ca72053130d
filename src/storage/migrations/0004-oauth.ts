/** The table of authorization codes (RFC 6749 section 4.1). Times are milliseconds since 1970 (UTC). */

import type { Knex } from 'knex';

const createCodes = (table: Knex.CreateTableBuilder): void => {
  table.text('hash').primary();
  table.text('service').notNullable();
  table.text('client').notNullable();
  table
    .integer('user_key')
    .unsigned()
    .notNullable()
    .references('users.key')
    .onDelete('CASCADE')
    .index();
  table.text('redirect_uri');
  table.text('challenge').notNullable();
  table.text('scopes').notNullable();
  table.bigInteger('expires_at').notNullable();
  table.text('token_hash');
  table.bigInteger('forget_at').notNullable().index();
};

export const authorizationCodes: Knex.Migration = {
  async up(db) {
    await db.schema.createTable('oauth_codes', createCodes);
  },
};
