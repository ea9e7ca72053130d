/** Reads the tables: what no operation lists, and the number of what operations do list. */

import { setTimeout } from 'node:timers/promises';
import { type Knex, knex } from 'knex';
import { isPostgres } from '../../../src/storage/sql/dialect';
import { SqliteClient } from '../../../src/storage/sqlite/sqlite';
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

const service = 'petstore';

const open = (url: string): Knex =>
  url.startsWith('sqlite:')
    ? knex({
        client: SqliteClient,
        connection: { filename: url.slice('sqlite:'.length) },
        useNullAsDefault: true,
      })
    : knex({ client: 'pg', connection: url });

/** Selects the items of a collection. */
const itemsOf = (db: Knex, of: string, name: string): Knex.QueryBuilder =>
  db('items')
    .join('collections', 'collections.key', 'items.collection')
    .where({ service: of, name });

const documents = async (rows: Knex.QueryBuilder): Promise<Fields[]> =>
  (await rows.pluck('document')).map((text: string) => JSON.parse(text) as Fields);

const ids = async (rows: Knex.QueryBuilder): Promise<string[]> =>
  (await rows.pluck('id')).map(String);

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

/** operator_intervention (PostgreSQL, appendix A): a server that lost a backend ends all others, and recovers. */
const isRecovering = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('57');

const isQuiet = async (db: Knex): Promise<boolean> => {
  try {
    const { rows } = await db.raw(busy);
    return rows[0]?.busy === 0;
  } catch (error) {
    if (isRecovering(error)) return false;
    throw error;
  }
};

/** Waits, since a server may still commit what a killed process asked of it, or recover a moment after a response. */
const waitUntilQuiet = async (db: Knex): Promise<void> => {
  if (!isPostgres(db)) return;
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await isQuiet(db)) return;
    await setTimeout(50);
  }
  throw new Error('The database is still busy after 30 seconds without load');
};

/** Reads the tables over a new connection, which is closed then. */
export const readTables = async (url: string): Promise<Tables> => {
  const db = open(url);
  try {
    await waitUntilQuiet(db);
    return {
      petIds: await ids(itemsOf(db, service, 'pets')),
      orders: await documents(itemsOf(db, service, 'orders')),
      users: await documents(db('users').where({ service })),
      ads: await documents(itemsOf(db, 'ads', 'ads')),
      faults: await faultsOf(db),
    };
  } finally {
    await db.destroy();
  }
};
