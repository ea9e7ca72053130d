/** Lists and counts that a standby is asked for, and what they promise. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Collection } from '../../../../src/storage/collections/collection';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { eventually } from '../../../support/eventually';
import { collectionOf, openStorage, type Pet } from '../../../support/open-storage';
import { describeOnPostgres, usePrivatePostgres } from '../../../support/private-postgres';
import { readPages } from '../../../support/read-serialized';

describeOnPostgres('lists and counts from a standby', () => {
  const primary = usePrivatePostgres();
  const standby = usePrivatePostgres(primary);
  const promoted = usePrivatePostgres(primary);
  const left = usePrivatePostgres(primary);
  const failures: unknown[] = [];
  let db: Database;
  let storage: Awaited<ReturnType<typeof openStorage>>;
  let pets: Collection<Pet>;

  beforeAll(async () => {
    db = await openDatabase(primary().url(), {
      standby: { url: standby().url(), onFailure: (error) => failures.push(error) },
    });
    storage = await openStorage(db, 'shop');
    pets = collectionOf(storage, 'pets');
  });
  afterAll(() => closeDatabase(db));

  const add = (name: string) => pets.insert({ name, photoUrls: [], status: 'sold' });
  const namesOf = async (pages: ReturnType<typeof pets.list>): Promise<string[]> =>
    (await readPages(pages)).map(({ name }) => name);
  /** All the ways of asking. */
  const ask = async () => ({
    listed: await namesOf(pets.list()),
    found: await namesOf(pets.find('status', ['sold'])),
    either: await namesOf(pets.find('status', ['sold', 'pending'])),
    counted: await pets.count('status'),
  });
  const all = (...names: readonly string[]) => ({
    ...{ listed: names, found: names, either: names },
    counted: { sold: names.length },
  });

  /** The port of the server that a statement runs on. */
  const portOf = async (run: Database['all']): Promise<string> => {
    const port = db.prepare<Record<string, never>, { port: number }>(
      db.knex.select(db.knex.raw('inet_server_port() as port')),
    );
    const [row] = await run(port, {});
    return String(row?.port);
  };
  const portIn = (url: string): string => new URL(url).port;
  /** Resolves when a list comes from the standby: the server writes to its log by itself, too, so that it may be behind for a moment. */
  const comesFromStandby = (begin: () => Database['all']) =>
    eventually('the list comes from the standby', async () =>
      (await portOf(begin())) === portIn(standby().url()) ? true : undefined,
    );
  const caughtUp = () => comesFromStandby(db.beginList);

  test('come from it, outside of transactions', async () => {
    await add('Rex');
    await caughtUp();
    expect(await ask()).toEqual(all('Rex'));
    expect(await portOf(db.all)).toBe(portIn(primary().url()));
    await add('Tom');
    const undone = storage.transaction(async ({ pets: own }) => {
      await own?.update(1n, (old) => ({ ...old, name: 'Max' }));
      expect(await namesOf(own?.list() as ReturnType<typeof pets.list>)).toEqual(['Max', 'Tom']);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });

  test('have a change right after it, also while the standby replays nothing', async () => {
    await caughtUp();
    await standby().query('select pg_wal_replay_pause()');
    await eventually('it is paused', async () => {
      const [row] = await standby().query('select pg_get_wal_replay_pause_state() as state');
      return JSON.stringify(row).includes('"paused"') ? true : undefined;
    });
    await add('Kim');
    expect(await ask()).toEqual(all('Rex', 'Tom', 'Kim'));
    expect(await portOf(db.beginList())).toBe(portIn(primary().url()));
    await standby().query('select pg_wal_replay_resume()');
    await caughtUp();
    expect(await ask()).toEqual(all('Rex', 'Tom', 'Kim'));
    expect(failures).toEqual([]);
  });

  test('are begun once: of a list that goes on, later changes need not be there', async () => {
    await caughtUp();
    const list = db.beginList();
    await comesFromStandby(() => list);
    await standby().query('select pg_wal_replay_pause()');
    await add('Ann');
    expect(await portOf(list)).toBe(portIn(standby().url()));
    await standby().query('select pg_wal_replay_resume()');
  });

  test('come from the primary when the standby has stopped, which is said once', async () => {
    await standby().stop();
    expect(await ask()).toEqual(all('Rex', 'Tom', 'Kim', 'Ann'));
    expect(failures).toHaveLength(1);
  });

  test('come from the primary when the host is no standby', async () => {
    const refused: unknown[] = [];
    const url = primary().url();
    const other = await openDatabase(url, {
      standby: { url, onFailure: (error) => refused.push(error) },
    });
    expect(await portOf(other.beginList())).toBe(portIn(url));
    expect(refused).toEqual([
      expect.objectContaining({ message: expect.stringContaining('no standby') }),
    ]);
    await closeDatabase(other);
  });

  test('are refused at the start where the URL cannot be meant, without its password', async () => {
    const url = 'postgres://reader:secret@127.0.0.1:1/postgres?sslmode=prefer';
    await expect(openDatabase(primary().url(), { standby: { url } })).rejects.toThrow(
      /^The database "postgres:[^"]+" cannot be opened: in the URL of the standby, sslmode must be [^:]+\.$/,
    );
  });

  test('never come from a standby of another history, however far it is', async () => {
    await promoted().query('select pg_promote()');
    const other = await openDatabase(promoted().url(), { standby: { url: left().url() } });
    const petsThere = collectionOf<Pet>(await openStorage(other, 'shop'), 'pets');
    await petsThere.insert({ name: 'Zoe', photoUrls: [], status: 'sold' });
    // What the host that was left gets now, the new primary never has.
    await primary().query('create table padding as select generate_series(1, 100000) as number');
    await eventually('it is further', async () => {
      const [row] = await left().query(`select count(*)::int as count from pg_class
        where relname = 'padding'`);
      return JSON.stringify(row) === '{"count":1}' ? true : undefined;
    });
    expect(await portOf(other.beginList())).toBe(portIn(promoted().url()));
    expect(await namesOf(petsThere.list())).toContain('Zoe');
    await closeDatabase(other);
  });
});
