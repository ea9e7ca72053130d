/** The implicit flow (RFC 6749 section 4.2) as a browser goes through it. */

import { describe, expect, test } from '@jest/globals';
import { knexClients } from '../../src/storage/identity/clients';
import {
  authorizeTarget,
  backAt,
  goodPassword,
  grantAll,
  noon,
  shopUri,
  signInOn,
  tokenRequest,
  useShop,
} from '../support/authorize';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';

const { services, clock, browse } = useShop({ TOKEN_TTL_SECONDS: '1800' });

const target = (change: Readonly<Record<string, string | undefined>> = {}, service?: string) =>
  authorizeTarget({ ...tokenRequest, ...change }, service);

describe('a token', () => {
  test('comes back in the fragment, is good for its scopes and nothing else, and ends', async () => {
    const { ask, origin } = services();
    const back = backAt(await grantAll(browse(), target()), shopUri, '#');
    expect(back).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: '1800',
      scope: 'read:pets',
      state: tokenRequest.state,
      iss: `${origin}/petstore`,
    });
    const token = back['access_token'];
    const list = 'GET /petstore/pet/findByTags';
    await expectError(await ask(list, { token }), 403);
    await expectError(await ask('POST /petstore/user', { token, body: { username: 'x' } }), 403);
    const whole = backAt(
      await grantAll(browse(), target({ scope: 'write:pets read:pets' })),
      shopUri,
      '#',
    )['access_token'];
    expectOk(await ask(list, { token: whole }));
    clock.now = noon + 1_800_000;
    await expectError(await ask(list, { token: whole }), 401);
  });

  test('is ended by logout', async () => {
    const { ask } = services();
    const redirect = await grantAll(browse(), target({ scope: undefined }));
    const token = backAt(redirect, shopUri, '#')['access_token'];
    expectOk(await ask('GET /petstore/pet/findByTags', { token }));
    expectOk(await ask('GET /petstore/user/logout', { token }));
    await expectError(await ask('GET /petstore/pet/findByTags', { token }), 401);
  });

  test('of the advertisements carries the scopes that no scheme declares, which are those granted by default', async () => {
    const { ask, origin } = services();
    const ad = {
      title: 'Maison',
      propertyType: 'À la vente',
      publicationStatus: 'Publiée',
      propertyStatus: 'Disponible',
      description: 'd',
      price: 1,
      availabilityDate: '2030-01-01T00:00:00Z',
      userName: 'demo',
    };
    for (const scope of ['write:ads read:ads', undefined]) {
      const back = backAt(await grantAll(browse(), target({ scope }, 'ads')), shopUri, '#');
      expect(back).toMatchObject({ scope: 'write:ads read:ads', iss: `${origin}/ads` });
      expectOk(await ask('POST /ads/ad', { token: back['access_token'], body: ad }));
    }
  });

  test('of one service is none of the other', async () => {
    const back = backAt(
      await grantAll(browse(), target({ scope: undefined }, 'ads')),
      shopUri,
      '#',
    );
    const token = back['access_token'];
    await expectError(await services().ask('GET /petstore/pet/findByTags', { token }), 401);
  });

  test('is kept as a digest, with its client', async () => {
    const back = backAt(await grantAll(browse(), target()), shopUri, '#');
    const rows = await services().db.knex('tokens').where({ client: 'shop' }).select();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(await services().db.knex('tokens').select())).not.toContain(
      back['access_token'],
    );
  });
});

