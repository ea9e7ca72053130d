/** Pets: added, changed, found, counted and deleted; what was asked for is there afterwards, what was refused is not. */

import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';
import { valuesOf } from '../support/text-cases';

const cases = join(__dirname, 'pets.cases.txt');

const services = useServices();
beforeEach(() => services().reset());

const bello = {
  id: 1,
  name: 'Bello',
  category: { id: 1, name: 'Dogs' },
  tags: [
    { id: 2, name: 'large' },
    { id: 5, name: 'friendly' },
  ],
  status: 'available',
  photoUrls: [],
};
const rex = { name: 'Rex', photoUrls: [] };

const largest = 9_223_372_036_854_775_807n;
const smallest = -9_223_372_036_854_775_808n;

const call = (methodAndTarget: string, body?: unknown, type?: string) =>
  services().ask(methodAndTarget, { token: services().petToken, body, type });
const addPet = (pet: unknown, type?: string) => call('POST /petstore/pet', pet, type);
const updatePet = (pet: unknown, type?: string) => call('PUT /petstore/pet', pet, type);
const deletePet = (id: bigint | number) => call(`DELETE /petstore/pet/${id}`);
const getPet = (id: bigint | number, accept?: string) =>
  services().ask(`GET /petstore/pet/${id}`, { key: 'special-key', accept });

/** The stored documents of the pet with the id. */
const storedPets = (id: bigint | number): PromiseLike<readonly { document: string }[]> =>
  storedItems(services().db, 'petstore', 'pets')
    .whereRaw('cast(id as text) = ?', [String(id)])
    .select('document');

