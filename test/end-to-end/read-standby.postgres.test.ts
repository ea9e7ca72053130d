/** A server that reads lists and counts from a standby (DATABASE_READ_URL), as its callers and its standby see it. */

import { expect, test } from '@jest/globals';
import { issueTokenAt } from '../support/access-token';
import { eventually } from '../support/eventually';
import { describeOnPostgres, usePrivatePostgres } from '../support/private-postgres';
import { startTroubledServer, type TroubledServer } from '../support/troubled-server';

describeOnPostgres('a standby for reads', () => {
  const primary = usePrivatePostgres();
  const standby = usePrivatePostgres(primary);

  const serve = (): Promise<TroubledServer> =>
    startTroubledServer(primary().url(), { DATABASE_READ_URL: standby().url() });

  const soldNames = async ({ ask }: TroubledServer): Promise<string[]> => {
    const token = await issueTokenAt(primary().url(), {
      service: 'petstore',
      scopes: ['write:pets', 'read:pets'],
    });
    const { status, text } = await ask('GET /petstore/pet/findByStatus?status=sold', { token });
    expect(status).toBe(200);
    return (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
  };

  /** The tables that were read there since it was made. A connection counts what it has read when it ends. */
  const tablesRead = async (): Promise<unknown[]> => {
    await eventually('all others have left', async () => {
      const others = await standby().query(
        `select pid from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid()`,
      );
      return others.length === 0 ? true : undefined;
    });
    const rows = await standby().query(
      `select relname from pg_stat_user_tables
        where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0 order by relname`,
    );
    return rows.flatMap((row) => Object.values(row));
  };

  test('is asked for lists and counts alone, and callers find what they have just added', async () => {
    const server = await serve();
    for (const name of ['Rex', 'Tom', 'Kim']) {
      expect((await server.addPet(name)).status).toBe(200);
      expect(await soldNames(server)).toContain(name);
    }
    expect((await server.getPet()).status).toBe(200);
    const login = '/petstore/user/login?username=demo&password=wrong';
    expect((await server.ask(`GET ${login}`)).status).toBe(400);
    const counted = await server.ask('GET /petstore/store/inventory', { key: 'special-key' });
    expect(JSON.parse(counted.text)).toEqual(expect.objectContaining({ sold: expect.any(Number) }));
    await server.stop();
    expect(await tablesRead()).toEqual(['item_index', 'items', 'value_counts']);
  });

  test('need not answer, nor be there at the start', async () => {
    const server = await serve();
    const names = await soldNames(server);
    await standby().freeze();
    expect(await soldNames(server)).toEqual(names);
    await standby().thaw();
    await standby().stop();
    expect(await soldNames(server)).toEqual(names);
    await server.stop();
    const another = await serve();
    expect(await soldNames(another)).toEqual(names);
    await another.stop();
  });
});