describe('whoever is signed in', () => {
  test('is asked for consent each time, but not for the password, until the session ends', async () => {
    const browser = browse();
    await grantAll(browser, target());
    const again = await browser.open(target());
    expect(again.text).not.toContain('name="password"');
    expect(again.text).toContain('<b>demo</b>');
    clock.now = noon + 15 * 60 * 1000;
    const late = await browser.press(again, { button: 'allow' });
    expect([late.status, late.headers.location]).toEqual([403, undefined]);
    expect(late.text).toContain('Your session has ended');
    expect(late.text).toContain('name="password"');
  });

  test('may have signed in by loginUser', async () => {
    const browser = browse();
    const { headers } = await services().ask(
      'GET /petstore/user/login?username=demo&password=demo-password',
    );
    for (const cookie of headers['set-cookie'] ?? []) browser.take(cookie);
    const page = await browser.open(target());
    expect(page.text).not.toContain('name="password"');
    backAt(await browser.press(page, { button: 'allow' }), shopUri, '#');
  });

  test('may be somebody else', async () => {
    const { ask, login } = services();
    const body = { username: 'zoe', password: 'z' };
    expectOk(await ask('POST /petstore/user', { token: login.petstore, body }));
    const browser = browse();
    const consent = await signInOn(browser, await browser.open(target()));
    const page = await browser.press(consent, { button: 'switch' });
    expect(page.text).toContain('name="password"');
    // The first session has ended, not only its cookie.
    const old = await browser.press(consent, { button: 'allow' });
    expect(old.status).toBe(403);
    const redirect = await browser.press(page, { button: 'sign-in', fields: body });
    const other = await browser.follow(redirect);
    expect(other.text).toContain('<b>zoe</b>');
    backAt(await browser.press(other, { button: 'allow' }), shopUri, '#');
  });

  test('is no login for operations, wherever the value of the cookie is put', async () => {
    const { ask } = services();
    const browser = browse();
    const consent = await signInOn(browser, await browser.open(target()));
    const value = browser.cookiesFor('/petstore/oauth/authorize')['authorization'] ?? '';
    expect(value).not.toBe('');
    const body = { username: 'eve' };
    await expectError(await ask('POST /petstore/user', { token: value, body }), 401);
    const headers = { Cookie: `session=${value}` };
    await expectError(await ask('POST /petstore/user', { headers, body }), 401);
    expectOk(await ask('GET /petstore/user/logout', { token: value }));
    backAt(await browser.press(consent, { button: 'allow' }), shopUri, '#');
  });

  test('is not a login of the service in the place of a sign-in on the page', async () => {
    const browser = browse();
    const login = await services().signIn('petstore');
    browser.take(`authorization=${login}; Path=/petstore/oauth`);
    expect((await browser.open(target())).text).toContain('name="password"');
  });

  test('is not signed in to the service itself, nor to another', async () => {
    const browser = browse();
    await signInOn(browser, await browser.open(target()));
    expect(Object.keys(browser.cookiesFor('/petstore/oauth/authorize')).sort()).toEqual([
      'authorization',
      'authorization-form',
    ]);
    expect(browser.cookiesFor('/petstore/user')).toEqual({});
    expect((await browser.open(target({ scope: undefined }, 'ads'))).text).toContain(
      'name="password"',
    );
  });
});

describe('the answer to the client', () => {
  test.each([
    ['cancel', 'the sign-in'],
    ['deny', 'the consent'],
  ])('is access_denied where the user presses %s on %s', async (button) => {
    const browser = browse();
    const first = await browser.open(target());
    const page = button === 'cancel' ? first : await signInOn(browser, first);
    const back = backAt(await browser.press(page, { button }), shopUri, '#');
    expect(back).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: tokenRequest.state,
      iss: `${services().origin}/petstore`,
    });
    expect(await services().db.knex('tokens').where({ client: 'shop' })).toEqual([]);
  });

  test.each<[string, string, Readonly<Record<string, string | undefined>>]>([
    ['invalid_request', 'no response_type', { response_type: undefined }],
    ['invalid_request', 'an empty response_type', { response_type: '' }],
    ['unsupported_response_type', 'another response_type', { response_type: 'id_token' }],
    ['unsupported_response_type', 'two response types', { response_type: 'token id_token' }],
    ['invalid_scope', 'an unknown scope', { scope: 'read:pets write:ads' }],
    ['invalid_scope', 'a scope in another case', { scope: 'READ:pets' }],
  ])('is %s after %s', async (error, _, change) => {
    const back = backAt(await browse().open(target(change)), shopUri, '#');
    expect(back).toMatchObject({ error, state: tokenRequest.state, iss: expect.any(String) });
  });

  test.each(['response_type', 'scope', 'state'] as const)(
    'is invalid_request after two %ss',
    async (name) => {
      const twice = `${target()}&${name}=${encodeURIComponent(tokenRequest[name])}`;
      const back = backAt(await browse().open(twice), shopUri, '#');
      expect(back['error']).toBe('invalid_request');
      expect(back['state']).toBe(name === 'state' ? undefined : tokenRequest.state);
    },
  );

  test('has no state where none was given, and knows no parameter of others', async () => {
    const asked = `${target({ state: undefined })}&nonce=1&nonce=2&display=popup`;
    const back = backAt(await grantAll(browse(), asked), shopUri, '#');
    expect(Object.keys(back).sort()).toEqual([
      ...['access_token', 'expires_in', 'iss', 'scope', 'token_type'],
    ]);
  });

  test('goes to the only redirect URI where none was given', async () => {
    backAt(await grantAll(browse(), target({ redirect_uri: undefined })), shopUri, '#');
  });
});

