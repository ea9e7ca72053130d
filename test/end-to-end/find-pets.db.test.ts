/** Finding pets by status and by tags, and counting them. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const services = useServices();
beforeEach(() => services().reset());

const find = (target: string) =>
  services().ask(`GET /petstore/pet/${target}`, { token: services().petToken });

const idsOf = (pets: unknown): unknown => {
  if (!Array.isArray(pets)) throw new Error('not a list');
  return pets.map(({ id }) => id);
};

const addPet = async (pet: object): Promise<unknown> => {
  const { ask, petToken: token } = services();
  return expectOk(await ask('POST /petstore/pet', { token, body: { photoUrls: [], ...pet } }));
};

describe('findPetsByStatus', () => {
  test.each([
    ['', [1, 2, 4, 6, 9]],
    ['?', [1, 2, 4, 6, 9]],
    ['?status=available', [1, 2, 4, 6, 9]],
    ['?status=sold', [5, 8]],
    ['?status=pending,sold', [3, 5, 7, 8, 10]],
    ['?status=sold,pending', [3, 5, 7, 8, 10]],
    ['?status=pending%2Csold', [3, 5, 7, 8, 10]],
    ['?status=sold,sold', [5, 8]],
    ['?status=available,pending,sold', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['?%73tatus=%73old', [5, 8]],
    ['?status=sold&unknown=1', [5, 8]],
    ['?Status=sold', [1, 2, 4, 6, 9]],
  ])('%s', async (query, ids) => {
    expect(idsOf(expectOk(await find(`findByStatus${query}`)))).toEqual(ids);
  });

  test.each([
    'gone',
    'sold,gone',
    'gone,sold',
    'Sold',
    '',
    ',',
    'sold,',
    ',sold',
    'sold%20',
    'sold&status=pending',
    'sold&status=sold',
  ])('refuses status=%s', async (text) => {
    await expectError(await find(`findByStatus?status=${text}`), 400, 'Invalid status value');
  });

  test('orders by id as numbers, below 0 and beyond 2^53', async () => {
    const ids = [9_007_199_254_740_993n, -5n, 9_223_372_036_854_775_807n, -100n];
    for (const id of ids) await addPet({ id, name: 'Rex', status: 'sold' });
    expect(idsOf(expectOk(await find('findByStatus?status=sold')))).toEqual([
      -100,
      -5,
      5,
      8,
      9_007_199_254_740_993n,
      9_223_372_036_854_775_807n,
    ]);
  });

  test('leaves out pets without a status', async () => {
    await addPet({ name: 'Nobody' });
    const all = await find('findByStatus?status=available,pending,sold');
    expect(idsOf(expectOk(all))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('is a list also where there is one pet or none', async () => {
    const { ask, petToken: token } = services();
    const xml = { token, accept: 'application/xml' };
    expectOk(await ask('DELETE /petstore/pet/5', { token }));
    const one = await ask('GET /petstore/pet/findByStatus?status=sold', xml);
    expect(one.text).toMatch(/<pets><pet>.*<id>8<\/id>.*<\/pet><\/pets>$/);
    expectOk(await ask('DELETE /petstore/pet/8', { token }));
    const none = await ask('GET /petstore/pet/findByStatus?status=sold', xml);
    expect([none.status, none.text]).toEqual([200, expect.stringMatching(/<pets(\/>|><\/pets>)$/)]);
    expect(expectOk(await find('findByStatus?status=sold'))).toEqual([]);
  });
});

describe('findPetsByTags', () => {
  test.each([
    ['', []],
    ['?tags=quiet', [2, 6, 10]],
    ['?tags=quiet&tags=large', [1, 2, 3, 6, 10]],
    ['?tags=quiet,large', [1, 2, 3, 6, 10]],
    ['?tags=quiet%2Clarge', [1, 2, 3, 6, 10]],
    ['?tags=small,quiet&tags=large', [1, 2, 3, 4, 6, 8, 10]],
    ['?tags=small,quiet', [2, 4, 6, 8, 10]],
    ['?tags=unknown', []],
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

  test('finds tags with blanks, accents and signs', async () => {
    const names = ['très bon', 'a+b', '50%', 'O’Neill', '猫', '<b>&', "x' or '1'='1"];
    for (const [index, name] of names.entries()) {
      await addPet({ id: 100 + index, name: 'Rex', tags: [{ name }] });
    }
    for (const [index, name] of names.entries()) {
      const found = await find(`findByTags?tags=${encodeURIComponent(name)}`);
      expect(idsOf(expectOk(found))).toEqual([100 + index]);
    }
  });

  test('follows the pet: changed tags are found, former ones are not', async () => {
    const { ask, petToken: token } = services();
    const changed = {
      id: 1,
      name: 'Bello',
      photoUrls: [],
      tags: [{ name: 'old' }, { name: 'old' }],
    };
    expectOk(await ask('PUT /petstore/pet', { token, body: changed }));
    expect(idsOf(expectOk(await find('findByTags?tags=old,large,friendly')))).toEqual([
      1, 3, 5, 8, 9,
    ]);
    expect(idsOf(expectOk(await find('findByTags?tags=large')))).toEqual([3]);
    expectOk(await ask('DELETE /petstore/pet/1', { token }));
    expect(idsOf(expectOk(await find('findByTags?tags=old')))).toEqual([]);
  });
});

describe('getInventory', () => {
  const inventory = async () =>
    expectOk(await services().ask('GET /petstore/store/inventory', { key: 'special-key' }));

  test('counts the pets by status', async () => {
    expect(await inventory()).toEqual({ available: 5, pending: 3, sold: 2 });
  });

  test('names a status that no pet has, and follows every change', async () => {
    const { ask, petToken: token } = services();
    expectOk(await ask('DELETE /petstore/pet/5', { token }));
    expectOk(await ask('POST /petstore/pet/8?status=available', { token }));
    expect(await inventory()).toEqual({ available: 6, pending: 3, sold: 0 });
    await addPet({ name: 'Nobody' });
    await addPet({ name: 'Rex', status: 'pending' });
    expect(await inventory()).toEqual({ available: 6, pending: 4, sold: 0 });
  });
});
