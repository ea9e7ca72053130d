/** Files and their items; test/end-to-end/uploads.db.test.ts has how they come and how they are served. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from '../../../../src/storage/collections/collection';
import type { ServiceStorage } from '../../../../src/storage/storage';
import { collectionOf, fileUrl, openStorage, type Pet } from '../../../support/open-storage';
import { readSerialized } from '../../../support/read-serialized';
import { emptyTables } from '../../../support/tables';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();
let storage: ServiceStorage;
let pets: Collection<Pet>;

beforeEach(async () => {
  await emptyTables(temporary.db);
  storage = await openStorage(temporary.db, 'store');
  pets = collectionOf(storage, 'pets');
  await pets.insert({ id: 1n, name: 'Rex', photoUrls: [] });
});

describe('attached files', () => {
  const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, at) => at);

  /** Attaches a file and puts its URL into the item; gives its id. */
  const attach = async (id: bigint, bytes = EVERY_BYTE): Promise<string> => {
    const attached = await pets.attach(id, bytes, (item, url) => ({
      ...item,
      photoUrls: [...item.photoUrls, url],
    }));
    return attached?.url.slice(fileUrl('').length) ?? '';
  };

  const photoUrls = async () => (await readSerialized(pets.get(1n)))?.photoUrls;
  const filesKept = () => temporary.db.knex('item_files').select('id');

  test.each([
    ['a window of a larger buffer', EVERY_BYTE.subarray(3, 17)],
    ['no byte', new Uint8Array()],
    ['a megabyte', new Uint8Array(1 << 20).fill(0xff)],
  ])('come back byte for byte: %s', async (_, bytes) => {
    const found = await storage.findFile(await attach(1n, bytes));
    const read = await found?.read(0, bytes.length);
    expect(Buffer.compare(read ?? Buffer.from('none'), bytes)).toBe(0);
    expect(found).toMatchObject({
      ...{ mediaType: 'application/octet-stream', length: bytes.length, collection: 'pets' },
    });
  });

  test('are read in parts, until they are deleted', async () => {
    const found = await storage.findFile(await attach(1n));
    expect([...((await found?.read(200, 3)) ?? [])]).toEqual([200, 201, 202]);
    await pets.delete(1n);
    expect(await found?.read(0, 1)).toBeUndefined();
  });

  test('are all kept when they arrive together, under ids of their own', async () => {
    const fileIds = await Promise.all(
      Array.from({ length: 20 }, (_, at) => attach(1n, Uint8Array.of(at))),
    );
    expect(new Set(fileIds).size).toBe(20);
    expect((await photoUrls())?.toSorted()).toEqual(fileIds.map(fileUrl).toSorted());
  });

  test('belong to their service alone, and not to an item of the same id elsewhere', async () => {
    const fileId = await attach(1n);
    const other = await openStorage(temporary.db, 'another');
    expect(await other.findFile(fileId)).toBeUndefined();
    const orders = collectionOf(storage, 'orders');
    await orders.insert({ id: 1n });
    await orders.delete(1n);
    expect(await storage.findFile(fileId)).toBeDefined();
    await pets.delete(1n);
    expect(await filesKept()).toEqual([]);
  });

  test('are not kept where there is no item, or it cannot be changed', async () => {
    expect(await attach(2n)).toBe('');
    const failing = pets.attach(1n, EVERY_BYTE, () => {
      throw new Error('no change');
    });
    await expect(failing).rejects.toThrow('no change');
    expect([await filesKept(), await photoUrls()]).toEqual([[], []]);
  });

  test.each(['', 'no id', '\u0000', `${'0'.repeat(36)}\u0000`])(
    'are not found by what is no id: %j',
    async (id) => {
      expect(await storage.findFile(id)).toBeUndefined();
    },
  );
});
