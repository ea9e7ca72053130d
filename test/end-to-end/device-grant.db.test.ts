/** The device authorization grant (RFC 8628): a device, the page on which its user decides, and what both are refused. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { knexClients } from '../../src/storage/identity/clients';
import type { Answered } from '../support/ask';
import { noon, shop, signInOn, useShop } from '../support/authorize';
import { type Browser, buttonsOf, fieldsOf, type Visited } from '../support/browser';
import { deviceOf, deviceSpecs, type Form } from '../support/device-grant';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { countRows } from '../support/stored-items';

const specs = deviceSpecs();
const { services, clock, browse } = useShop({ SPECS_DIRECTORY: specs });
const { post, begin, newCodes, poll, register } = deviceOf(services);
beforeEach(register);

const page = '/petstore/oauth/device';
const pageOf = (userCode: string) => `${page}?${new URLSearchParams({ user_code: userCode })}`;

const expectRefusal = (answered: Answered, error: string, status = 400): void => {
  expect([answered.status, JSON.parse(answered.text)]).toEqual([
    status,
    { error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/) },
  ]);
  expect(answered.headers['cache-control']).toBe('no-store');
};

/** A browser of a user who has signed in on the page. */
const signedIn = async (): Promise<Browser> => {
  const browser = browse();
  await signInOn(browser, await browser.open(`${page}?`));
  return browser;
};

/** Opens the page of a code as a user who signs in there. */
const consentTo = async (userCode: string, browser: Browser = browse()): Promise<Visited> =>
  signInOn(browser, await browser.open(pageOf(userCode)));

const decide = async (userCode: string, button: 'allow' | 'deny'): Promise<Visited> => {
  const browser = browse();
  return browser.press(await consentTo(userCode, browser), { button });
};

const listPets = (token: string) => services().ask('GET /petstore/pet/findByTags', { token });

