/** Transactions of several processes in each other's way: deadlocks, and conflicts that PostgreSQL finds at SERIALIZABLE. */

import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeDatabase, type Database, openDatabase } from '../../../src/storage/database/database';
import { param } from '../../../src/storage/sql/statement';
import type { ServiceStorage } from '../../../src/storage/storage';
import { useNewDatabases } from '../../support/new-database';
import { collectionOf, fileSettings, openStorage, type Pet } from '../../support/open-storage';
import { readPages, readSerialized } from '../../support/read-serialized';
import { isPooled } from '../../support/run/postgres-server';

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

/** A pooler passes no options on. */
const others: [string, string][] = [
  ['repeatable read', '%20-c%20default_transaction_isolation=repeatable%5C%20read'],
  ['serializable', '%20-c%20default_transaction_isolation=serializable'],
];

describe.each([['read committed', ''], ...(isPooled ? [] : others)])(
  'four processes at once, at %s',
  (isolation, settings) => {
    const databases = useProcesses(4, settings);
    let stores: ServiceStorage[] = [];

    beforeAll(async () => {
      stores = await Promise.all(databases().map((db) => openStorage(db, 'busy')));
    });

    const any = (at: number): ServiceStorage => stores[at % stores.length] as ServiceStorage;
    const pets = (at: number) => collectionOf<Pet>(any(at), 'pets');
    const times = <Result>(count: number, act: (at: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_, at) => act(at)));

    test('work at that level', async () => {
      for (const db of databases()) {
        const { rows } = await db.knex.raw('show default_transaction_isolation');
        expect(rows).toEqual([{ default_transaction_isolation: isolation }]);
      }
    });

    test('give every new resource an id of its own', async () => {
      const orders = await times(80, (at) =>
        collectionOf(any(at), 'orders').insert({ quantity: at }),
      );
      const ids = await Promise.all(
        orders.map(async (order) => Reflect.get(order?.read() ?? {}, 'id')),
      );
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(80);
    });

    test('lose no change, and count what there is', async () => {
      await pets(0).insert({ id: 1n, name: 'Rex', photoUrls: [], status: 'available' });
      const photo = new Uint8Array([1]);
      await times(40, (at) =>
        pets(at).attach(1n, photo, (pet) => ({ ...pet, photoUrls: [...pet.photoUrls, `/${at}`] })),
      );
      const shown = (await readSerialized(pets(1).get(1n)))?.photoUrls;
      expect(shown?.toSorted()).toEqual(Array.from({ length: 40 }, (_, at) => `/${at}`).sort());
      await times(40, (at) =>
        pets(at).insert({
          name: 'Rex',
          photoUrls: [],
          status: 'pending',
          tags: [{ name: `t${at % 5}` }],
        }),
      );
      await times(20, async (at) => {
        const [pet] = await readPages(pets(at).find('tags.name', [`t${at % 5}`]));
        await pets(at).update(pet?.id ?? 0n, (found) => ({ ...found, status: 'sold' }));
      });
      await times(10, (at) => pets(at).delete(1n + BigInt(at)));

      const counted = await pets(1).count('status');
      for (const status of ['available', 'pending', 'sold'] as const) {
        const listed = await readPages(pets(2).find('status', [status]));
        expect([status, counted[status] ?? 0]).toEqual([status, listed.length]);
      }
      expect(await pets(3).get(1n)).toBeUndefined();
    });

    test('decide in transactions by what they read', async () => {
      const addOnce = (at: number, name: string) =>
        any(at).transaction(async (stored) => {
          const found = stored['pets']?.find('tags.name', [name]);
          if (found === undefined || (await readPages(found)).length > 0) return false;
          await stored['pets']?.insert({ name, photoUrls: [], tags: [{ name }] });
          return true;
        });
      for (const name of ['Ida', 'Max', 'Zoe']) {
        const added = await times(8, (at) => addOnce(at, name));
        expect(added.filter(Boolean)).toEqual([true]);
      }
    });

    test('find and count an item that a transaction inserts while its index is filled', async () => {
      const [db, other] = databases() as [Database, Database];
      const service = 'filling';
      const former = await openStorage(db, service, { things: { schema: 'Thing' } });
      await former.transaction(async ({ things }) => {
        for (let id = 1n; id <= 450n; id += 1n) await things?.insert({ id, kind: 'old' });
      });
      const declared = { things: { schema: 'Thing', lookups: ['kind'], counts: ['kind'] } };
      const reloading = former.transaction(async ({ things }) => {
        await things?.insert({ id: 500n, kind: 'new' });
        // Waits for the rows that this transaction has locked.
        const next = openStorage(db, service, declared, {}, fileSettings, { isReload: true });
        await setTimeout(200);
        return { next };
      });
      const { next } = await reloading;
      for (const storage of [await next, await openStorage(other, service, declared)]) {
        const things = collectionOf<object>(storage, 'things');
        expect(await readPages(things.find('kind', ['new']))).toEqual([{ id: 500n, kind: 'new' }]);
        expect(await things.count('kind')).toEqual({ old: 450, new: 1 });
      }
    });
  },
);
