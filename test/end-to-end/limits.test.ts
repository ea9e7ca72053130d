/** Limits per caller: calls in an hour, and failed sign-ins. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const noon = Date.UTC(2030, 0, 1, 12);
const minute = 60_000;
let now = noon;
const services = useServices({ RATE_LIMIT_PER_HOUR: '5' }, () => now);
beforeEach(async () => {
  now = noon;
  await services().reset();
});

describe('calls with a token', () => {
  const call = (token: string) => services().ask('GET /petstore/pet/1', { token });
  const useUp = async (token: string): Promise<void> => {
    for (let count = 0; count < 5; count += 1) expectOk(await call(token));
  };

  test('end at the limit that the login announced, with 429', async () => {
    const login = await services().ask(
      'GET /petstore/user/login?username=demo&password=demo-password',
    );
    expect(login.headers['x-rate-limit']).toBe('5');
    const { petToken } = services();
    await useUp(petToken);
    now = noon + 10 * minute;
    const refused = await call(petToken);
    expect(await expectError(refused, 429)).toMatchObject({ type: 'too-many-requests' });
    expect(refused.headers['retry-after']).toBe(String(50 * 60));
  });

  test('are refused in XML, too, and by the declared text', async () => {
    const { ask, login, petToken } = services();
    await useUp(petToken);
    const asked = { token: login.petstore, accept: 'application/xml', body: { username: 'joan' } };
    const refused = await ask('POST /petstore/user', asked);
    await expectError(refused, 429, 'Too many requests');
    expect(refused.headers['content-type']).toMatch(/^application\/xml/);
    await expectError(await ask('GET /petstore/user/joan'), 404);
  });

  test('begin anew after the hour', async () => {
    const { petToken, grant } = services();
    await useUp(petToken);
    await expectError(await call(petToken), 429);
    now = noon + 60 * minute;
    const later = await grant({ service: 'petstore', scopes: ['write:pets', 'read:pets'] });
    await useUp(later);
    await expectError(await call(later), 429);
  });

  test('are counted for the user, not for the token', async () => {
    const { petToken, grant } = services();
    const scopes = ['write:pets', 'read:pets'];
    await useUp(petToken);
    const second = await grant({ service: 'petstore', scopes });
    await expectError(await call(second), 429);
    const others = await grant({ service: 'petstore', scopes, user: 'user1' });
    expectOk(await call(others));
  });

  test('count when they are refused, and when many come at once', async () => {
    const { ask, petToken } = services();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('GET /petstore/pet/none', { token: petToken })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  });

  test('count with the session cookie as with the token', async () => {
    const { ask, login } = services();
    const headers = { Cookie: `session=${login.petstore}` };
    for (let count = 0; count < 5; count += 1) {
      expectOk(await ask('PUT /petstore/user/demo', { headers, body: { firstName: 'Demo' } }));
    }
    await expectError(await ask('PUT /petstore/user/demo', { headers, body: {} }), 429);
  });

  test('count each password of a list, and none where a name is taken', async () => {
    const { ask, login } = services();
    const create = (names: readonly string[]) =>
      ask('POST /petstore/user/createWithList', {
        token: login.petstore,
        body: names.map((username) => ({ username, password: 'secret' })),
      });
    await expectError(await create(['ann', 'bob', 'cid', 'demo']), 409);
    expectOk(await create(['ann', 'bob', 'cid']));
    await expectError(await create(['dan', 'eve']), 429);
    await expectError(await ask('GET /petstore/user/dan'), 404);
  });

  test('leave calls without a token alone', async () => {
    const { ask, petToken } = services();
    await useUp(petToken);
    for (let count = 0; count < 6; count += 1) {
      expectOk(await ask('GET /petstore/pet/1', { key: 'special-key' }));
      expectOk(await ask('GET /petstore/store/order/1'));
    }
  });
});

describe('failed sign-ins', () => {
  const signIn = (username: string, password: string, service = 'petstore') =>
    services().ask(`GET /${service}/user/login?username=${username}&password=${password}`);
  const fail = async (username: string, times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      const refused = await signIn(username, 'wrong');
      await expectError(refused, 400, 'Invalid username/password supplied');
    }
  };

  test('end after 30 in 15 minutes, with 429, until the 15 minutes are over', async () => {
    await fail('demo', 30);
    now = noon + 5 * minute;
    const refused = await signIn('demo', 'demo-password');
    expect(await expectError(refused, 429)).toMatchObject({ type: 'too-many-requests' });
    expect(refused.headers['retry-after']).toBe(String(10 * 60));
    expect(refused.headers['set-cookie']).toBeUndefined();
    now = noon + 15 * minute;
    expectOk(await signIn('demo', 'demo-password'));
  });

  test('end after 30 for a name that nobody has, too', async () => {
    await fail('nobody', 30);
    await expectError(await signIn('nobody', 'demo-password'), 429);
  });

  test('of one user leave the others alone, also in the other service', async () => {
    await fail('user1', 30);
    expectOk(await signIn('demo', 'demo-password'));
    expectOk(await signIn('demo', 'demo-password', 'ads'));
  });

  test('do not end a login that there is', async () => {
    const token = await services().signIn('petstore');
    await fail('demo', 30);
    await expectError(await signIn('demo', 'demo-password'), 429);
    expectOk(await services().ask('POST /petstore/user', { token, body: { username: 'joan' } }));
  });

  test('sent side by side get no further', async () => {
    // As many as are let in to be hashed, two at once and 32 in the queue: more could be sent away as too much load.
    const answers = await Promise.all(
      Array.from({ length: 34 }, (_, index) => signIn('demo', `guess-${index}`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(30).fill(400), ...Array(4).fill(429)]);
  });
});