test('W37 an independent client finds its way from the metadata to a token', async () => {
  const { origin } = services();
  const oauth = await import('oauth4webapi');
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(`${origin}/petstore`);
  const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  expect(server).toMatchObject({
    device_authorization_endpoint: `${origin}/petstore/oauth/device_authorization`,
    grant_types_supported: [
      ...['authorization_code', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'],
    ],
  });
  const client = { client_id: 'tv' };
  const begun = await oauth.deviceAuthorizationRequest(
    ...[server, client, oauth.None(), { scope: 'read:pets write:pets' }, options],
  );
  const codes = await oauth.processDeviceAuthorizationResponse(server, client, begun);
  expect(codes).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${origin}/petstore/oauth/device`,
    verification_uri_complete: `${origin}/petstore/oauth/device?user_code=${codes.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const ask = async () => {
    const answer = await oauth.deviceCodeGrantRequest(
      ...[server, client, oauth.None(), codes.device_code, options],
    );
    return oauth.processDeviceCodeResponse(server, client, answer);
  };
  await expect(ask()).rejects.toMatchObject({ error: 'authorization_pending' });
  expect((await decide(codes.user_code, 'allow')).text).toContain('Your device is connected');
  const tokens = await ask();
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read:pets write:pets' });
  expectOk(await listPets(tokens.access_token));
  await expect(ask()).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('a device gets a token for the resource that it asked for, and for no other (RFC 8707)', async () => {
  const resource = `${services().origin}/petstore/pet/findByTags`;
  const scope = 'read:pets write:pets';
  expectRefusal(await begin({ resource: 'https://other.example' }), 'invalid_target');
  const { device_code, user_code } = await newCodes({ scope, resource });
  await decide(user_code, 'allow');
  const wider = `${services().origin}/petstore`;
  expectRefusal(await poll(device_code, { resource: wider }), 'invalid_target');
  const { access_token: token } = JSON.parse((await poll(device_code, { resource })).text);
  expectOk(await listPets(token));
  await expectError(await services().ask('GET /petstore/pet/findByStatus', { token }), 401);
});

test('W38 the metadata is where the document says, too', async () => {
  const { ask, origin } = services();
  const [declared, usual] = [
    await ask('GET /petstore/.well-known/oauth'),
    await ask('GET /.well-known/oauth-authorization-server/petstore'),
  ];
  expect([declared.status, declared.headers['content-type']]).toEqual([200, 'application/json']);
  expect(declared.text).toBe(usual.text);
  const { text } = await ask('GET /petstore/openapi.json');
  const { petstore_auth: scheme } = JSON.parse(text).components.securitySchemes;
  expect(scheme.oauth2MetadataUrl).toBe(`${origin}/petstore/.well-known/oauth`);
  await expectError(await ask('GET /petstore/.well-known/other'), 404);
});

describe('W37 a device', () => {
  test('waits, is told to wait longer, and gets its token once', async () => {
    const { device_code, user_code } = await newCodes({ scope: 'read:pets write:pets' });
    const steps: [number, string][] = [
      [0, 'authorization_pending'],
      [4, 'slow_down'],
      [13, 'slow_down'],
      [28, 'authorization_pending'],
    ];
    for (const [second, error] of steps) {
      clock.now = noon + second * 1000;
      expectRefusal(await poll(device_code), error);
    }
    await decide(user_code, 'allow');
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(device_code)));
    const [good, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(JSON.parse(good?.text ?? '')).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read:pets write:pets',
    });
    expectOk(await listPets(JSON.parse(good?.text ?? '').access_token));
    expectRefusal(await poll(device_code), 'invalid_grant');
  });

  test('learns that its user has denied it', async () => {
    const { device_code, user_code } = await newCodes();
    const denied = await decide(user_code, 'deny');
    expect([denied.status, buttonsOf(denied.text)]).toEqual([200, []]);
    expect(denied.text).toContain('No access was granted');
    expectRefusal(await poll(device_code), 'access_denied');
    expectRefusal(await poll(device_code), 'access_denied');
    expect((await (await signedIn()).open(pageOf(user_code))).text).toContain('This code is wrong');
  });

  test('learns that its codes have expired, allowed or not', async () => {
    const [one, other] = [await newCodes(), await newCodes()];
    await decide(one.user_code, 'allow');
    const browser = await signedIn();
    clock.now = noon + 599_999;
    expect((await browser.open(pageOf(other.user_code))).status).toBe(200);
    clock.now = noon + 600_000;
    expect((await browser.open(pageOf(other.user_code))).status).toBe(400);
    for (const { device_code } of [one, other]) {
      expectRefusal(await poll(device_code), 'expired_token');
    }
    clock.now = noon + 1_200_000;
    await newCodes();
    expectRefusal(await poll(one.device_code), 'invalid_grant');
    expect(await countRows(services().db, 'device_codes')).toBe(1);
  });

  test('that names no scopes asks for those that operations require', async () => {
    const { device_code, user_code } = await newCodes({ scope: undefined });
    await decide(user_code, 'allow');
    expect(JSON.parse((await poll(device_code)).text).scope).toBe('write:pets read:pets');
  });

  test('has codes of which digests alone are kept', async () => {
    const codes = await newCodes();
    await decide(codes.user_code, 'allow');
    const { knex } = services().db;
    const kept = JSON.stringify(await knex('device_codes').select());
    for (const secret of [codes.device_code, codes.user_code, codes.user_code.replace('-', '')]) {
      expect(kept).not.toContain(secret);
    }
  });

  test.each<[string, number, string, Form]>([
    ['no client', 400, 'invalid_request', { client_id: undefined }],
    ['an unknown client', 401, 'invalid_client', { client_id: 'nobody' }],
    ['a secret', 401, 'invalid_client', { client_secret: 'x' }],
    ['a client that may not', 400, 'unauthorized_client', { client_id: 'web' }],
    ['the documentation', 400, 'unauthorized_client', { client_id: 'docs' }],
    ['an unknown scope', 400, 'invalid_scope', { scope: 'read:pets fly' }],
  ])('is refused codes with %s', async (_, status, error, change) => {
    const web = { ...shop, clientId: 'web', flows: ['code', 'implicit'] } as const;
    await knexClients(services().db, 'petstore').add(web);
    expectRefusal(await begin(change), error, status);
    expect(await countRows(services().db, 'device_codes')).toBe(0);
  });

  test.each<[string, number, string, Form]>([
    ['no code', 400, 'invalid_request', { device_code: undefined }],
    ['an unknown code', 400, 'invalid_grant', { device_code: 'x' }],
    ['another client', 400, 'invalid_grant', { client_id: 'shop' }],
    ['an unknown client', 401, 'invalid_client', { client_id: 'nobody' }],
    ['another grant', 400, 'unsupported_grant_type', { grant_type: 'password' }],
    ['the grant of codes', 400, 'invalid_request', { grant_type: 'authorization_code' }],
  ])('is refused a token with %s', async (_, status, error, change) => {
    const { device_code, user_code } = await newCodes();
    await decide(user_code, 'allow');
    expectRefusal(await poll(device_code, change), error, status);
    expectOk(await poll(device_code));
  });

  test('may not give a parameter twice, nor use another method', async () => {
    const { ask } = services();
    const body = 'client_id=tv&scope=read:pets&scope=read:pets';
    const twice = await ask('POST /petstore/oauth/device_authorization', {
      ...{ type: 'application/x-www-form-urlencoded', body },
    });
    expectRefusal(twice, 'invalid_request');
    const got = await ask('GET /petstore/oauth/device_authorization?client_id=tv');
    await expectError(got, 405);
    expect(got.headers.allow).toBe('POST');
  });

  test('is one of so many of a network', async () => {
    for (let number = 0; number < 300; number += 1) expect((await begin()).status).toBe(200);
    const refused = await begin();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
    clock.now = noon + 900_000;
    expectOk(await begin());
  });
});

describe('the page', () => {
  test('signs the user in, asks for the code, and shows who asks for what', async () => {
    const browser = browse();
    const signIn = await browser.open(`${page}?`);
    expect(signIn.text).toMatch(/to continue to your device with your Pet [^<]* account/i);
    const empty = await signInOn(browser, signIn);
    expect([empty.status, fieldsOf(empty.text)]).toEqual([200, { user_code: '' }]);
    expect(empty.text).toContain('<h1>Connect a device</h1>');
    const { user_code } = await newCodes({ scope: 'read:pets write:pets' });
    const { text } = await browser.open(pageOf(user_code));
    expect(text).toContain('Allow Anna &amp; &lt;b&gt;Bert&lt;/b&gt;’s TV access?');
    expect(text).toContain('<code>read:pets</code>');
    expect(text).toContain('<code>write:pets</code>');
    expect(text).toContain(`<b>${user_code}</b>`);
    expect(text).not.toContain('You will be sent to');
    expect(buttonsOf(text)).toEqual(['allow', 'deny', 'switch']);
  });

  test('knows a user who has signed in before', async () => {
    const browser = browse();
    await consentTo((await newCodes()).user_code, browser);
    const { device_code, user_code } = await newCodes();
    const consent = await browser.open(pageOf(user_code));
    expect((await browser.press(consent, { button: 'allow' })).status).toBe(200);
    expectOk(await poll(device_code));
  });

  test.each<[string, (code: string) => string]>([
    ['in small letters', (code) => code.toLowerCase()],
    ['without the hyphen', (code) => code.replace('-', '')],
    ['with blanks and dots', (code) => ` ${code.replace('-', ' . ')} `],
    ['with letters that no code has', (code) => `${code}AEIOU1`],
  ])('takes a code %s', async (_, typed) => {
    const { user_code } = await newCodes();
    expect((await consentTo(typed(user_code))).text).toContain(`<b>${user_code}</b>`);
  });

  test.each<[string, string]>([
    ['unknown', 'BBBB-BBBB'],
    ['too short', 'BBB'],
    ['too long', 'BBBB-BBBB-B'],
    ['no code at all', '"><script>'],
    ['long', 'B'.repeat(4000)],
  ])('refuses a code that is %s, and asks for another', async (_, typed) => {
    const wrong = await (await signedIn()).open(pageOf(typed));
    expect([wrong.status, fieldsOf(wrong.text)['user_code']]).toEqual([400, typed]);
    expect(wrong.text).toContain('This code is wrong, used or expired.');
    expect(wrong.text).toContain('aria-invalid="true"');
    expect(wrong.text).not.toContain('<script>');
  });

  test.each([`${page}?user_code=`, `${page}?user_code=a&user_code=b`, `${page}?user_code=%zz`])(
    'asks for a code at %s',
    async (target) => {
      const asked = await (await signedIn()).open(target);
      expect([asked.status, fieldsOf(asked.text)]).toEqual([200, { user_code: '' }]);
    },
  );

  test('takes so many wrong codes of a user, and no right one then', async () => {
    const { user_code, device_code } = await newCodes();
    const browser = browse();
    const consent = await consentTo(user_code, browser);
    for (let number = 0; number < 30; number += 1) {
      expect((await browser.open(pageOf('BBBB-BBBB'))).status).toBe(400);
    }
    for (const refused of [
      await browser.open(pageOf('BBBB-BBBB')),
      await browser.open(pageOf(user_code)),
      await browser.press(consent, { button: 'allow' }),
    ]) {
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
      expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    }
    expectRefusal(await poll(device_code), 'authorization_pending');
    expect((await browser.open(page)).status).toBe(200);
  });

  test('tells nothing of a code, and changes nothing, before anybody has signed in', async () => {
    const { user_code, device_code } = await newCodes();
    const browser = browse();
    const [signIn, other] = [await browser.open(pageOf(user_code)), await browser.open(page)];
    const withoutToken = ({ text }: Visited) => text.replace(/name="form_token" value="\w+"/, '');
    expect(withoutToken(signIn)).toBe(withoutToken(other));
    const left = await browser.press(signIn, { button: 'cancel' });
    expect([left.status, buttonsOf(left.text)]).toEqual([200, []]);
    expect(left.text).toContain('No access was granted');
    const body = new URLSearchParams({ action: 'allow' }).toString();
    const type = 'application/x-www-form-urlencoded';
    const forged = await services().ask(`POST ${pageOf(user_code)}`, { type, body });
    expect(forged.status).toBe(403);
    expectRefusal(await poll(device_code), 'authorization_pending');
  });

  test('decides once, and says where it is too late', async () => {
    const { user_code } = await newCodes();
    const [one, other] = [browse(), browse()];
    const [first, second] = [await consentTo(user_code, one), await consentTo(user_code, other)];
    expect((await one.press(first, { button: 'deny' })).status).toBe(200);
    const late = await other.press(second, { button: 'allow' });
    expect([late.status, fieldsOf(late.text)['user_code']]).toEqual([400, user_code]);
  });

  test('knows no code whose client is gone', async () => {
    const { user_code } = await newCodes();
    await knexClients(services().db, 'petstore').remove('tv');
    expect((await (await signedIn()).open(pageOf(user_code))).status).toBe(400);
  });

  test('is kept from frames, caches and other sites', async () => {
    const { user_code } = await newCodes();
    const pages = [await browse().open(page), await (await signedIn()).open(page)];
    for (const { headers } of [...pages, await consentTo(user_code)]) {
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src '[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  test.each<[string, number, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['no token', 403, { form_token: '' }, {}],
    ['a token that is made up', 403, { form_token: 'x'.repeat(64) }, {}],
    ['another site', 403, {}, { 'Sec-Fetch-Site': 'cross-site' }],
  ])('takes no form of %s', async (_, status, fields, headers) => {
    const { user_code, device_code } = await newCodes();
    const browser = browse();
    const consent = await consentTo(user_code, browser);
    for (const button of ['allow', 'deny', 'switch']) {
      const refused = await browser.press(consent, { button, fields }, headers);
      expect(refused.status).toBe(status);
    }
    expectRefusal(await poll(device_code), 'authorization_pending');
  });

  test('takes no form of another code', async () => {
    const [mine, theirs] = [await newCodes(), await newCodes()];
    const browser = browse();
    const consent = await consentTo(mine.user_code, browser);
    const moved = { ...consent, target: pageOf(theirs.user_code) };
    expect((await browser.press(moved, { button: 'allow' })).status).toBe(403);
    expectRefusal(await poll(theirs.device_code), 'authorization_pending');
  });

  test('speaks French', async () => {
    const asked = await (await signedIn()).open(page, { 'Accept-Language': 'fr' });
    expect(asked.text).toContain('<h1>Connecter un appareil</h1>');
  });

  test('has GET, HEAD and POST', async () => {
    const put = await services().ask(`PUT ${page}`);
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});

test('a service whose document does not declare the grant has none of it', async () => {
  const { ask } = services();
  for (const path of ['device', 'device_authorization']) {
    await expectError(await ask(`GET /ads/oauth/${path}`), 404);
    await expectError(await ask(`POST /ads/oauth/${path}`), 404);
  }
  const { text } = await ask('GET /.well-known/oauth-authorization-server/ads');
  expect(text).not.toContain('device');
  const { device_code } = await newCodes();
  const refused = await ask('POST /ads/oauth/token', {
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      ...{ client_id: 'shop', device_code },
    }).toString(),
  });
  expectRefusal(refused, 'unsupported_grant_type');
  expect((await post('token', { grant_type: 'x' })).text).toContain(
    'authorization_code or urn:ietf:params:oauth:grant-type:device_code',
  );
});
