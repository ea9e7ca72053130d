import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { petHandlers } from '../../../../handlers/petstore/pet';
import type { Pet } from '../../../../handlers/petstore/types';
import { openStorage, type ServiceStorage } from '../../../../src/server/storage/storage';
import { readKept } from '../../../support/kept-values';
import { standInCodec } from '../../../support/stand-in-codec';
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../server/storage/temporary-database';
import { handlerRequest } from '../handler-request';
import { plainReply } from '../plain-reply';

const REX: Pet = { id: 1n, name: 'Rex', photoUrls: [], status: 'sold', tags: [{ name: 'a' }] };
const UNKNOWN = { petId: 404n };

let temporary: TemporaryDatabase;
let services = 0;
let storage: ServiceStorage;
let handlers: ReturnType<typeof petHandlers>;

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
});

beforeEach(async () => {
  services += 1;
  storage = openStorage(temporary.db, () => standInCodec).forService(`petstore ${services}`);
  handlers = petHandlers({
    ...storage,
    fileUrl: (id) => `http://host/files/${id}`,
    detectMediaType: (bytes) => `detected/${bytes[0]}`,
  });
  await storage.pets.add(REX);
});

afterAll(() => temporary.remove());

describe('addPet', () => {
  test('keeps a given id', async () => {
    const body = { ...REX, id: 9223372036854775807n };
    expect(await plainReply(handlers.addPet(handlerRequest({ body })))).toEqual({
      status: 200,
      body,
    });
  });

  test('assigns a missing id', async () => {
    const body: Pet = { name: 'Max', photoUrls: [] };
    const reply = await plainReply(handlers.addPet(handlerRequest({ body })));
    expect(reply).toEqual({ status: 200, body: { ...body, id: 2n } });
  });

  test('fails with 405 where the id is in use, and overwrites nothing', async () => {
    const body: Pet = { id: 1n, name: 'Max', photoUrls: [] };
    await expect(handlers.addPet(handlerRequest({ body }))).rejects.toThrow('declared 405');
    expect(await readKept(storage.pets.find(1n))).toEqual(REX);
  });
});

describe('updatePet', () => {
  test('replaces the whole pet', async () => {
    const body = { id: 1n, name: 'Max', photoUrls: ['u'] };
    expect(await plainReply(handlers.updatePet(handlerRequest({ body })))).toEqual({
      status: 200,
      body,
    });
    expect(await readKept(storage.pets.find(1n))).toEqual(body);
  });

  test('fails with 404 where there is no such pet', async () => {
    const body = { id: 404n, name: 'Max', photoUrls: [] };
    await expect(handlers.updatePet(handlerRequest({ body }))).rejects.toThrow('declared 404');
  });
});

describe('finding', () => {
  test.each([
    [['sold' as const], [REX]],
    [['available' as const], []],
    [['available' as const, 'sold' as const], [REX]],
  ])('by the statuses %j', async (status, body) => {
    const reply = await plainReply(
      handlers.findPetsByStatus(handlerRequest({ query: { status } })),
    );
    expect(reply).toEqual({ status: 200, body });
  });

  test.each([
    [undefined, []],
    [[], []],
    [['a', 'b'], [REX]],
    [['b'], []],
  ])('by the tags %j', async (tags, body) => {
    const reply = await plainReply(handlers.findPetsByTags(handlerRequest({ query: { tags } })));
    expect(reply).toEqual({ status: 200, body });
  });

  test('by id', async () => {
    const reply = await plainReply(handlers.getPetById(handlerRequest({ path: { petId: 1n } })));
    expect(reply).toEqual({ status: 200, body: REX });
  });

  test('by an unknown id fails with 404', async () => {
    const request = handlerRequest({ path: UNKNOWN });
    await expect(handlers.getPetById(request)).rejects.toThrow('declared 404');
  });
});

describe('updatePetWithForm', () => {
  test.each([
    [{ name: 'Max' }, { ...REX, name: 'Max' }],
    [{ status: 'pending' as const }, { ...REX, status: 'pending' }],
    [{ name: undefined, status: undefined }, REX],
  ])('changes %j alone', async (query, body) => {
    const request = handlerRequest({ path: { petId: 1n }, query });
    expect(await plainReply(handlers.updatePetWithForm(request))).toEqual({ status: 200, body });
  });

  test('fails with 405 where there is no such pet', async () => {
    const request = handlerRequest({ path: UNKNOWN, query: { name: 'Max' } });
    await expect(handlers.updatePetWithForm(request)).rejects.toThrow('declared 405');
  });
});

describe('deletePet', () => {
  test('answers without content, and with 400 from then on', async () => {
    const request = handlerRequest({ path: { petId: 1n } });
    expect(await plainReply(handlers.deletePet(request))).toEqual({ status: 200 });
    await expect(handlers.deletePet(request)).rejects.toThrow('declared 400');
  });
});

describe('uploadFile', () => {
  test.each([
    ['with metadata', { additionalMetadata: 'from the left' }, 'from the left, 3 bytes'],
    ['with empty metadata', { additionalMetadata: '' }, '3 bytes'],
    ['without metadata', {}, '3 bytes'],
  ])('%s keeps the bytes and says what they are', async (_, query, message) => {
    const body = Uint8Array.of(7, 0, 255);
    const reply = await plainReply(
      handlers.uploadFile(handlerRequest({ path: { petId: 1n }, query, body })),
    );
    expect(reply).toEqual({ status: 200, body: { code: 200, type: 'detected/7', message } });
    const [url = ''] = (await readKept(storage.pets.find(1n)))?.photoUrls ?? [];
    const file = await storage.files.find(url.slice('http://host/files/'.length));
    expect(file?.mediaType).toBe('detected/7');
    expect([...(file?.bytes ?? [])]).toEqual([7, 0, 255]);
  });

  test('fails with 404 where there is no such pet', async () => {
    const request = handlerRequest({ path: UNKNOWN, body: Uint8Array.of(1) });
    await expect(handlers.uploadFile(request)).rejects.toThrow('declared 404');
  });
});
