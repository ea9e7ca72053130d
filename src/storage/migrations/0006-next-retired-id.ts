/** The counter of ids tells the next of those that are never assigned again, which was looked up for each resource that was added. */

import type { Knex } from 'knex';

export const nextRetiredId: Knex.Migration = {
  async up(db) {
    await db.schema.alterTable('id_counters', (table) => table.bigInteger('retired'));
    const retired = db('retired_ids')
      .where('kind', db.ref('id_counters.name'))
      .where('id', '>=', db.ref('id_counters.next'))
      .min('id');
    await db('id_counters').update({ retired });
  },
};
