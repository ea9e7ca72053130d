import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Pet } from '../../../../../handlers/petstore/types';
import type { PetPages } from '../../../../../src/server/storage/collections/pets';
import { openStorage, type ServiceStorage } from '../../../../../src/server/storage/storage';
import { readKept, readPages } from '../../../../support/kept-values';
import { standInCodec } from '../../../../support/stand-in-codec';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

const LAST = 9223372036854775807n;
const FIRST = -9223372036854775808n;

let temporary: TemporaryDatabase;
let service: ServiceStorage;
let services = 0;

const storageOf = (name: string) => openStorage(temporary.db, () => standInCodec).forService(name);

const pet = (more: Partial<Pet> = {}): Pet => ({ name: 'Rex', photoUrls: [], ...more });
const tagged = (...names: (string | undefined)[]): Pet =>
  pet({ tags: names.map((name) => ({ name })) });

beforeAll(async () => {
  temporary = await openTemporaryDatabase();
});

beforeEach(() => {
  service = storageOf(`service ${++services}`);
});

afterAll(() => temporary.remove());

describe('add and find', () => {
  test.each([
    ['the last int64', LAST],
    ['the first int64', FIRST],
    ['2^53 + 1', 9007199254740993n],
    ['zero', 0n],
    ['a negative id', -1n],
  ])('keep %s exactly', async (_, id) => {
    const given = pet({ id, category: { id: LAST, name: 'c' }, tags: [{ id: FIRST, name: 't' }] });
    expect(await readKept(service.pets.add(given))).toEqual(given);
    expect(await readKept(service.pets.find(id))).toEqual(given);
    expect(await readKept(service.pets.find(id === LAST ? id - 1n : id + 1n))).toBeUndefined();
  });

  test('assign an id, and still do when the last one is in use', async () => {
    await service.pets.add(pet({ id: LAST }));
    expect(await readKept(service.pets.add(pet()))).toEqual(pet({ id: 1n }));
    expect(await readKept(service.pets.add(pet({ id: LAST - 1n })))).toEqual(
      pet({ id: LAST - 1n }),
    );
    expect(await readKept(service.pets.add(pet()))).toEqual(pet({ id: 2n }));
  });

  test('keep and find more tags than one statement can carry', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `tag ${index}`);
    await service.pets.add({ ...tagged(...names), id: 1n });
    expect(await readPages(service.pets.byTags(['tag 19999']))).toHaveLength(1);
  });

  test('never overwrite', async () => {
    await service.pets.add(pet({ id: 1n, name: 'first', tags: [{ name: 'one' }] }));
    expect(await readKept(service.pets.add(pet({ id: 1n, name: 'second' })))).toBeUndefined();
    expect((await readKept(service.pets.find(1n)))?.name).toBe('first');
    expect(await readPages(service.pets.byTags(['one']))).toHaveLength(1);
  });

  test('give every one of fifty at once an id of its own', async () => {
    const added = await Promise.all(Array.from({ length: 50 }, () => service.pets.add(pet())));
    const ids = added.map((one) => one?.read().id);
    expect(new Set(ids).size).toBe(50);
    expect(ids).not.toContain(undefined);
  });

  test('let one of fifty that want the same id have it', async () => {
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, at) => service.pets.add(pet({ id: 5n, name: `${at}` }))),
    );
    const winners = added.filter((one) => one !== undefined);
    expect(winners).toHaveLength(1);
    expect(await readKept(service.pets.find(5n))).toEqual(winners[0]?.read());
  });

  test('answer what was stored, without what the schema does not declare', async () => {
    const given = Object.assign(pet({ id: 1n }), { xUndeclared: 'gone' });
    expect(await readKept(service.pets.add(given))).toEqual(pet({ id: 1n }));
  });

  test('keep the pets of services apart', async () => {
    await service.pets.add(pet({ id: 1n, status: 'sold', tags: [{ name: 'a' }] }));
    const other = storageOf('another service');
    expect(await other.pets.find(1n)).toBeUndefined();
    expect(await readPages(other.pets.byStatuses(['sold']))).toEqual([]);
    expect(await readPages(other.pets.byTags(['a']))).toEqual([]);
    expect(await other.pets.countByStatus()).toEqual({});
    expect(await other.pets.remove(1n)).toBe(false);
  });

  test('survive a restart, counters and tombstones included', async () => {
    const name = 'a service that restarts';
    const before = storageOf(name).pets;
    await before.add(pet());
    await before.add(pet({ id: 2n }));
    await before.remove(2n);
    await temporary.reopen();
    const after = storageOf(name).pets;
    expect(await readKept(after.find(1n))).toEqual(pet({ id: 1n }));
    expect(await readKept(after.add(pet()))).toEqual(pet({ id: 3n }));
  });
});

