/** Signing in and out: by token and by cookie, for as long as it lasts, and for nobody else. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { knexAccounts } from '../../src/storage/identity/users';
import type { Answered, Asked } from '../support/ask';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const noon = Date.UTC(2030, 0, 1, 12);
let now = noon;
const services = useServices({ TOKEN_TTL_SECONDS: '1800', TRUSTED_PROXIES: '1' }, () => now);
beforeEach(async () => {
  now = noon;
  await services().reset();
});

const good = 'username=demo&password=demo-password';
const signIn = (query = good, asked: Asked = {}, service = 'petstore') =>
  services().ask(`GET /${service}/user/login?${query}`, asked);

let names = 0;

/** Does what only a logged-in user may do. */
const createUser = (asked: Asked, service = 'petstore') => {
  names += 1;
  const body = { username: `user-${names}`, password: 'x', isAgent: false };
  return services().ask(`POST /${service}/user`, { body, ...asked });
};

const cookieOf = async (service = 'petstore'): Promise<string> => {
  const { headers } = await signIn(good, {}, service);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
};

describe.each(['petstore', 'ads'])('loginUser of %s', (service) => {
  test('answers a token, the calls per hour and the end', async () => {
    const answered = await signIn(good, {}, service);
    expect(expectOk(answered)).toMatch(/^[\w-]{43}$/);
    expect(answered.headers).toMatchObject({
      'content-type': 'application/json',
      'x-rate-limit': '5000',
      'x-expires-after': '2030-01-01T12:30:00.000Z',
      'cache-control': expect.stringContaining('no-store'),
    });
    const token = JSON.parse(answered.text);
    expectOk(await createUser({ token }, service));
  });

  test('keeps no token, only what it can be recognised by', async () => {
    const token = await services().signIn(service);
    const rows = await services().db.knex('tokens').select();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('gives each login a token of its own', async () => {
    const one = await services().signIn(service);
    expect(await services().signIn(service)).not.toBe(one);
  });

  test.each<[string, string]>([
    ['a wrong password', 'username=demo&password=Demo-password'],
    ['a password with a blank more', 'username=demo&password=demo-password+'],
    ['an unknown name', 'username=nobody&password=demo-password'],
    ['a user who has no password', 'username=user1&password='],
    ['an empty name', 'username=&password=demo-password'],
    ['no password', 'username=demo'],
    ['no name', 'password=demo-password'],
    ['nothing', ''],
    ['two passwords', `${good}&password=demo-password`],
    ['two names', `${good}&username=demo`],
    ['bytes that are no text', 'username=demo&password=%ff'],
    ['a broken percent sign', 'username=demo&password=demo-password%'],
    ['U+0000', 'username=demo%00&password=demo-password'],
    ['a very long password', `username=demo&password=${'x'.repeat(8000)}`],
  ])('refuses %s with 400', async (_, query) => {
    const answered = await signIn(query, {}, service);
    await expectError(answered, 400, 'Invalid username/password supplied');
    expect(answered.headers['set-cookie']).toBeUndefined();
    expect(answered.headers['x-expires-after']).toBeUndefined();
  });
});

test('an attack on an account keeps nobody out where its user has signed in before, with that password', async () => {
  const from = (address: string, query = good) =>
    signIn(query, { headers: { 'X-Forwarded-For': address } });
  const attackFrom = async (network: number): Promise<void> => {
    for (let guess = 0; guess < 30; guess += 1) {
      const wrong = await from(`2001:db8:0:${network}::${guess}`, 'username=demo&password=wrong');
      expect(wrong.status).toBe(400);
    }
  };
  expectOk(await from('203.0.113.9'));
  await Promise.all(Array.from({ length: 10 }, (_, network) => attackFrom(network)));
  await expectError(await from('203.0.113.10'), 429);
  const token = JSON.parse((await from('203.0.113.9')).text);
  const asked = { token, body: { password: 'another password' } };
  expectOk(await services().ask('PUT /petstore/user/demo', asked));
  await expectError(await from('203.0.113.9', 'username=demo&password=another+password'), 429);
});

describe('a disabled user', () => {
  const disable = (at: number | null = noon) =>
    knexAccounts(services().db, 'petstore').setDisabled('demo', at);

  /** Leaves out what differs between any two answers. */
  const told = ({ status, text, headers }: Answered) => {
    const { date: _, 'x-request-id': __, ...others } = headers;
    return [status, text, others];
  };

  test('is told what comes of a wrong password, also by the limit of attempts', async () => {
    await disable();
    const wrong = 'username=demo&password=wrong';
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const [one, other] = await Promise.all([signIn(), signIn(wrong, {}, 'ads')]);
      expect(told(one)).toEqual(told(other));
      expect(one.status).toBe(400);
    }
    expect(told(await signIn())).toEqual(told(await signIn(wrong, {}, 'ads')));
    await expectError(await signIn(), 429);
  });

  test('has no session any more, and can sign in once enabled', async () => {
    const [token, cookie] = [await services().signIn('petstore'), await cookieOf()];
    const asked: Asked[] = [{ token }, { headers: { Cookie: cookie } }];
    for (const one of asked) expectOk(await createUser(one));
    await disable();
    for (const one of asked) expect((await createUser(one)).status).toBe(401);
    await disable(null);
    for (const one of asked) expect((await createUser(one)).status).toBe(401);
    expectOk(await createUser({ token: await services().signIn('petstore') }));
    expectOk(await createUser({ token: services().login.ads }, 'ads'));
  });
});

describe('a login token', () => {
  test('is good until it ends', async () => {
    const token = await services().signIn('petstore');
    now = noon + 1_799_000;
    expectOk(await createUser({ token }));
    now = noon + 1_800_000;
    const late = await createUser({ token });
    await expectError(late, 401, 'Not logged in: get a token by loginUser');
    expect(late.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('is of no use in the other service', async () => {
    const token = await services().signIn('petstore');
    await expectError(
      await createUser({ token }, 'ads'),
      401,
      'Not logged in: get a token by loginUser',
    );
  });

  test('is presented under "bearer" in any case, and nowhere else', async () => {
    const token = await services().signIn('petstore');
    for (const scheme of ['bearer', 'BEARER']) {
      expectOk(await createUser({ headers: { Authorization: `${scheme} ${token}` } }));
    }
    for (const Authorization of [token, `Token ${token}`, `Bearer${token}`, `Bearer "${token}"`]) {
      await expectError(await createUser({ headers: { Authorization } }), 401);
    }
    await expectError(await createUser({ key: token }), 401);
  });
});

describe('logoutUser', () => {
  const logout = (asked: Asked = {}) => services().ask('GET /petstore/user/logout', asked);

  test('ends the token everywhere, and no other', async () => {
    const token = await services().signIn('petstore');
    const other = await services().signIn('petstore');
    const answered = await logout({ token });
    expect([answered.status, answered.text]).toEqual([200, '']);
    await expectError(await createUser({ token }), 401, 'Not logged in: get a token by loginUser');
    await expectError(await createUser({ headers: { Cookie: `session=${token}` } }), 401);
    expectOk(await createUser({ token: other }));
  });

  test('is fine without a login, or with one that has ended', async () => {
    const token = await services().signIn('petstore');
    for (const asked of [{}, { token }, { token }, { token: 'no-such-token' }]) {
      expectOk(await logout(asked));
    }
  });

  test('ends the session of a cookie and makes the browser forget it', async () => {
    const Cookie = await cookieOf();
    const { headers } = await logout({ headers: { Cookie } });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^session=; Max-Age=0; Path=\/petstore; HttpOnly; SameSite=Strict$/),
    ]);
    await expectError(
      await createUser({ headers: { Cookie } }),
      401,
      'Not logged in: get a token by loginUser',
    );
  });
});

describe('the session cookie', () => {
  test('stays with its service, out of reach of scripts and other sites', async () => {
    const { headers } = await signIn();
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^session=[\w-]{43}; Max-Age=1800; Path=\/petstore; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test.each([
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of another origin', { Origin: 'https://evil.example' }],
  ])('is not given to %s, which gets the token alone', async (_, given) => {
    const { status, headers, text } = await signIn(good, { headers: given });
    expect([status, headers['set-cookie']]).toEqual([200, undefined]);
    expectOk(await createUser({ token: String(JSON.parse(text)) }));
  });

  test('travels over TLS alone where the caller came over TLS', async () => {
    const { headers } = await signIn(good, { headers: { 'X-Forwarded-Proto': 'https' } });
    expect(headers['set-cookie']?.[0]).toMatch(/; Secure/);
  });

  test('is a login', async () => {
    const Cookie = await cookieOf();
    expectOk(await createUser({ headers: { Cookie } }));
    expectOk(await createUser({ headers: { Cookie: `theme=dark; ${Cookie}; lang=fr` } }));
    now = noon + 1_800_000;
    await expectError(
      await createUser({ headers: { Cookie } }),
      401,
      'Not logged in: get a token by loginUser',
    );
  });

  test.each<[string, (origin: string) => Readonly<Record<string, string>>]>([
    ['another site', () => ({ 'Sec-Fetch-Site': 'cross-site' })],
    ['a sibling site', () => ({ 'Sec-Fetch-Site': 'same-site' })],
    ['another origin', () => ({ Origin: 'https://evil.example' })],
    ['another port', () => ({ Origin: 'http://127.0.0.1:1' })],
    ['nowhere', () => ({ Origin: 'null' })],
    ['a name that begins alike', (origin) => ({ Origin: `${origin}.evil.example` })],
  ])('is refused from %s', async (_, headersFor) => {
    const headers = { Cookie: await cookieOf(), ...headersFor(services().origin) };
    const before = await services().db.knex('users').select('key');
    await expectError(await createUser({ headers }), 403, 'Not allowed for this login');
    expect(await services().db.knex('users').select('key')).toEqual(before);
  });

  test.each<[string, (origin: string) => Readonly<Record<string, string>>]>([
    ['the same origin', (Origin) => ({ Origin })],
    ['a page of the same origin', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
    ['the address bar', () => ({ 'Sec-Fetch-Site': 'none' })],
  ])('is taken from %s', async (_, headersFor) => {
    const headers = { Cookie: await cookieOf(), ...headersFor(services().origin) };
    expectOk(await createUser({ headers }));
  });

  test('gives no scopes, and counts less than a token', async () => {
    const { ask } = services();
    const headers = { Cookie: await cookieOf() };
    await expectError(await ask('GET /petstore/pet/findByStatus', { headers }), 401);
    await expectError(await createUser({ headers, token: 'no-such-token' }), 401);
  });

  test('is of no use in the other service', async () => {
    const headers = { Cookie: await cookieOf('petstore') };
    await expectError(
      await createUser({ headers }, 'ads'),
      401,
      'Not logged in: get a token by loginUser',
    );
  });
});
