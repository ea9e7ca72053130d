/**
 * One table for whatever goes once through all items of a collection, or all users: bringing them into the format of today's
 * document, and data migrations. Users who do not fit the document are found by an index, as items are.
 */

import type { Knex } from 'knex';

const moves: readonly string[] = [
  `insert into walks (service, collection, task, format, walked_to, is_complete)
    select service, name, '', fitted_format, fitted_to, is_fitted from collections
    where fitted_format is not null`,
  `insert into walks (service, collection, task, format, walked_to, is_complete)
    select service, collections.name, data_migrations.name, '', migrated_to, is_complete
    from data_migrations join collections on collections.key = data_migrations.collection`,
];

export const walks: Knex.Migration = {
  async up(db) {
    await db.schema.createTable('walks', (table) => {
      table.text('service').notNullable();
      // The name of the collection, or `users`.
      table.text('collection').notNullable();
      // The name of the data migration; empty where items are brought into the format.
      table.text('task').notNullable();
      table.text('format').notNullable();
      // The id of the last item that was visited.
      table.bigInteger('walked_to');
      table.integer('is_complete').notNullable();
      table.primary(['service', 'collection', 'task']);
    });
    for (const move of moves) await db.raw(move);
    await db.schema.dropTable('data_migrations');
    for (const column of ['fitted_format', 'fitted_to', 'is_fitted']) {
      await db.raw('alter table collections drop column ??', [column]);
    }
    await db.raw(
      "create index users_misfits on users (service, format) where substr(format, 1, 1) = '!'",
    );
  },
};