describe('lists', () => {
  const ids = async (pages: PetPages) => (await readPages(pages)).map(({ id }) => id);

  test.each([
    ['one', ['sold'], [FIRST, 2n, 10n]],
    ['several', ['sold', 'available'], [FIRST, 2n, 9n, 10n, LAST]],
    ['none', [], []],
    ['one that no pet has', ['pending'], []],
    ['one named twice', ['sold', 'sold'], [FIRST, 2n, 10n]],
  ] satisfies [string, NonNullable<Pet['status']>[], bigint[]][])(
    'by %s of the statuses are ordered by id',
    async (_, statuses, wanted) => {
      for (const id of [LAST, 9n]) await service.pets.add(pet({ id, status: 'available' }));
      for (const id of [10n, 2n, FIRST]) await service.pets.add(pet({ id, status: 'sold' }));
      await service.pets.add(pet({ id: 3n }));
      expect(await ids(service.pets.byStatuses(statuses))).toEqual(wanted);
    },
  );

  test.each([
    ['one tag', ['a'], [1n, 2n]],
    ['any of two tags, each pet once', ['a', 'b'], [1n, 2n, 3n]],
    ['no tag', [], []],
    ['a tag in another case', ['A'], []],
    ['a tag with a quote', ["' or 1=1"], [4n]],
    ['a pattern, which is plain text', ['%'], []],
    ['a prototype name', ['__proto__'], [5n]],
  ])('by %s are ordered by id', async (_, names, wanted) => {
    const all = [tagged('a', 'b', 'a'), tagged('a'), tagged('b', undefined), tagged("' or 1=1")];
    for (const one of [...all, tagged('__proto__')]) await service.pets.add(one);
    expect(await ids(service.pets.byTags(names))).toEqual(wanted);
  });

  /** Stored before the document, or the writer, was another. */
  const otherFormat = 'another format';
  const longText = 'x'.repeat(5000);

  test.each<[number, string, string, boolean]>([
    ...[1, 127, 128, 129, 640, 1500].map((count): [number, string, string, boolean] => [
      count,
      standInCodec.format,
      'Rex',
      true,
    ]),
    [129, otherFormat, 'Rex', false],
    [640, otherFormat, 'Rex', false],
    [129, standInCodec.format, longText, false],
  ])('of %d pets in the format %s have each once', async (count, format, lastName, joined) => {
    const wanted = Array.from({ length: count }, (_, at) =>
      pet({ id: BigInt(at + 1), name: at === count - 1 ? lastName : 'Rex' }),
    );
    const kept = wanted.map((one) => ({
      ...{ service: `service ${services}`, id: `${one.id}`, status: 'sold' },
      ...{ document: standInCodec.write(one), format },
    }));
    const tags = kept.flatMap(({ service, id }) =>
      ['a', 'b'].map((name) => ({ service, pet_id: id, name })),
    );
    await temporary.db.knex.batchInsert('pets', kept, 100);
    await temporary.db.knex.batchInsert('pet_tags', tags, 100);
    const { pets } = service;
    expect(await readPages(pets.byStatuses(['sold']))).toEqual(wanted);
    expect(await readPages(pets.byStatuses(['pending', 'sold']))).toEqual(wanted);
    expect(await readPages(pets.byTags(['a']))).toEqual(wanted);
    expect(await readPages(pets.byTags(['b', 'c', 'a']))).toEqual(wanted);
    for (const pages of [pets.byStatuses(['sold']), pets.byTags(['b'])]) {
      const kinds = [];
      for await (const page of pages) kinds.push('texts' in page);
      expect(kinds.at(-1)).toBe(joined);
    }
  });

  test('by tags take more tags than one page of a query string holds', async () => {
    await service.pets.add(tagged('t7999'));
    const names = Array.from({ length: 8000 }, (_, at) => `t${at}`);
    expect(await readPages(service.pets.byTags(names))).toHaveLength(1);
  });

  test('of counts name only statuses that some pet has', async () => {
    for (const status of ['sold', 'sold', 'pending', undefined] as const) {
      await service.pets.add(pet({ status }));
    }
    expect(await service.pets.countByStatus()).toEqual({ sold: 2, pending: 1 });
  });
});

