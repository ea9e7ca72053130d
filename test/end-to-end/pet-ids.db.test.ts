/** The ids of pets: kept when given, assigned when not, exact to the last digit everywhere. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';

const services = useServices();
beforeEach(() => services().reset());

const largest = 9_223_372_036_854_775_807n;
const smallest = -9_223_372_036_854_775_808n;

const formats: readonly (readonly [string, (id: bigint) => string])[] = [
  ['application/json', (id) => `{"id":${id},"name":"Rex","photoUrls":["a"]}`],
  [
    'application/xml',
    (id) =>
      `<pet><id>${id}</id><name>Rex</name><photoUrls><photoUrl>a</photoUrl></photoUrls></pet>`,
  ],
  ['application/x-www-form-urlencoded', (id) => `id=${id}&name=Rex&photoUrls=a`],
];

const addPet = (pet: object) =>
  services().ask('POST /petstore/pet', { token: services().petToken, body: pet });
const getPet = (id: bigint | number | string, accept = 'application/json') =>
  services().ask(`GET /petstore/pet/${id}`, { key: 'special-key', accept });

describe('an id that is given', () => {
  test.each([11, 0, -1, 1_000_000])('%s is kept', async (id) => {
    const pet = { id, name: 'Rex', photoUrls: [] };
    expect(expectOk(await addPet(pet))).toEqual(pet);
    expect(expectOk(await getPet(id))).toEqual(pet);
  });

  test('is refused where it is in use, and the pet that has it stays as it was', async () => {
    const before = (await getPet(1)).text;
    const pet = { id: 1, name: 'Usurper', photoUrls: [] };
    await expectError(await addPet(pet), 405, 'Invalid input');
    expect((await getPet(1)).text).toBe(before);
  });

  test('is taken by one of two who ask for it at once', async () => {
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => addPet({ id: 77, name, photoUrls: [] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 405, 405]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await getPet(77)).text).toBe(winner?.text);
  });

  test('stays free for others after it was refused', async () => {
    await expectError(await addPet({ id: 500, name: 'Rex' }), 405, 'Invalid input');
    await expectError(await getPet(500), 404, 'Pet not found');
    expectOk(await addPet({ id: 500, name: 'Rex', photoUrls: [] }));
  });
});

describe('an id that is missing', () => {
  const nameless = { name: 'Rex', photoUrls: [] };

  test('is assigned, one after the other', async () => {
    expect(expectOk(await addPet(nameless))).toMatchObject({ id: 11 });
    expect(expectOk(await addPet(nameless))).toMatchObject({ id: 12 });
    expect(expectOk(await getPet(12))).toEqual({ ...nameless, id: 12 });
  });

  test('is assigned past those in use', async () => {
    expectOk(await addPet({ ...nameless, id: 11 }));
    expectOk(await addPet({ ...nameless, id: 12 }));
    expect(expectOk(await addPet(nameless))).toMatchObject({ id: 13 });
  });

  test('is never one that was used before', async () => {
    const { ask, petToken: token } = services();
    expect(expectOk(await addPet(nameless))).toMatchObject({ id: 11 });
    expectOk(await addPet({ ...nameless, id: 12 }));
    for (const id of [11, 12]) expectOk(await ask(`DELETE /petstore/pet/${id}`, { token }));
    expect(expectOk(await addPet(nameless))).toMatchObject({ id: 13 });
  });

  test('is assigned also after the largest one was given', async () => {
    expectOk(await addPet({ ...nameless, id: largest }));
    expect(expectOk(await addPet(nameless))).toMatchObject({ id: 11 });
  });

  test('is a different one for each of many who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => addPet(nameless)));
    const ids = answers.map(({ text }) => Number(/"id":(\d+)/.exec(text)?.[1]));
    expect(ids.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 11),
    );
  });
});

describe.each(formats)('int64 in %s', (type, write) => {
  test.each([largest, smallest, 9_007_199_254_740_993n])('%s is exact everywhere', async (id) => {
    const { ask, petToken: token, db } = services();
    const json = await ask('POST /petstore/pet', { token, type, body: write(id) });
    expect(expectOk(json)).toEqual({ id, name: 'Rex', photoUrls: ['a'] });
    expect((await getPet(id)).text).toBe(json.text);
    const xml = await getPet(id, 'application/xml');
    expect([xml.status, xml.text]).toEqual([200, expect.stringContaining(`<id>${id}</id>`)]);
    const rows = await storedItems(db, 'petstore', 'pets')
      .whereRaw('cast(id as text) = ?', [String(id)])
      .select('document');
    expect(rows).toEqual([{ document: expect.stringContaining(`"id":${id}`) }]);
  });

  test.each([largest + 1n, smallest - 1n])('%s is one too many', async (id) => {
    const { ask, petToken: token } = services();
    const added = await ask('POST /petstore/pet', { token, type, body: write(id) });
    await expectError(added, 405, 'Invalid input');
    const updated = await ask('PUT /petstore/pet', { token, type, body: write(id) });
    await expectError(updated, 400, 'Invalid ID supplied');
    await expectError(await getPet(id), 400, 'Invalid ID supplied');
  });

  test('tells neighbours at the end apart', async () => {
    const { ask, petToken: token } = services();
    for (const id of [largest, largest - 1n]) {
      expectOk(await ask('POST /petstore/pet', { token, type, body: write(id) }));
    }
    expectOk(await ask(`DELETE /petstore/pet/${largest}`, { token }));
    expect(expectOk(await getPet(largest - 1n))).toMatchObject({ id: largest - 1n });
    await expectError(await getPet(largest), 404, 'Pet not found');
  });
});

test.each([
  '0x10',
  '1.0',
  '+1',
  '%2B1',
  '%201',
  '1%20',
  '1e3',
  '1_0',
  '١',
  'NaN',
  '1,2',
  '-',
  '--1',
  '1n',
])('the path /pet/%s names no pet', async (text) => {
  await expectError(
    await getPet(encodeURI(text).replaceAll('%25', '%')),
    400,
    'Invalid ID supplied',
  );
});
