/** Several hosts in a URL, as libpq takes them: which one is connected to. */

import { expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import {
  describeOnPostgres,
  type PrivatePostgres,
  usePrivatePostgres,
} from '../support/private-postgres';

describeOnPostgres('a URL of several hosts', () => {
  const one = usePrivatePostgres();
  const other = usePrivatePostgres();

  const hostOf = (postgres: PrivatePostgres): string => new URL(postgres.url()).host;
  const urlOf = (hosts: readonly string[], attribute: string): string =>
    `postgres://postgres@${hosts.join()}/postgres?target_session_attrs=${attribute}`;
  const urlOfBoth = (attribute: string): string =>
    urlOf([hostOf(one()), hostOf(other())], attribute);

  /** Makes all transactions of new connections read-only, as those of a standby are. */
  const setReadOnly = async (postgres: PrivatePostgres, value: 'on' | 'off'): Promise<void> => {
    await postgres.query(`alter system set default_transaction_read_only = ${value}`);
    await postgres.query('select pg_reload_conf()');
    await until('the setting is read', async () => {
      const [row] = await postgres.query('show default_transaction_read_only');
      return Object.values(row ?? {})[0] === value ? true : undefined;
    });
  };

  /** The port of the server that both kinds of connections lead to. */
  const portsOf = async (db: Database): Promise<Set<number>> => {
    const query = db.knex.select(db.knex.raw('inet_server_port() as port'));
    const statement = db.prepare<Record<string, never>, { port: number }>(query.clone());
    const rows: { port: number }[] = [...(await db.all(statement, {})), ...(await query)];
    return new Set(rows.map(({ port }) => port));
  };
  const port = (postgres: PrivatePostgres): Set<number> =>
    new Set([Number(new URL(postgres.url()).port)]);

  const opened = async (url: string): Promise<Set<number>> => {
    const db = await openDatabase(url);
    return portsOf(db).finally(() => closeDatabase(db));
  };

  test('leads to the first one that answers', async () => {
    expect(await opened(urlOfBoth('any'))).toEqual(port(one()));
    expect(await opened(urlOf(['127.0.0.1:1', hostOf(other())], 'any'))).toEqual(port(other()));
    await one().freeze();
    await expect(opened(urlOfBoth('primary')).finally(() => one().thaw())).resolves.toEqual(
      port(other()),
    );
  });

  test('leads to the first one that takes changes', async () => {
    expect(await opened(urlOfBoth('read-write'))).toEqual(port(one()));
    await setReadOnly(one(), 'on');
    expect(await opened(urlOfBoth('read-write'))).toEqual(port(other()));
    await expect(opened(urlOf([hostOf(one())], 'read-write'))).rejects.toThrow(
      /cannot be opened: no host is usable: 127\.0\.0\.1:\d+ is not read-write\.$/,
    );
    await setReadOnly(one(), 'off');
  });

  test('where none will do, says why of each', async () => {
    await setReadOnly(one(), 'on');
    await expect(openDatabase(urlOf(['127.0.0.1:1', hostOf(one())], 'read-write'))).rejects.toThrow(
      /^The database "postgres:\/\/127\.0\.0\.1:1,127.+" cannot be opened: see that the server runs and can be reached from here: no host is usable: connect ECONNREFUSED 127\.0\.0\.1:1; 127\.0\.0\.1:\d+ is not read-write\.$/,
    );
    await setReadOnly(one(), 'off');
  });

  test('leads elsewhere when the host ends, with no restart, and back', async () => {
    const db = await openDatabase(urlOfBoth('read-write'), { connections: 2 });
    expect(await portsOf(db)).toEqual(port(one()));
    await closeDatabase(await openDatabase(other().url()));
    await one().stop();
    await expect(
      until('the other host is used', () => portsOf(db).catch(() => undefined)),
    ).resolves.toEqual(port(other()));
    await one().start();
    await other().stop();
    await expect(
      until('the first host is used', () => portsOf(db).catch(() => undefined)),
    ).resolves.toEqual(port(one()));
    await closeDatabase(db);
    await other().start();
  });

  test('that names a host which takes no changes is refused in one sentence', async () => {
    await setReadOnly(one(), 'on');
    await expect(openDatabase(one().url())).rejects.toThrow(
      /cannot be opened: name the primary, or all hosts and target_session_attrs=read-write: /,
    );
    await setReadOnly(one(), 'off');
  });
});