describe('changes', () => {
  test('replace the pet and what it is found by', async () => {
    await service.pets.add(pet({ id: LAST, status: 'sold', tags: [{ name: 'old' }] }));
    const next = pet({ id: LAST, name: 'Max', tags: [{ name: 'new' }] });
    expect(await readKept(service.pets.replace(LAST, next))).toEqual(next);
    expect(await readKept(service.pets.find(LAST))).toEqual(next);
    expect(await readPages(service.pets.byStatuses(['sold']))).toEqual([]);
    expect(await readPages(service.pets.byTags(['old']))).toEqual([]);
    expect(await readPages(service.pets.byTags(['new']))).toEqual([next]);
  });

  const many = Array.from({ length: 600 }, (_, at) => `t${at}`);

  test.each<[string, string[], string[]]>([
    ['none, then some', [], ['a', 'b']],
    ['some, then none', ['a', 'b'], []],
    ['some of them again, one of them twice', ['a', 'b', 'c'], ['d', 'b', 'b', 'a']],
    ['the same', ['a', 'b'], ['b', 'a']],
    ['many, then others', many, ['t1', 'u']],
  ])(
    'keep the tags of the pet as it is now, and none of one that is gone: %s',
    async (_, ...tags) => {
      const rows = (): Promise<string[]> =>
        temporary.db
          .knex('pet_tags')
          .where({ service: `service ${services}` })
          .pluck('name');
      const [before = pet(), after = pet()] = tags.map((names) => ({
        ...tagged(...names),
        id: 1n,
      }));
      await service.pets.add({ ...tagged('z'), id: 2n });
      await service.pets.add(before);
      await service.pets.replace(1n, after);
      expect((await rows()).sort()).toEqual([...new Set(tags[1]), 'z'].sort());
      await service.pets.remove(1n);
      expect(await rows()).toEqual(['z']);
    },
  );

  test.each<[string, Parameters<ServiceStorage['pets']['patch']>[1], Partial<Pet>]>([
    ['the name', { name: 'Max' }, { name: 'Max' }],
    ['the status', { status: 'sold' }, { status: 'sold' }],
    ['both', { name: 'Max', status: 'sold' }, { name: 'Max', status: 'sold' }],
    ['an empty name', { name: '' }, { name: '' }],
    ['nothing', {}, {}],
  ])('patch %s and leave the rest', async (_, changes, wanted) => {
    const before = pet({ id: 1n, status: 'pending', tags: [{ id: LAST, name: 'a' }] });
    await service.pets.add(before);
    const after = { ...before, ...wanted };
    expect(await readKept(service.pets.patch(1n, changes))).toEqual(after);
    expect(await readKept(service.pets.find(1n))).toEqual(after);
    expect(await readPages(service.pets.byStatuses([after.status ?? 'sold']))).toEqual([after]);
    expect(await readPages(service.pets.byTags(['a']))).toEqual([after]);
  });

  test('that arrive together are all kept', async () => {
    await service.pets.add(pet({ id: 1n }));
    await Promise.all([
      service.pets.patch(1n, { name: 'Max' }),
      service.pets.patch(1n, { status: 'sold' }),
    ]);
    expect(await readKept(service.pets.find(1n))).toEqual(
      pet({ id: 1n, name: 'Max', status: 'sold' }),
    );
  });

  test('of unknown pets change nothing', async () => {
    expect(await readKept(service.pets.replace(1n, pet({ id: 1n })))).toBeUndefined();
    expect(await readKept(service.pets.patch(1n, { name: 'Max' }))).toBeUndefined();
    expect(await service.pets.remove(1n)).toBe(false);
    expect(await readKept(service.pets.find(1n))).toBeUndefined();
  });
});

