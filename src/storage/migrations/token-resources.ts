/** The resources that tokens, and the codes that give them, are for. */

import type { Knex } from 'knex';

/** Adds the columns; a version that does not know them takes such a token for one that is good everywhere in its service. */
export const tokenResources: Knex.Migration = {
  async up(db) {
    for (const name of ['tokens', 'oauth_codes', 'device_codes']) {
      // Separated by blanks; null: whatever the service has.
      await db.schema.alterTable(name, (table) => table.text('resources'));
    }
  },
};
