/** How far stored items were brought into the format of today's document, which of them do not fit it, and data migrations. */

import type { Knex } from 'knex';

export const fittedItems: Knex.Migration = {
  async up(db) {
    await db.schema.alterTable('collections', (table) => {
      table.text('fitted_format');
      // The id of the last item that was brought into the format.
      table.bigInteger('fitted_to');
      table.integer('is_fitted').notNullable().defaultTo(0);
    });
    // Items that do not fit are marked by their format. The index holds no others, so that it costs those nothing.
    await db.raw(
      "create index items_misfits on items (collection, format) where substr(format, 1, 1) = '!'",
    );
    await db.schema.createTable('data_migrations', (table) => {
      table.integer('collection').notNullable();
      table.text('name').notNullable();
      // The id of the last item that was migrated.
      table.bigInteger('migrated_to');
      table.integer('is_complete').notNullable();
      table.primary(['collection', 'name']);
    });
  },
};
