/** Transactions of several processes in each other's way: deadlocks, and conflicts that PostgreSQL finds at SERIALIZABLE. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/server/storage/database/database';
import { param } from '../../../../src/server/storage/sql/statement';
import { openStorage, type ServiceStorage } from '../../../../src/server/storage/storage';
import { readKept, readPages } from '../../../support/kept-values';
import { useNewDatabases } from '../../../support/new-database';
import { standInCodec } from '../../../support/stand-in-codec';

const newUrl = useNewDatabases();

/** Opens a database as so many processes would. */
const useProcesses = (count: number, settings = ''): (() => Database[]) => {
  let databases: Database[] = [];
  beforeAll(async () => {
    const url = `${await newUrl()}${settings}`;
    databases = await Promise.all(Array.from({ length: count }, () => openDatabase(url)));
  });
  afterAll(() => Promise.all(databases.map(closeDatabase)));
  return () => databases;
};

/** Resolves for everybody when so many have come; those who come later do not wait. */
const meeting = (wanted: number): (() => Promise<void>) => {
  let come = 0;
  let open = (): void => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    come += 1;
    if (come >= wanted) open();
    return all;
  };
};

describe('a deadlock', () => {
  const databases = useProcesses(2);

  test('between two is resolved, and both are done', async () => {
    const [one, other] = databases() as [Database, Database];
    await one.knex('id_counters').insert(['a', 'b'].map((name) => ({ name, next: '0' })));
    const bothHaveOne = meeting(2);
    const attempts = { one: 0, other: 0 };
    const increment = (db: Database, who: 'one' | 'other', names: readonly string[]) => {
      const add = db.prepare<{ name: string }, never>(
        db
          .knex('id_counters')
          .where({ name: param('name') })
          .update({ next: db.knex.raw('next + 1') }),
      );
      return db.transaction(async (trx) => {
        attempts[who] += 1;
        for (const name of names) {
          await trx.run(add, { name });
          await bothHaveOne();
        }
        return who;
      });
    };
    const done = await Promise.all([
      increment(one, 'one', ['a', 'b']),
      increment(other, 'other', ['b', 'a']),
    ]);
    expect(done).toEqual(['one', 'other']);
    expect(attempts.one + attempts.other).toBeGreaterThan(2);
    const counted = await one.knex('id_counters').whereIn('name', ['a', 'b']).pluck('next');
    expect(counted).toEqual(['2', '2']);
  });
});

describe.each([
  ['read committed', ''],
  ['repeatable read', '%20-c%20default_transaction_isolation=repeatable%5C%20read'],
  ['serializable', '%20-c%20default_transaction_isolation=serializable'],
])('four processes at once, at %s', (isolation, settings) => {
  const databases = useProcesses(4, settings);
  let stores: ServiceStorage[] = [];

  beforeAll(() => {
    stores = databases().map((db) => openStorage(db, () => standInCodec).forService('busy'));
  });

  const any = (at: number): ServiceStorage => stores[at % stores.length] as ServiceStorage;
  const times = <Result>(count: number, act: (at: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, at) => act(at)));

  test('work at that level', async () => {
    for (const db of databases()) {
      const { rows } = await db.knex.raw('show default_transaction_isolation');
      expect(rows).toEqual([{ default_transaction_isolation: isolation }]);
    }
  });

  test('give every new resource an id of its own', async () => {
    const orders = await times(80, (at) => any(at).orders.add({ quantity: at }));
    const ids = await Promise.all(orders.map(async (order) => (await readKept(order))?.id));
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(80);
  });

  test('lose no change, and count what there is', async () => {
    const { pets } = any(0);
    await pets.add({ id: 1n, name: 'Rex', photoUrls: [], status: 'available' });
    const photo = { mediaType: 'image/png', bytes: new Uint8Array([1]) };
    await times(40, (at) => any(at).pets.addPhoto(1n, photo, (fileId) => `/${fileId}`));
    await times(40, (at) =>
      any(at).pets.add({
        name: 'Rex',
        photoUrls: [],
        status: 'pending',
        tags: [{ name: `t${at % 5}` }],
      }),
    );
    await times(20, async (at) => {
      const [pet] = await readPages(any(at).pets.byTags([`t${at % 5}`]));
      await any(at).pets.patch(pet?.id ?? 0n, { status: 'sold' });
    });
    await times(10, (at) => any(at).pets.remove(1n + BigInt(at)));

    const counted = await any(1).pets.countByStatus();
    for (const status of ['available', 'pending', 'sold'] as const) {
      const listed = await readPages(any(2).pets.byStatuses([status]));
      expect([status, counted[status] ?? 0]).toEqual([status, listed.length]);
    }
    expect(await any(3).pets.find(1n)).toBeUndefined();
  });

  test('keep every photo', async () => {
    await any(0).pets.add({ id: 1000n, name: 'Rex', photoUrls: [] });
    const photo = { mediaType: 'image/png', bytes: new Uint8Array([1]) };
    await times(40, (at) => any(at).pets.addPhoto(1000n, photo, () => `/${at}`));
    const pet = await readKept(any(1).pets.find(1000n));
    expect(pet?.photoUrls.map((url) => Number(url.slice(1))).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, at) => at),
    );
  });
});
