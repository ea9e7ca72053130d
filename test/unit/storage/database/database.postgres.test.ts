import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { until } from '../../../../scripts/machine/until';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { openPostgres } from '../../../../src/storage/postgres/postgres';
import { param } from '../../../../src/storage/sql/statement';
import { useNewDatabases } from '../../../support/new-database';
import { isPooled } from '../../../support/run/postgres-server';

const newUrl = useNewDatabases();

/** In a transaction: behind a pooler there is no other place for settings. */
const settingOf = async (db: Database, name: string): Promise<string> => {
  const query = db.knex.raw('select current_setting(?) as value', [name]);
  const setting = db.prepare<Record<string, never>, { value: string }>(query);
  const [row] = await db.transaction((trx) => trx.all(setting, {}));
  return String(row?.value);
};

/** A pooler passes no options on, and has connections of its own; see pooler.postgres.test.ts. */
const testUnpooled = isPooled ? test.skip : test;

/** The same database for callers who ask for a setting themselves. */
const withSetting = (url: string, setting: string): string => `${url}%20-c%20${setting}`;

describe('openDatabase', () => {
  let url = '';

  beforeAll(async () => {
    url = await newUrl();
    await closeDatabase(await openDatabase(url));
  });

  test.each(['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])(
    'sets %s, so that each wait ends',
    async (name) => {
      const db = await openDatabase(url);
      expect(await settingOf(db, name)).toMatch(/^[1-9]\d*(ms|s)$/);
      await closeDatabase(db);
    },
  );

  testUnpooled.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_apply', 'remote_apply'],
  ])('where commits are %s they become %s', async (given, wanted) => {
    const db = await openDatabase(withSetting(url, `synchronous_commit=${given}`));
    expect(await settingOf(db, 'synchronous_commit')).toBe(wanted);
    await closeDatabase(db);
  });

  testUnpooled('opens as many connections as it may, and no more', async () => {
    const db = await openDatabase(url, { connections: 2 });
    const backend = db.prepare<{ which: number }, { pid: number }>(
      db.knex.raw('select pg_backend_pid() as pid, pg_sleep(0.01), ? as which', [param('which')]),
    );
    // What is asked for at once shares a connection.
    const first = await db.all(backend, { which: -1 });
    const reads: Promise<{ pid: number }[]>[] = [];
    for (let which = 0; which < 12; which += 1) {
      reads.push(db.all(backend, { which }));
      await setImmediate();
    }
    const rows = [first, ...(await Promise.all(reads))];
    expect(new Set(rows.flat().map(({ pid }) => pid)).size).toBe(2);
    await closeDatabase(db);
  });
});

test('a process that ends while it changes the tables does not keep others from it', async () => {
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

test('a change of a table that waits for its users keeps no others from the table', async () => {
  const url = await newUrl();
  await closeDatabase(await openDatabase(url));
  const [using, other] = [new Client(url), new Client(url)];
  await Promise.all([using.connect(), other.connect()]);
  await using.query('begin');
  await using.query('select key from users');
  const driver = await openPostgres(url, 1);
  const change = driver.withMigrationLock(async (trx) => {
    await trx.raw('alter table users add column later text');
  });
  try {
    await until('the change waits', async () => {
      const waiting = `select from pg_locks where not granted and relation = 'users'::regclass`;
      return (await other.query(waiting)).rowCount === 1 || undefined;
    });
    // Behind a change that waited without an end it would fail.
    await other.query(`set statement_timeout = '10s'`);
    expect((await other.query('select key from users')).rowCount).toBe(0);
  } finally {
    await Promise.all([using.end(), other.end()]);
  }
  await change.finally(() => driver.close());
});
