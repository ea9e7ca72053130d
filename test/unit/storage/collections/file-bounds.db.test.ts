/** The bounds of the files of one item, and of one user; test/end-to-end/upload-bounds.test.ts has the answers. */

import { beforeEach, expect, test } from '@jest/globals';
import { QuotaExceeded } from '../../../../src/storage/collections/attached-files';
import type { Collection } from '../../../../src/storage/collections/collection';
import type { openServiceStorage, ServiceStorage } from '../../../../src/storage/storage';
import {
  collectionOf,
  fileSettings,
  openStorage,
  type Pet,
  storeDeclarations,
} from '../../../support/open-storage';
import { readSerialized } from '../../../support/read-serialized';
import { emptyTables } from '../../../support/tables';
import { useTemporaryDatabase } from '../temporary-database';

const kib = 1024;
const temporary = useTemporaryDatabase();
let storage: ServiceStorage;
let pets: Collection<Pet>;

/** A service whose items may have 20 KiB of files, and whose users 40 KiB. */
const open = (service: string, db = temporary.db): ReturnType<typeof openServiceStorage> => {
  const files = { ...fileSettings, maxItemBytes: 20 * kib, maxOwnerBytes: 40 * kib };
  return openStorage(db, service, storeDeclarations, {}, files);
};

beforeEach(async () => {
  await emptyTables(temporary.db);
  storage = await open('store');
  pets = collectionOf(storage, 'pets');
  for (const id of [1n, 2n, 3n]) await pets.insert({ id, name: 'Rex', photoUrls: [] });
});

/** Attaches a file of so many bytes: whether it was stored. Only the refusal for its size is taken for a no. */
const attach = async (
  id: bigint,
  size: number,
  owner?: string,
  to: Collection<Pet> = pets,
): Promise<boolean> => {
  const addPhoto = (pet: Pet, url: string): Pet => ({ ...pet, photoUrls: [...pet.photoUrls, url] });
  try {
    return (await to.attach(id, new Uint8Array(size), addPhoto, owner)) !== undefined;
  } catch (error) {
    if (error instanceof QuotaExceeded) return false;
    throw error;
  }
};

const attachAll = async (sizes: readonly number[], owner?: string): Promise<boolean[]> => {
  const stored: boolean[] = [];
  for (const size of sizes) stored.push(await attach(1n, size, owner));
  return stored;
};

const photosOf = async (id: bigint) => (await readSerialized(pets.get(id)))?.photoUrls ?? [];
const countFiles = async () => (await temporary.db.knex('item_files').select('id')).length;

test.each<[string, readonly number[], readonly boolean[]]>([
  ['up to the bound', [10 * kib, 10 * kib, 1], [true, true, false]],
  ['not a byte more', [10 * kib, 10 * kib + 1, 10 * kib], [true, false, true]],
  ['not even as the first', [20 * kib + 1, 20 * kib], [false, true]],
  ['small ones, each as 4 KiB', [1, 0, 4095, 4096, 5, 1], [true, true, true, true, true, false]],
])('an item has files %s', async (_, sizes, stored) => {
  expect(await attachAll(sizes)).toEqual(stored);
  const kept = stored.filter(Boolean).length;
  expect([(await photosOf(1n)).length, await countFiles()]).toEqual([kept, kept]);
  expect(await attach(2n, 20 * kib)).toBe(true);
});

test('files that arrive together go no further than the bound', async () => {
  const stored = await Promise.all(Array.from({ length: 12 }, () => attach(1n, 1)));
  expect(stored.filter(Boolean)).toHaveLength(5);
  expect([(await photosOf(1n)).length, await countFiles()]).toEqual([5, 5]);
});

test('files that arrive in two processes go no further than the bound', async () => {
  const others = collectionOf<Pet>(await open('store', await temporary.openAnother()), 'pets');
  const stored = await Promise.all(
    Array.from({ length: 12 }, (_, at) => attach(1n, 1, undefined, at % 2 === 0 ? pets : others)),
  );
  expect(stored.filter(Boolean)).toHaveLength(5);
  expect([(await photosOf(1n)).length, await countFiles()]).toEqual([5, 5]);
});

test('files of one transaction see each other', async () => {
  const stored = await storage.transaction(async (collections) => {
    const inside = collectionOf<Pet>({ collections }, 'pets');
    return [
      await attach(1n, 12 * kib, undefined, inside),
      await attach(1n, 12 * kib, undefined, inside),
      await attach(1n, 8 * kib, undefined, inside),
    ];
  });
  expect(stored).toEqual([true, false, true]);
  expect([(await photosOf(1n)).length, await countFiles()]).toEqual([2, 2]);
});

test.each([
  ['a user', 'user:ann'],
  ['a user of a long name', `issuer:${'x'.repeat(5000)}`],
])('%s has files up to the bound on whichever items, and others theirs', async (_, owner) => {
  expect(await attach(1n, 20 * kib, owner)).toBe(true);
  expect(await attach(2n, 16 * kib, owner)).toBe(true);
  expect(await attach(3n, 4 * kib + 1, owner)).toBe(false);
  expect([await photosOf(3n), await countFiles()]).toEqual([[], 2]);
  expect(await attach(3n, 1, owner)).toBe(true);
  expect(await attach(3n, 1, owner)).toBe(false);
  expect(await attach(3n, 1, `${owner}!`)).toBe(true);
  expect(await attach(3n, 1)).toBe(true);
  await pets.delete(2n);
  expect(await attach(3n, 8 * kib, owner)).toBe(true);
});

test('a user has as much in each service', async () => {
  const other = collectionOf<Pet>(await open('another'), 'pets');
  for (const id of [1n, 2n]) {
    await other.insert({ id, name: 'Max', photoUrls: [] });
    expect(await attach(id, 20 * kib, 'user:ann', other)).toBe(true);
  }
  expect(await attach(1n, 20 * kib, 'user:ann')).toBe(true);
});
