/** The tables of a test's database, and how their rows are put away. */

import type { Knex } from 'knex';
import type { Database } from '../../src/storage/database/database';
import { isPostgres } from './new-database';

/** Tables that refer to others come last: their rows cannot come first. */
const postgresTables = `
  select relname as name from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
  order by exists (select from pg_constraint where contype = 'f' and conrelid = pg_class.oid)`;

const sqliteTables = `
  select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`;

/** The names of all tables, those that refer to others last. */
export const tablesOf = async ({ knex }: Pick<Database, 'knex'>): Promise<string[]> => {
  const found = await knex.raw(isPostgres ? postgresTables : sqliteTables);
  const rows: { readonly name: string }[] = isPostgres ? found.rows : found;
  return rows.map(({ name }) => name);
};

/** Runs statements without values, all or none, on PostgreSQL in one go. */
export const runTogether = ({ knex }: Database, statements: readonly string[]): Promise<void> =>
  knex.transaction(async (trx: Knex.Transaction) => {
    if (isPostgres) return trx.raw(statements.join('; '));
    await trx.raw('pragma defer_foreign_keys = on');
    for (const statement of statements) await trx.raw(statement);
  });

/** Tells whether the table records the migrations that were run. */
const isBookkeeping = (table: string): boolean => /migration/.test(table);

/** Deletes all rows: the database is as it was when it was first opened. */
export const emptyTables = async (db: Database): Promise<void> => {
  const tables = (await tablesOf(db)).filter((table) => !isBookkeeping(table));
  await runTogether(
    db,
    tables.map((table) => `delete from "${table}"`),
  );
};
