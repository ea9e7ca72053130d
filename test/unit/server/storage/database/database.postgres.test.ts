import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../../src/server/storage/database/database';
import { useNewDatabases } from '../../../../support/new-database';

const newUrl = useNewDatabases();

const settingOf = async ({ knex }: Database, name: string): Promise<string> => {
  const { rows } = await knex.raw('select current_setting(?) as value', [name]);
  return rows[0].value;
};

/** The same database for callers who ask for a setting themselves. */
const withSetting = (url: string, setting: string): string => `${url}%20-c%20${setting}`;

describe('openDatabase', () => {
  let url = '';

  beforeAll(async () => {
    url = await newUrl();
    await closeDatabase(await openDatabase(url));
  });

  test.each(['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])(
    'sets %s: nobody waits for ever',
    async (name) => {
      const db = await openDatabase(url);
      expect(await settingOf(db, name)).toMatch(/^[1-9]\d*(ms|s)$/);
      await closeDatabase(db);
    },
  );

  test.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_apply', 'remote_apply'],
  ])('where commits are %s they become %s', async (given, wanted) => {
    const db = await openDatabase(withSetting(url, `synchronous_commit=${given}`));
    expect(await settingOf(db, 'synchronous_commit')).toBe(wanted);
    await closeDatabase(db);
  });

  test('opens as many connections as it may, and no more', async () => {
    const db = await openDatabase(url, { connections: 2 });
    const backend = db.prepare<Record<string, never>, { pid: number }>(
      db.knex.raw('select pg_backend_pid() as pid, pg_sleep(0.01)'),
    );
    const rows = await Promise.all(Array.from({ length: 12 }, () => db.all(backend, {})));
    expect(new Set(rows.flat().map(({ pid }) => pid)).size).toBe(2);
    await closeDatabase(db);
  });
});

test('a process that ends while it changes the tables keeps nobody else from it', async () => {
  const url = await newUrl();
  await closeDatabase(await openDatabase(url));
  const other = new Client(url);
  await other.connect();
  await other.query('begin');
  await other.query('select id from migration_turn for update');
  const opening = openDatabase(url);
  await other.end();
  await closeDatabase(await opening);
});
