/**
 * What user names are compared by (RFC 8265), the flows that an OAuth client is bound to, and the networks that users have signed
 * in from.
 *
 * Of users of earlier versions whose names are the same by RFC 8265, the first alone has what they are compared by: the others are
 * found by their exact names, as before.
 */

import type { Knex } from 'knex';
import { comparableUserName } from '../../base/precis';
import { searchKey } from '../sql/search-key';

interface NamedUser {
  readonly key: number | string;
  readonly service: string;
  readonly username: string;
}

const fillIn = async (db: Knex): Promise<void> => {
  const users: readonly NamedUser[] = await db('users')
    .whereNotNull('username')
    .orderBy('key')
    .select('key', 'service', 'username');
  const taken = new Set<string>();
  for (const { key, service, username } of users) {
    const comparable = searchKey(comparableUserName(username));
    const inService = JSON.stringify([service, comparable]);
    if (comparable === '' || taken.has(inService)) continue;
    taken.add(inService);
    await db('users').where({ key }).update({ comparable_key: comparable });
  }
};

const createNetworks = (table: Knex.CreateTableBuilder): void => {
  table.integer('user_key').unsigned().notNullable().references('users.key').onDelete('CASCADE');
  // A digest.
  table.text('network').notNullable();
  table.bigInteger('used_at').notNullable();
  table.primary(['user_key', 'network']);
};

export const identity: Knex.Migration = {
  async up(db) {
    await db.schema.alterTable('users', (table) => {
      table.text('comparable_key');
    });
    await fillIn(db);
    await db.schema.alterTable('users', (table) => {
      table.unique(['service', 'comparable_key']);
    });
    await db.schema.alterTable('clients', (table) => {
      // Separated by blanks; null: all.
      table.text('flows');
    });
    await db.schema.createTable('sign_in_networks', createNetworks);
  },
};
