/** Databases as earlier versions left them. */

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Knex, knex } from 'knex';
import { migrationSource } from '../../../../src/storage/migrations/index';
import { isPostgres } from '../../../support/new-database';

/** The migrations up to this one. */
const migrationsTo = async (last: string): Promise<typeof migrationSource> => {
  const all = await migrationSource.getMigrations([]);
  const count = all.findIndex(({ name }) => name === last) + 1;
  return { ...migrationSource, getMigrations: async () => all.slice(0, count) };
};

const knexOver = async (url: string): Promise<Knex> => {
  if (isPostgres) return knex({ client: 'pg', connection: { connectionString: url } });
  const filename = url.slice('sqlite:'.length);
  await mkdir(dirname(filename), { recursive: true });
  return knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
};

/**
 * Makes an empty database into what an earlier version left.
 *
 * @param last - the name of the last migration that it knew
 * @param rows - by table
 */
export const makeEarlier = async (
  url: string,
  last: string,
  rows: Readonly<Record<string, readonly object[]>>,
): Promise<void> => {
  const earlier = await knexOver(url);
  try {
    await earlier.migrate.latest({ migrationSource: await migrationsTo(last) });
    for (const [table, list] of Object.entries(rows)) await earlier(table).insert(list);
  } finally {
    await earlier.destroy();
  }
};
