/**
 * Tags in SQLite without a reference to their pet, and without the index that finds them by it: which tags go with a pet is known
 * from its document. That was one page of eight that adding a pet writes. PostgreSQL keeps both.
 */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';
import { remakeTags } from './remake-table';

export const tagsAlone: Knex.Migration = {
  async up(db) {
    if (!isPostgres(db)) await remakeTags(db, { refers: false, options: 'without rowid' });
  },
};
