/** Tells the kinds of database apart, where one has words of its own. */

import type { Knex } from 'knex';

/** Whether the database is PostgreSQL, or one that is compatible. */
export const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';
