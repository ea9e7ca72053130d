/** Reads the tables: what no operation lists, and the number of what operations do list. */

import { type Knex, knex } from 'knex';
import { isPostgres } from '../../../src/storage/sql/dialect';
import { SqliteClient } from '../../../src/storage/sqlite/sqlite';
import { until } from '../../machine/until';
import type { Fields } from '../history/views';

/** The contents of the tables of the two services. */
export interface Tables {
  readonly petIds: readonly string[];
  readonly orders: readonly Fields[];
  readonly users: readonly Fields[];
  readonly ads: readonly Fields[];
  /** The findings of the database's own check. */
  readonly faults: readonly string[];
}

const open = (url: string): Knex =>
  url.startsWith('sqlite:')
    ? knex({
        client: SqliteClient,
        connection: { filename: url.slice('sqlite:'.length) },
        useNullAsDefault: true,
      })
    : knex({ client: 'pg', connection: url });

/** Selects the items of a collection. */
const itemsOf = (db: Knex, service: string, name: string): Knex.QueryBuilder =>
  db('items').join('collections', 'collections.key', 'items.collection').where({ service, name });

const documents = async (rows: Knex.QueryBuilder): Promise<Fields[]> =>
  (await rows.pluck('document')).map((text: string) => JSON.parse(text) as Fields);

/** SQLite's own checks (sqlite.org/pragma.html); PostgreSQL checks pages when it reads them. */
const faultsOf = async (db: Knex): Promise<string[]> => {
  if (isPostgres(db)) return [];
  const checks: Fields[] = [
    ...(await db.raw('PRAGMA integrity_check')),
    ...(await db.raw('PRAGMA foreign_key_check')),
  ];
  return checks
    .map((row) => JSON.stringify(row))
    .filter((text) => text !== '{"integrity_check":"ok"}');
};

const busy = `select count(*)::int as busy from pg_stat_activity
  where state <> 'idle' and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Reads the tables over a new connection, which is closed then. */
export const readTables = async (url: string): Promise<Tables> => {
  const db = open(url);
  try {
    // It may still commit what a killed process asked of it, or recover a moment after a response.
    const isQuiet = async (): Promise<boolean> => (await db.raw(busy)).rows[0]?.busy === 0;
    if (isPostgres(db)) await until('the database has nothing to do', isQuiet);
    const ids = await itemsOf(db, 'petstore', 'pets').pluck('id');
    return {
      petIds: ids.map(String),
      orders: await documents(itemsOf(db, 'petstore', 'orders')),
      users: await documents(db('users').where({ service: 'petstore' })),
      ads: await documents(itemsOf(db, 'ads', 'ads')),
      faults: await faultsOf(db),
    };
  } finally {
    await db.destroy();
  }
};
