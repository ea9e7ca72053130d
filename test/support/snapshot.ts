/** Puts a SQLite database back to an earlier state, also while a server uses it. */

import type { Database } from '../../src/storage/database';

/** Copies the database as it is; the result puts every row back. */
export const takeSnapshot = async (db: Database, file: string): Promise<() => Promise<void>> => {
  await db.knex.raw('vacuum into ?', [file]);
  await db.knex.raw('attach database ? as snapshot', [file]);
  const tables: { readonly name: string }[] = await db
    .knex('sqlite_master')
    .where({ type: 'table' })
    .whereNot('name', 'like', 'sqlite_%')
    .select('name');
  return () =>
    db.knex.transaction(async (trx) => {
      await trx.raw('pragma defer_foreign_keys = on');
      for (const { name } of tables) await trx.raw('delete from main.??', [name]);
      for (const { name } of tables) {
        await trx.raw('insert into main.?? select * from snapshot.??', [name, name]);
      }
    });
};
