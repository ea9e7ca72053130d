/** PgBouncer in transaction mode: what it takes away, and what is said where that was not expected. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { until } from '../../scripts/machine/until';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { param } from '../../src/storage/sql/statement';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';
import { hasPgbouncer, startPgbouncer } from '../support/run/pgbouncer';

const describeBehindPooler =
  hasPgbouncer || process.env['REQUIRE_PGBOUNCER'] === 'true' ? describe : describe.skip;

describeOnPostgres('behind PgBouncer', () => {
  const postgres = usePrivatePostgres();

  /** Starts one for the tests around it; gives its URL. */
  const usePooler = (more = ''): (() => string) => {
    let folder = '';
    let url = '';
    let child: ChildProcess | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
      const started = await startPgbouncer(folder, postgres().url(), more);
      ({ url, child } = started);
      await until('PgBouncer takes connections', async () => {
        const client = new Client(url);
        const isThere = client.connect().then(
          () => true as const,
          () => undefined,
        );
        return isThere.finally(() => client.end());
      });
    });
    afterAll(async () => {
      if (child?.kill('SIGKILL')) await once(child, 'exit');
      await rm(folder, { recursive: true });
    });
    return () => url;
  };

  /** Inside a transaction, and outside. */
  const settingsOf = async (db: Database, name: string): Promise<unknown[]> => {
    const query = db.knex.raw('select current_setting(?) as value', [name]);
    const setting = db.prepare<Record<string, never>, { value: string }>(query);
    const rows = await Promise.all([
      db.all(setting, {}),
      db.transaction((trx) => trx.all(setting, {})),
    ]);
    return rows.flat().map(({ value }) => value);
  };

  describeBehindPooler('with pgbouncer=true', () => {
    beforeAll(() => postgres().query('alter database postgres set synchronous_commit = off'));
    const pooler = usePooler();
    let db: Database;

    beforeAll(async () => {
      db = await openDatabase(`${pooler()}?pgbouncer=true`);
    });
    afterAll(() => closeDatabase(db));

    test.each([
      ['lock_timeout', '2s'],
      ['statement_timeout', '10s'],
      ['idle_in_transaction_session_timeout', '30s'],
      ['synchronous_commit', 'on'],
    ])('%s is %s in each transaction, and stays with no connection', async (name, value) => {
      expect(await settingsOf(db, name)).toEqual([value, value]);
      const { rows } = await db.knex.raw('select current_setting(?) as value', [name]);
      expect(rows).toEqual([{ value: name === 'synchronous_commit' ? 'off' : '0' }]);
    });

    test('a statement runs on whatever connection there is', async () => {
      const query = db.knex.raw('select pg_backend_pid() as pid, ?::int as which', [
        param('which'),
      ]);
      const backend = db.prepare<{ which: number }, { pid: number; which: number }>(query);
      const pids = new Set<number>();
      for (let which = 0; which < 40; which += 1) {
        const held = db.transaction((trx) => trx.all(backend, { which }));
        const rows = [...(await db.all(backend, { which })), ...(await held)];
        expect(rows.map((row) => row.which)).toEqual([which, which]);
        for (const { pid } of rows) pids.add(pid);
      }
      expect(pids.size).toBeGreaterThan(1);
    });
  });

  describeBehindPooler('without pgbouncer=true', () => {
    const pooler = usePooler();

    test('says what is missing', async () => {
      await expect(openDatabase(pooler())).rejects.toThrow(
        /cannot be opened: behind PgBouncer, add pgbouncer=true to the URL: unsupported startup parameter/,
      );
    });
  });

  describeBehindPooler('that drops what it does not know', () => {
    const pooler = usePooler(
      'ignore_startup_parameters = lock_timeout,statement_timeout,idle_in_transaction_session_timeout',
    );

    test('says what is missing', async () => {
      await expect(openDatabase(pooler())).rejects.toThrow(
        /cannot be opened: a pooler drops the settings of connections, so add pgbouncer=true to the URL\.$/,
      );
      await closeDatabase(await openDatabase(`${pooler()}?pgbouncer=true`));
    });
  });
});
