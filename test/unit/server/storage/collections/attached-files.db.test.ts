import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Pet } from '../../../../../handlers/petstore/types';
import type { Collection } from '../../../../../src/server/storage/collections/collection';
import type { ServiceStorage } from '../../../../../src/server/storage/storage';
import { collectionOf, fileUrl, openStorage } from '../../../../support/open-storage';
import { readPages, readSerialized } from '../../../../support/read-serialized';
import { useTemporaryDatabase } from '../temporary-database';

const LAST = 9223372036854775807n;

const temporary = useTemporaryDatabase();
let storage: ServiceStorage;
let pets: Collection<Pet>;
let services = 0;

const pet = (more: Partial<Pet> = {}): Pet => ({ name: 'Rex', photoUrls: [], ...more });

const serviceName = () => `service ${services}`;

beforeEach(async () => {
  services += 1;
  storage = await openStorage(temporary.db, serviceName());
  pets = collectionOf(storage, 'pets');
});

describe('attached files', () => {
  const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, at) => at);
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

  /** Attaches a file and puts its URL into the item; gives its id. */
  const attach = async (id: bigint, bytes: Uint8Array): Promise<string> => {
    const attached = await pets.attach(id, bytes, (item, url) => ({
      ...item,
      photoUrls: [...item.photoUrls, url],
    }));
    return attached?.url.slice(fileUrl('').length) ?? '';
  };

  const filesKept = () =>
    temporary.db.knex('item_files').where({ service: serviceName() }).select('id');

  test.each([
    ['every byte', EVERY_BYTE],
    ['a window of a larger buffer', EVERY_BYTE.subarray(3, 17)],
    ['no byte', new Uint8Array()],
    ['a megabyte', new Uint8Array(1 << 20).fill(0xff)],
  ])('come back byte for byte: %s', async (_, bytes) => {
    await pets.insert(pet({ id: LAST, photoUrls: ['first'] }));
    const fileId = await attach(LAST, bytes);
    const found = await storage.findFile(fileId);
    expect(Buffer.compare(found?.bytes ?? Buffer.from('none'), bytes)).toBe(0);
    expect((await readSerialized(pets.get(LAST)))?.photoUrls).toEqual(['first', fileUrl(fileId)]);
  });

  test.each([
    ['image/png', png],
    ['application/octet-stream', EVERY_BYTE],
    ['application/octet-stream', new Uint8Array()],
  ])('are of the media type that their bytes give away: %s', async (mediaType, bytes) => {
    await pets.insert(pet({ id: 1n }));
    const attached = await pets.attach(1n, bytes, (item) => item);
    expect(attached?.mediaType).toBe(mediaType);
    const found = await storage.findFile(attached?.url.slice(fileUrl('').length) ?? '');
    expect(found?.mediaType).toBe(mediaType);
  });

  test('are all kept when they arrive together, under ids of their own', async () => {
    await pets.insert(pet({ id: 1n }));
    const fileIds = await Promise.all(
      Array.from({ length: 20 }, (_, at) => attach(1n, Uint8Array.of(at))),
    );
    expect(new Set(fileIds).size).toBe(20);
    const urls = (await readSerialized(pets.get(1n)))?.photoUrls;
    expect(urls?.toSorted()).toEqual(fileIds.map(fileUrl).toSorted());
  });

  test('go with their item, and belong to its service alone', async () => {
    await pets.insert(pet({ id: 1n, tags: [{ name: 'a' }] }));
    const fileId = await attach(1n, EVERY_BYTE);
    const other = await openStorage(temporary.db, `another than ${serviceName()}`);
    expect(await other.findFile(fileId)).toBeUndefined();
    expect(await pets.delete(1n)).toBe(true);
    expect(await storage.findFile(fileId)).toBeUndefined();
    await pets.insert(pet({ id: 1n }));
    expect(await readPages(pets.find('tags.name', ['a']))).toEqual([]);
  });

  test('stay where an item of the same id goes from another collection', async () => {
    await pets.insert(pet({ id: 1n }));
    const fileId = await attach(1n, EVERY_BYTE);
    const orders = collectionOf(storage, 'orders');
    await orders.insert({ id: 1n });
    await orders.delete(1n);
    expect(await storage.findFile(fileId)).toBeDefined();
  });

  test('of an unknown item are not kept', async () => {
    expect(await attach(1n, EVERY_BYTE)).toBe('');
    expect(await filesKept()).toEqual([]);
  });

  test('are not kept where the item cannot be changed', async () => {
    await pets.insert(pet({ id: 1n }));
    const failing = pets.attach(1n, EVERY_BYTE, () => {
      throw new Error('no change');
    });
    await expect(failing).rejects.toThrow('no change');
    expect(await filesKept()).toEqual([]);
    expect((await readSerialized(pets.get(1n)))?.photoUrls).toEqual([]);
  });

  test.each(['', 'no id', '\u0000', `${'0'.repeat(36)}\u0000`])(
    'are not found by what is no id: %j',
    async (id) => {
      expect(await storage.findFile(id)).toBeUndefined();
    },
  );
});
