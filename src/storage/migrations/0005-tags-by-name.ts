/**
 * Tags in SQLite without rows beside their index: the primary key has all their columns, so that each tag was kept twice. That
 * was one page of ten that adding a pet writes. PostgreSQL keeps rows as before.
 */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';
import { remakeTags } from './remake-table';

export const tagsByName: Knex.Migration = {
  async up(db) {
    // sqlite.org/withoutrowid.html
    if (!isPostgres(db)) await remakeTags(db, { refers: true, options: 'without rowid' });
  },
};
