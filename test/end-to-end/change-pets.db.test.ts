/** Changing and deleting pets: what was asked for is there afterwards, what was refused is not. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';

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

const getPet = (id: number) => services().ask(`GET /petstore/pet/${id}`, { key: 'special-key' });
const as = (body?: unknown) => ({ token: services().petToken, body });

describe('updatePet', () => {
  test('replaces the whole pet', async () => {
    const pet = { id: 1, name: 'Bella', photoUrls: ['a', 'b'], status: 'sold' };
    expect(expectOk(await services().ask('PUT /petstore/pet', as(pet)))).toEqual(pet);
    expect(expectOk(await getPet(1))).toEqual(pet);
  });

  test.each<[string, object]>([
    ['missing', {}],
    ['text', { id: 'one' }],
    ['digits as text', { id: '1' }],
    ['a fraction', { id: 1.5 }],
    ['null', { id: null }],
    ['a list', { id: [1] }],
    ['too large', { id: 9_223_372_036_854_775_808n }],
  ])('answers 400 where the id is %s', async (_, id) => {
    const pet = { name: 'Bella', photoUrls: [], ...id };
    const answered = await services().ask('PUT /petstore/pet', as(pet));
    expect(await expectError(answered, 400, 'Invalid ID supplied')).toMatchObject({
      type: 'invalid-parameter',
    });
    expect(expectOk(await getPet(1))).toEqual(bello);
  });

  test.each([0, -1, 11, 4711])('answers 404 where no pet has the id %s', async (id) => {
    const pet = { id, name: 'Bella', photoUrls: [] };
    const answered = await services().ask('PUT /petstore/pet', as(pet));
    await expectError(answered, 404, 'Pet not found');
    await expectError(await getPet(id), 404, 'Pet not found');
  });

  test.each<[string, object]>([
    ['no name', { id: 1, photoUrls: [] }],
    ['no photoUrls', { id: 1, name: 'Bella' }],
    ['an unknown status', { id: 1, name: 'Bella', photoUrls: [], status: 'gone' }],
    ['a tag of a wrong type', { id: 1, name: 'Bella', photoUrls: [], tags: [{ id: 'x' }] }],
    ['a name of a wrong type', { id: 1, name: 7, photoUrls: [] }],
  ])('answers 405 for %s, and the pet stays', async (_, pet) => {
    const answered = await services().ask('PUT /petstore/pet', as(pet));
    await expectError(answered, 405, 'Validation exception');
    expect(answered.headers['allow']).toBe('OPTIONS, POST, PUT');
    expect(expectOk(await getPet(1))).toEqual(bello);
  });

  test('names every fault of the body', async () => {
    const pet = { id: 1, photoUrls: [1], status: 'gone' };
    const answered = await services().ask('PUT /petstore/pet', as(pet));
    await expectError(answered, 405, 'Validation exception');
    expect(JSON.parse(answered.text)).toMatchObject({
      errors: expect.arrayContaining([
        { in: 'body', path: '/photoUrls/0', message: expect.any(String) },
        { in: 'body', path: '/status', message: expect.any(String) },
      ]),
    });
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
    const answered = await services().ask(`POST /petstore/pet/1${query}`, as());
    expect(expectOk(answered)).toEqual({ ...bello, ...changes });
    expect(expectOk(await getPet(1))).toEqual({ ...bello, ...changes });
  });

  test('answers the pet in XML, too', async () => {
    const asked = { ...as(), accept: 'application/xml' };
    const { status, text } = await services().ask('POST /petstore/pet/1?name=Bella', asked);
    expect([status, text]).toEqual([200, expect.stringContaining('<name>Bella</name>')]);
  });

  test.each([
    '/1?status=gone',
    '/1?name=Bella&status=',
    '/1?status=sold,pending',
    '/1?name=a&name=b',
    '/1?name=%zz',
    '/1?name=%00',
    '/4711?name=Bella',
    '/abc?name=Bella',
    '/1.0?name=Bella',
  ])('%s is refused with 405, and nothing changes', async (target) => {
    const answered = await services().ask(`POST /petstore/pet${target}`, as());
    await expectError(answered, 405, 'Invalid input');
    expect(answered.headers['allow']).toBe('DELETE, GET, HEAD, OPTIONS, POST');
    expect(expectOk(await getPet(1))).toEqual(bello);
  });

  test('does not look at a body', async () => {
    const asked = { ...as('name=Bella'), type: 'application/x-www-form-urlencoded' };
    expect(expectOk(await services().ask('POST /petstore/pet/1', asked))).toEqual(bello);
  });
});

describe('deletePet', () => {
  test('takes the pet out of the store', async () => {
    const { ask } = services();
    const deleted = await ask('DELETE /petstore/pet/1', as());
    expect([deleted.status, deleted.text]).toEqual([200, '']);
    await expectError(await getPet(1), 404, 'Pet not found');
    expectOk(await getPet(2));
    await expectError(await ask('DELETE /petstore/pet/1', as()), 400, 'Invalid pet value');
  });

  test.each(['4711', '0', '-1', 'abc', '1.0', '9223372036854775808'])(
    'answers 400 for %s',
    async (id) => {
      const answered = await services().ask(`DELETE /petstore/pet/${id}`, as());
      await expectError(answered, 400, 'Invalid pet value');
    },
  );

  test('asks for the token; the header api_key neither helps nor hurts', async () => {
    const { ask, petToken: token } = services();
    await expectError(await ask('DELETE /petstore/pet/1', { key: 'special-key' }), 401);
    expectOk(await getPet(1));
    expectOk(await ask('DELETE /petstore/pet/1', { token, key: 'wrong' }));
  });
});

describe('a property that the document does not declare', () => {
  const formats: readonly (readonly [string, string])[] = [
    [
      'application/json',
      '{"id":50,"name":"Rex","photoUrls":["a"],"owner":"Eve","category":{"name":"Dogs","rank":1},"__proto__":{"x":1},"constructor":2}',
    ],
    [
      'application/xml',
      '<pet><id>50</id><name>Rex</name><photoUrls><photoUrl>a</photoUrl></photoUrls><owner>Eve</owner><category><name>Dogs</name><rank>1</rank></category><__proto__><x>1</x></__proto__></pet>',
    ],
    [
      'application/x-www-form-urlencoded',
      'id=50&name=Rex&photoUrls=a&owner=Eve&category={"name":"Dogs","rank":1}&__proto__=1&constructor=2',
    ],
  ];

  test.each(formats)('is taken in %s and not kept', async (type, body) => {
    const { ask, petToken: token, db } = services();
    const kept = { id: 50, name: 'Rex', photoUrls: ['a'], category: { name: 'Dogs' } };
    expect(expectOk(await ask('POST /petstore/pet', { token, type, body }))).toEqual(kept);
    expect(expectOk(await getPet(50))).toEqual(kept);
    const [row] = await storedItems(db, 'petstore', 'pets').where({ id: '50' }).select('document');
    expect(JSON.parse(row.document)).toEqual(kept);
  });
});
