/** Commits that wait for a standby: what is not on its disk is not confirmed. */

import { expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { DatabaseUnavailable } from '../../src/storage/connections/database-errors';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';

describeOnPostgres('a synchronous standby', () => {
  const postgres = usePrivatePostgres();

  const cancelWaiting = `select pg_cancel_backend(pid) as done from pg_stat_activity
    where wait_event = 'SyncRep'`;

  test('that is not there: a commit whose wait is ended is not confirmed', async () => {
    const db = await openDatabase(postgres().url());
    await postgres().query(`alter system set synchronous_standby_names = 'missing'`);
    await postgres().query('select pg_reload_conf()');
    await until('the server waits for it', async () => {
      const [row] = await postgres().query('show synchronous_standby_names');
      return Object.values(row ?? {})[0] === 'missing' ? true : undefined;
    });
    const touch = db.prepare(db.knex('migration_turn').insert({ id: '7' }));
    const change = db.transaction((trx) => trx.all(touch, {})).catch((error: unknown) => error);
    await until('the commit waits', async () => {
      const [row] = await postgres().query(cancelWaiting);
      return row;
    });
    const error = await change;
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(error).toMatchObject({
      // The caller must check: it was made, and may be lost with its server.
      retryAfterSeconds: undefined,
      cause: expect.objectContaining({ message: expect.stringContaining('synchronous') }),
    });
    await closeDatabase(db);
  });
});
