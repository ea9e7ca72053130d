/** Databases as the former version left them. */

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { sqliteDriver } from '../../../../src/storage/sqlite/sqlite';
import { isPostgres } from '../../../support/new-database';

/** Runs statements on a database that nothing has opened. */
export const execute = async (url: string, sql: string): Promise<void> => {
  if (isPostgres) {
    const client = new Client(url);
    await client.connect();
    await client.query(sql).finally(() => client.end());
    return;
  }
  const path = url.slice('sqlite:'.length);
  await mkdir(dirname(path), { recursive: true });
  new (sqliteDriver())(path).exec(sql).close();
};

/** The statements that make what version 0.3.0 left; that version made them. */
export const leftBy030: string = readFileSync(
  join(__dirname, `version-0.3.0.${isPostgres ? 'postgres' : 'sqlite'}.sql`),
  'utf8',
);
