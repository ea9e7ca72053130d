/** Who attached a file, so that what one user stores can be bounded. Of files of earlier versions nobody knows: they have no owner. */

import type { Knex } from 'knex';

export const fileOwners: Knex.Migration = {
  async up(db) {
    await db.schema.alterTable('item_files', (table) => {
      table.text('owner');
      table.index(['service', 'owner']);
    });
  },
};
