/** Sets PostgreSQL's sequences behind the keys that were inserted by hand. SQLite does so by itself. */

import { isNativeError } from 'node:util/types';
import type { Database } from '../database/database';
import { isPostgres } from '../sql/is-postgres';
import { tables } from './table-list';

const functionUnknown = '42883';

/** Keys of one column that is called `key` are the database's own to assign. */
const numbered = tables.filter(({ key }) => key.length === 1 && key[0] === 'key');

/** Leaves a table alone that is empty or whose keys come from no sequence, as on some compatible databases. */
export const setSequences = async (db: Database): Promise<void> => {
  if (!isPostgres(db.knex)) return;
  for (const { name } of numbered) {
    try {
      await db.knex.raw(
        `select setval(pg_get_serial_sequence(?, 'key'), largest)
          from (select max(key) as largest from ??) as keys`,
        [name, name],
      );
    } catch (error) {
      if (!isNativeError(error) || Reflect.get(error, 'code') !== functionUnknown) throw error;
    }
  }
};
