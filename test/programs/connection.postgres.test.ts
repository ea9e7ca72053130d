/** A connection that PostgreSQL leaves without an answer, or ends. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { knex } from 'knex';
import type { Pool } from 'pg';
import { until } from '../../scripts/machine/until';
import { Skipped } from '../../src/storage/connections/database-driver';
import { classifyError, isConnectionError } from '../../src/storage/connections/database-errors';
import { limits, poolOver } from '../../src/storage/postgres/connect';
import { lendConnections } from '../../src/storage/postgres/connection';
import { param, statement } from '../../src/storage/sql/statement';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';

describeOnPostgres('a connection', () => {
  const postgres = usePrivatePostgres();
  let pool: Pool;

  beforeAll(async () => {
    await postgres().query('create table things (name text)');
    pool = poolOver(postgres().url(), 1, { ...limits, query_timeout });
  });
  afterAll(() => pool.end());

  const query_timeout = 200;
  const composed = knex({ client: 'pg' });
  const insert = statement<{ name: string }, never>(
    composed('things').insert({ name: param('name') }),
  );
  const echo = statement<{ name: string }, object>(
    composed.raw('select cast(? as text) as name', [param('name')]),
  );
  const sleep = statement<Record<string, never>, object>(
    composed.raw("select pg_sleep(60), 'ended'"),
  );

  test('that was given up takes no late answer, and is closed at once', async () => {
    const lend = lendConnections(pool);
    const outcomes = lend(async (connection) => {
      await connection.run(insert, { name: 'early' });
      await postgres().freeze();
      const late = connection.run(insert, { name: 'late' });
      // The first one is sent, and the other one waits for its answer.
      await new Promise(setImmediate);
      const next = connection.run(insert, { name: 'next' });
      await late.catch(() => postgres().thaw());
      return Promise.allSettled([late, next]);
    });
    const errors = (await outcomes).map((outcome) => 'reason' in outcome && outcome.reason);
    expect(errors.map(isConnectionError)).toEqual([true, true]);
    expect(String(errors[0])).toContain('Query read timeout');
    expect(await lend(({ all }) => all(echo, { name: 'after' }))).toEqual([{ name: 'after' }]);
  });

  test('that the server ends fails what came behind the statement that was running, too', async () => {
    const patient = poolOver(postgres().url(), 1);
    const outcomes = lendConnections(patient)((connection) =>
      Promise.allSettled([connection.all(sleep, {}), connection.run(insert, { name: 'next' })]),
    );
    await until('the connection is ended', async () => {
      const [ended] = await postgres().query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like '%''ended''' and wait_event = 'PgSleep'",
      );
      return ended;
    });
    const errors = (await outcomes).map((outcome) => 'reason' in outcome && outcome.reason);
    expect(errors[1]).toBeInstanceOf(Skipped);
    const causes = errors.map((error) => (error instanceof Skipped ? error.cause : error));
    expect(causes.map(classifyError)).toEqual(['lost', 'lost']);
    await patient.end();
  });
});