describe('nothing is sent anywhere', () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ['without a client', { client_id: undefined }, ''],
    ['for an unknown client', { client_id: 'nobody' }, ''],
    ['for a client that no database can name', { client_id: 'a\u0000' }, ''],
    ['for two clients', {}, '&client_id=docs'],
    ['to two addresses', {}, `&redirect_uri=${encodeURIComponent(shopUri)}`],
    ['to an address below the registered one', { redirect_uri: `${shopUri}/x` }, ''],
    ['to an address with more in its query', { redirect_uri: `${shopUri}&x=1` }, ''],
    ['to an address in another case', { redirect_uri: shopUri.replace('shop.', 'Shop.') }, ''],
    ['to an address with a fragment', { redirect_uri: `${shopUri}#x` }, ''],
    ['to another site', { redirect_uri: 'https://evil.example/' }, ''],
    [
      'without an address, where there are several',
      { client_id: 'docs', redirect_uri: undefined },
      '',
    ],
    ['for a damaged query', {}, '&x=%zz'],
    ['for bytes that are no text', {}, '&x=%ff'],
  ])('%s', async (_, change, more) => {
    for (const scope of ['read:pets', 'unknown']) {
      const page = await browse().open(`${target({ scope, ...change })}${more}`);
      expect([page.status, page.headers.location]).toEqual([400, undefined]);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.text).toContain('role="alert"');
      expect(page.text).not.toContain('evil.example');
    }
  });
});

test('the documentation page is a client at home and on this machine', async () => {
  const { port } = new URL(services().origin);
  for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
    const redirect_uri = `${origin}/petstore/docs/oauth2-redirect.html`;
    const page = await grantAll(browse(), target({ client_id: 'docs', redirect_uri }));
    expect(backAt(page, redirect_uri, '#')['access_token']).toEqual(expect.any(String));
  }
});

test('an application on this machine may listen at any port, where its registration says so', async () => {
  const client = { clientId: 'app', name: 'App', redirectUris: ['http://127.0.0.1/back'] };
  await knexClients(services().db, 'petstore').add(client);
  const redirect_uri = 'http://127.0.0.1:51004/back';
  const redirect = await grantAll(browse(), target({ client_id: 'app', redirect_uri }));
  expect(backAt(redirect, redirect_uri, '#')['access_token']).toEqual(expect.any(String));
});

describe('a password', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['that is wrong', { ...goodPassword, password: 'x' }, 'The username or the password is wrong.'],
    [
      'of nobody',
      { ...goodPassword, username: 'no"<b>' },
      'The username or the password is wrong.',
    ],
    [
      'of a name with U+0000',
      { ...goodPassword, username: 'demo\u0000' },
      'The username or the password is wrong.',
    ],
    ['that is missing', { username: 'demo' }, 'Enter your username and your password.'],
    ['without a name', { password: 'demo-password' }, 'Enter your username and your password.'],
  ])('%s gives the form back, tied to what is wrong', async (_, fields, notice) => {
    const browser = browse();
    const page = await browser.press(await browser.open(target()), { button: 'sign-in', fields });
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect(page.text).toContain(`<p class="notice" id="notice" role="alert">${notice}</p>`);
    expect(page.text.match(/aria-invalid="true" aria-describedby="notice"/g)).toHaveLength(2);
    expect(page.text).not.toContain('no"<b>');
    expect(page.text).not.toContain('demo-password');
    await signInOn(browser, page);
  });

  test('is guessed so often, and not for ever', async () => {
    const browser = browse();
    let page = await browser.open(target());
    const wrong = { button: 'sign-in', fields: { ...goodPassword, password: 'x' } };
    for (let guess = 0; guess < 30; guess += 1) page = await browser.press(page, wrong);
    expect(page.status).toBe(400);
    const refused = await browser.press(page, { button: 'sign-in', fields: goodPassword });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
    expect(refused.text).toContain('Too many sign-ins have failed.');
    clock.now = noon + 900_000;
    await signInOn(browser, refused);
  });
});
