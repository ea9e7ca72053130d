import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../../src/server/storage/database/database';
import { seedResources } from '../../../../../src/server/storage/demo/demo-data';
import { openStorage } from '../../../../../src/server/storage/storage';
import { countRows } from '../../../../support/count-rows';
import { readKept, readPages } from '../../../../support/kept-values';
import { standInCodec } from '../../../../support/stand-in-codec';
import { emptyTables } from '../../../../support/tables';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

let temporary: TemporaryDatabase;

const storageOver = (db: Database) => openStorage(db, () => standInCodec);
const seed = (db: Database) => seedResources(db, storageOver(db));
const counts = async () =>
  Promise.all(['pets', 'orders'].map((table) => countRows(temporary.db, table)));

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
});

afterEach(() => emptyTables(temporary.db));

afterAll(() => temporary.remove());

describe('demo data', () => {
  test('are pets and orders 1 to 10 of every status, and ids go on at 11', async () => {
    expect(await seed(temporary.db)).toBe(true);
    const { pets, orders } = storageOver(temporary.db).forService('petstore');
    const all = await readPages(pets.byStatuses(['available', 'pending', 'sold']));
    const ids = Array.from({ length: 10 }, (_, at) => BigInt(at + 1));
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(new Set(all.map(({ status }) => status)).size).toBe(3);
    const placed = await Promise.all(ids.map((id) => readKept(orders.find(id))));
    expect(new Set(placed.map((order) => order?.status)).size).toBe(3);
    for (const order of placed) expect(await pets.find(order?.petId ?? 0n)).toBeDefined();
    expect((await readKept(pets.add({ name: 'n', photoUrls: [] })))?.id).toBe(11n);
    expect((await readKept(orders.add({})))?.id).toBe(11n);
  });

  test('are added once', async () => {
    expect(await seed(temporary.db)).toBe(true);
    expect(await seed(temporary.db)).toBe(false);
    expect(await counts()).toEqual([10, 10]);
  });

  test('are added once by two that start together', async () => {
    const other = await openDatabase(temporary.url);
    const seeded = await Promise.all([seed(temporary.db), seed(other)]);
    await closeDatabase(other);
    expect(seeded.toSorted()).toEqual([false, true]);
    expect(await counts()).toEqual([10, 10]);
  });

  test('do not come back after everything was removed', async () => {
    await seed(temporary.db);
    await temporary.db.knex('pets').delete();
    await temporary.db.knex('orders').delete();
    await temporary.reopen();
    expect(await seed(temporary.db)).toBe(false);
    expect(await counts()).toEqual([0, 0]);
  });

  test.each(['pets', 'orders'])('are not added where there are %s', async (table) => {
    const row = { service: 'petstore', id: '77', document: '{}' };
    await temporary.db.knex(table).insert(row);
    expect(await seed(temporary.db)).toBe(false);
    expect((await counts()).toSorted()).toEqual([0, 1]);
  });

  test('are all added, or none', async () => {
    const storage = openStorage(temporary.db, (_, schema) => {
      if (schema === 'Order') throw new Error('no such schema');
      return standInCodec;
    });
    await expect(seedResources(temporary.db, storage)).rejects.toThrow('no such schema');
    expect(await counts()).toEqual([0, 0]);
    expect(await seed(temporary.db)).toBe(true);
  });
});