describe('photos', () => {
  const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, at) => at);
  const address = (id: string) => `http://host/files/${id}`;

  /** Adds the photo and gives the id that its address was made of. */
  const addPhoto = async (id: bigint, bytes: Uint8Array): Promise<string> => {
    let fileId = '';
    await service.pets.addPhoto(id, { mediaType: 'image/png', bytes }, (given) => {
      fileId = given;
      return address(given);
    });
    return fileId;
  };

  test.each([
    ['every byte', EVERY_BYTE],
    ['a window of a larger buffer', EVERY_BYTE.subarray(3, 17)],
    ['no byte', new Uint8Array()],
    ['a megabyte', new Uint8Array(1 << 20).fill(0xff)],
  ])('come back byte for byte: %s', async (_, bytes) => {
    await service.pets.add(pet({ id: LAST, photoUrls: ['first'] }));
    const fileId = await addPhoto(LAST, bytes);
    const found = await service.files.find(fileId);
    expect(found?.mediaType).toBe('image/png');
    expect(Buffer.compare(found?.bytes ?? Buffer.from('none'), bytes)).toBe(0);
    expect((await readKept(service.pets.find(LAST)))?.photoUrls).toEqual([
      'first',
      address(fileId),
    ]);
  });

  test('are all kept when they arrive together, under ids of their own', async () => {
    await service.pets.add(pet({ id: 1n }));
    const fileIds = await Promise.all(
      Array.from({ length: 20 }, (_, at) => addPhoto(1n, Uint8Array.of(at))),
    );
    expect(new Set(fileIds).size).toBe(20);
    const urls = (await readKept(service.pets.find(1n)))?.photoUrls;
    expect(urls?.toSorted()).toEqual(fileIds.map(address).toSorted());
  });

  test('go with their pet, and belong to its service alone', async () => {
    await service.pets.add(pet({ id: 1n, tags: [{ name: 'a' }] }));
    const fileId = await addPhoto(1n, EVERY_BYTE);
    expect(await storageOf('a stranger').files.find(fileId)).toBeUndefined();
    expect(await service.pets.remove(1n)).toBe(true);
    expect(await service.files.find(fileId)).toBeUndefined();
    await service.pets.add(pet({ id: 1n }));
    expect(await readPages(service.pets.byTags(['a']))).toEqual([]);
  });

  test('of an unknown pet are not kept', async () => {
    expect(await addPhoto(1n, EVERY_BYTE)).toBe('');
    const kept = await temporary.db.knex('files').where({ service: `service ${services}` });
    expect(kept).toEqual([]);
  });

  test('are not kept where the pet cannot be changed', async () => {
    await service.pets.add(pet({ id: 1n }));
    const failing = service.pets.addPhoto(1n, { mediaType: 'a/b', bytes: EVERY_BYTE }, () => {
      throw new Error('no address');
    });
    await expect(failing).rejects.toThrow('no address');
    expect(await temporary.db.knex('files').where({ service: `service ${services}` })).toEqual([]);
    expect((await readKept(service.pets.find(1n)))?.photoUrls).toEqual([]);
  });
});