describe('addPet', () => {
  test.each([11, 0, -1, 1_000_000])('keeps the given id %s', async (id) => {
    expect(expectOk(await addPet({ ...rex, id }))).toEqual({ ...rex, id });
    expect(expectOk(await getPet(id))).toEqual({ ...rex, id });
  });

  test('refuses an id that is in use, and the pet that has it stays as it was', async () => {
    await expectError(await addPet({ ...rex, id: 1 }), 405, 'Invalid input');
    expect(expectOk(await getPet(1))).toEqual(bello);
  });

  test('gives an id to one of those who ask for it at once', async () => {
    const names = ['one', 'two', 'three'];
    const answers = await Promise.all(names.map((name) => addPet({ ...rex, id: 77, name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 405, 405]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await getPet(77)).text).toBe(winner?.text);
  });

  test('leaves an id free that it refused', async () => {
    await expectError(await addPet({ id: 500, name: 'Rex' }), 405, 'Invalid input');
    await expectError(await getPet(500), 404, 'Pet not found');
    expectOk(await addPet({ ...rex, id: 500 }));
  });

  test('assigns missing ids, none that is or was in use', async () => {
    expect(expectOk(await addPet(rex))).toEqual({ ...rex, id: 11 });
    expectOk(await addPet({ ...rex, id: 12 }));
    expectOk(await addPet({ ...rex, id: largest }));
    for (const id of [11, 12]) expectOk(await deletePet(id));
    expect(expectOk(await addPet(rex))).toEqual({ ...rex, id: 13 });
    expect(expectOk(await getPet(13))).toEqual({ ...rex, id: 13 });
  });
});

describe('updatePet', () => {
  test('replaces the whole pet', async () => {
    const pet = { id: 1, name: 'Bella', photoUrls: ['a', 'b'], status: 'sold' };
    expect(expectOk(await updatePet(pet))).toEqual(pet);
    expect(expectOk(await getPet(1))).toEqual(pet);
  });

  test.each([0, 4711])('answers 404 where no pet has the id %s', async (id) => {
    await expectError(await updatePet({ ...rex, id }), 404, 'Pet not found');
    await expectError(await getPet(id), 404, 'Pet not found');
  });
});

describe('updatePetWithForm', () => {
  test.each<[string, object]>([
    ['?name=Bella', { name: 'Bella' }],
    ['?status=sold', { status: 'sold' }],
    ['?name=Bella&status=pending', { name: 'Bella', status: 'pending' }],
    ['?name=Tr%C3%A8s+%2B+bon', { name: 'Très + bon' }],
    ['', {}],
  ])('%s changes that alone', async (query, changes) => {
    const answered = await call(`POST /petstore/pet/1${query}`);
    expect(expectOk(answered)).toEqual({ ...bello, ...changes });
    expect(expectOk(await getPet(1))).toEqual({ ...bello, ...changes });
  });

  test('answers 405 for an unknown pet, and for two statuses', async () => {
    for (const target of ['/4711?name=Bella', '/1?status=sold,pending']) {
      await expectError(await call(`POST /petstore/pet${target}`), 405, 'Invalid input');
    }
    expect(expectOk(await getPet(1))).toEqual(bello);
  });
});

test('deletePet takes the pet out of the store, and answers 400 where there is none', async () => {
  const deleted = await deletePet(1);
  expect([deleted.status, deleted.text]).toEqual([200, '']);
  await expectError(await getPet(1), 404, 'Pet not found');
  expectOk(await getPet(2));
  await expectError(await deletePet(1), 400, 'Invalid pet value');
});

const formats: readonly (readonly [string, (id: bigint) => string])[] = [
  ['application/json', (id) => `{"id":${id},"name":"Rex","photoUrls":["a"]}`],
  [
    'application/xml',
    (id) =>
      `<pet><id>${id}</id><name>Rex</name><photoUrls><photoUrl>a</photoUrl></photoUrls></pet>`,
  ],
  ['application/x-www-form-urlencoded', (id) => `id=${id}&name=Rex&photoUrls=a`],
];

describe.each(formats)('int64 in %s', (type, write) => {
  test.each([largest, smallest, 9_007_199_254_740_993n])('%s is exact everywhere', async (id) => {
    const json = await addPet(write(id), type);
    expect(expectOk(json)).toEqual({ id, name: 'Rex', photoUrls: ['a'] });
    expect((await getPet(id)).text).toBe(json.text);
    const xml = await getPet(id, 'application/xml');
    expect([xml.status, xml.text]).toEqual([200, expect.stringContaining(`<id>${id}</id>`)]);
    expect(await storedPets(id)).toEqual([{ document: expect.stringContaining(`"id":${id}`) }]);
  });

  test('tells neighbours at the end apart', async () => {
    for (const id of [largest, largest - 1n]) expectOk(await addPet(write(id), type));
    expectOk(await deletePet(largest));
    expect(expectOk(await getPet(largest - 1n))).toMatchObject({ id: largest - 1n });
    await expectError(await getPet(largest), 404, 'Pet not found');
  });
});

test.each(valuesOf<[string, string]>(cases, 'bodies'))(
  'properties that are not declared are taken in %s and not kept',
  async (type, body) => {
    const kept = { id: 50, name: 'Rex', photoUrls: ['a'], category: { name: 'Dogs' } };
    expect(expectOk(await addPet(body, type))).toEqual(kept);
    expect(expectOk(await getPet(50))).toEqual(kept);
    const [row] = await storedPets(50);
    expect(JSON.parse(row?.document ?? '')).toEqual(kept);
    // The server runs in this very process.
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  },
);

const find = (target: string, accept?: string) =>
  services().ask(`GET /petstore/pet/${target}`, { token: services().petToken, accept });

const idsOf = (pets: unknown): unknown => {
  if (!Array.isArray(pets)) throw new Error('not a list');
  return pets.map(({ id }) => id);
};

describe('findPetsByStatus', () => {
  test.each([
    ['', [1, 2, 4, 6, 9]],
    ['?status=available', [1, 2, 4, 6, 9]],
    ['?status=sold,pending', [3, 5, 7, 8, 10]],
    ['?status=pending%2Csold', [3, 5, 7, 8, 10]],
    ['?status=sold&status=pending', [3, 5, 7, 8, 10]],
    ['?status=sold,available&status=pending', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['?status=sold,sold', [5, 8]],
    ['?status=available,pending,sold', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['?status=sold&unknown=1', [5, 8]],
    ['?Status=sold', [1, 2, 4, 6, 9]],
  ])('%s', async (query, ids) => {
    expect(idsOf(expectOk(await find(`findByStatus${query}`)))).toEqual(ids);
  });

  test.each(['sold,gone', 'gone,sold', ',', 'sold,', ',sold', 'sold%20', 'sold&status=gone'])(
    'refuses status=%s',
    async (text) => {
      await expectError(await find(`findByStatus?status=${text}`), 400, 'Invalid status value');
    },
  );

  test('orders by id as numbers, below 0 and beyond 2^53', async () => {
    const ids = [9_007_199_254_740_993n, -5n, largest, -100n];
    for (const id of ids) expectOk(await addPet({ ...rex, id, status: 'sold' }));
    const found = idsOf(expectOk(await find('findByStatus?status=sold')));
    expect(found).toEqual([-100, -5, 5, 8, 9_007_199_254_740_993n, largest]);
  });

  test('leaves out pets without a status', async () => {
    expectOk(await addPet(rex));
    const all = await find('findByStatus?status=available,pending,sold');
    expect(idsOf(expectOk(all))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('is a list also where there is one pet or none', async () => {
    expectOk(await deletePet(5));
    const one = await find('findByStatus?status=sold', 'application/xml');
    expect(one.text).toMatch(/<pets><pet>.*<id>8<\/id>.*<\/pet><\/pets>$/);
    expectOk(await deletePet(8));
    const none = await find('findByStatus?status=sold', 'application/xml');
    expect([none.status, none.text]).toEqual([200, expect.stringMatching(/<pets(\/>|><\/pets>)$/)]);
    expect(expectOk(await find('findByStatus?status=sold'))).toEqual([]);
  });
});

describe('findPetsByTags', () => {
  test.each([
    ['', []],
    ['?tags=quiet', [2, 6, 10]],
    ['?tags=quiet&tags=large', [1, 2, 3, 6, 10]],
    ['?tags=quiet%2Clarge', [1, 2, 3, 6, 10]],
    ['?tags=small,quiet&tags=large', [1, 2, 3, 4, 6, 8, 10]],
    ['?tags=unknown,large', [1, 3]],
    ['?tags=Large', []],
  ])('%s', async (query, ids) => {
    expect(idsOf(expectOk(await find(`findByTags${query}`)))).toEqual(ids);
  });

  test.each(['', ',', 'large,', ',large', 'large,,small', 'large&tags='])(
    'refuses tags=%s for its empty tag',
    async (text) => {
      await expectError(await find(`findByTags?tags=${text}`), 400, 'Invalid tag value');
    },
  );

  test.each(['très bon', 'a+b', '50%', 'O’Neill', '猫', '<b>&', "x' or '1'='1"])(
    'finds %s',
    async (name) => {
      expectOk(await addPet({ ...rex, id: 100, tags: [{ name }] }));
      const found = await find(`findByTags?tags=${encodeURIComponent(name)}`);
      expect(idsOf(expectOk(found))).toEqual([100]);
    },
  );

  test('follows the pet: changed tags are found, former ones are not', async () => {
    const tags = [{ name: 'old' }, { name: 'old' }];
    expectOk(await updatePet({ ...rex, id: 1, tags }));
    const found = idsOf(expectOk(await find('findByTags?tags=old,large,friendly')));
    expect(found).toEqual([1, 3, 5, 8, 9]);
    expect(idsOf(expectOk(await find('findByTags?tags=large')))).toEqual([3]);
    expectOk(await deletePet(1));
    expect(expectOk(await find('findByTags?tags=old'))).toEqual([]);
  });
});

test('getInventory counts the pets by status, and follows every change', async () => {
  const inventory = async () =>
    expectOk(await services().ask('GET /petstore/store/inventory', { key: 'special-key' }));
  expect(await inventory()).toEqual({ available: 5, pending: 3, sold: 2 });
  expectOk(await deletePet(5));
  expectOk(await call('POST /petstore/pet/8?status=available'));
  expect(await inventory()).toEqual({ available: 6, pending: 3, sold: 0 });
  expectOk(await addPet(rex));
  expectOk(await addPet({ ...rex, status: 'pending' }));
  expect(await inventory()).toEqual({ available: 6, pending: 4, sold: 0 });
});
