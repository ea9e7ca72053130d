/** The code flow with PKCE (RFC 6749 section 4.1, RFC 7636), with an independent client library and by hand. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type ClientFlow, knexClients } from '../../src/storage/identity/clients';
import { knexAccounts } from '../../src/storage/identity/users';
import type { Answered } from '../support/ask';
import {
  authorizeTarget,
  backAt,
  grantAll,
  noon,
  shop,
  shopUri,
  tokenRequest,
  useShop,
} from '../support/authorize';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { countRows } from '../support/stored-items';

const { services, clock, browse } = useShop({ TOKEN_TTL_SECONDS: '1800' });

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const codeRequest = {
  ...tokenRequest,
  response_type: 'code',
  scope: 'read:pets write:pets',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

type Change = Readonly<Record<string, string | undefined>>;

const target = (change: Change = {}) => authorizeTarget({ ...codeRequest, ...change });

/** A code, as the client gets it. */
const newCode = async (change: Change = {}): Promise<string> => {
  const back = backAt(await grantAll(browse(), target(change)), shopUri, '&');
  expect(back).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: tokenRequest.state,
    iss: `${services().origin}/petstore`,
  });
  return back['code'] ?? '';
};

const form = 'application/x-www-form-urlencoded';

const post = (path: string, fields: Change, headers: Readonly<Record<string, string>> = {}) => {
  const given = Object.entries(fields).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const body = new URLSearchParams(given).toString();
  return services().ask(`POST /petstore/oauth/${path}`, { type: form, body, headers });
};

const exchange = (code: string, change: Change = {}) =>
  post('token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: shopUri,
    client_id: shop.clientId,
    code_verifier: verifier,
    ...change,
  });

const expectRefusal = (answered: Answered, status: number, error: string): void => {
  expect([answered.status, JSON.parse(answered.text)]).toEqual([
    status,
    { error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/) },
  ]);
  expect(answered.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
};

const tokenOf = ({ text }: Answered): string => JSON.parse(text).access_token;
const listPets = (token: string) => services().ask('GET /petstore/pet/findByTags', { token });

test('a client that is bound to one flow is refused the other', async () => {
  const clients = knexClients(services().db, 'petstore');
  const add = (clientId: string, flows: readonly ClientFlow[]) =>
    clients.add({ ...shop, clientId, flows });
  await add('code-only', ['code']);
  await add('implicit-only', ['implicit']);
  const open = (client_id: string, response_type: string) =>
    browse().open(target({ client_id, response_type }));
  const refusal = { error: 'unauthorized_client', state: tokenRequest.state };
  expect(backAt(await open('code-only', 'token'), shopUri, '#')).toMatchObject(refusal);
  expect(backAt(await open('implicit-only', 'code'), shopUri, '&')).toMatchObject(refusal);
  const code = await newCode({ client_id: 'code-only' });
  expectOk(await exchange(code, { client_id: 'code-only' }));
  const granted = await grantAll(
    browse(),
    target({ client_id: 'implicit-only', response_type: 'token' }),
  );
  expect(backAt(granted, shopUri, '#')).toMatchObject({ token_type: 'Bearer' });
});

test('a disabled user has neither codes, tokens nor a session, and cannot sign in on the page', async () => {
  const browser = browse();
  const code = backAt(await grantAll(browser, target()), shopUri, '&')['code'] ?? '';
  const token = tokenOf(await exchange(await newCode()));
  expectOk(await listPets(token));
  await knexAccounts(services().db, 'petstore').setDisabled('demo', noon);
  expectRefusal(await exchange(code), 400, 'invalid_grant');
  expect((await listPets(token)).status).toBe(401);
  const page = await browser.open(target());
  const give = (password: string) =>
    browser.press(page, { button: 'sign-in', fields: { username: 'demo', password } });
  const [right, wrong] = [await give('demo-password'), await give('wrong')];
  expect([right.status, right.headers['set-cookie']]).toEqual([400, undefined]);
  expect(right.text).toBe(wrong.text);
});

test('a code ends where the user gives a new password', async () => {
  const code = await newCode();
  const { ask, login } = services();
  const changed = await ask('PUT /petstore/user/demo', {
    token: login.petstore,
    body: { password: 'a new password' },
  });
  expect(changed.status).toBe(200);
  expectRefusal(await exchange(code), 400, 'invalid_grant');
});

test('an independent client finds its way from the metadata to a token, and revokes it', async () => {
  const { origin, db } = services();
  const oauth = await import('oauth4webapi');
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(`${origin}/petstore`);
  const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  const client = { client_id: shop.clientId };
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: shopUri,
    response_type: 'code',
    scope: 'read:pets write:pets',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }).toString();
  const redirect = await grantAll(browse(), url.pathname + url.search);
  const back = new URL(redirect.headers.location ?? '');
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    ...[server, client, oauth.None(), parameters, shopUri, codeVerifier, options],
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'bearer',
    expires_in: 1800,
    scope: 'read:pets write:pets',
  });
  expectOk(await listPets(tokens.access_token));

  const described = await oauth.introspectionRequest(
    ...[server, client, oauth.None(), tokens.access_token],
    { ...options, headers: { api_key: 'special-key' } },
  );
  expect(await oauth.processIntrospectionResponse(server, client, described)).toEqual({
    active: true,
    scope: 'read:pets write:pets',
    client_id: 'shop',
    username: 'demo',
    sub: 'demo',
    token_type: 'Bearer',
    iat: noon / 1000,
    exp: noon / 1000 + 1800,
    iss: issuer.href,
  });

  const revoked = await oauth.revocationRequest(
    ...[server, client, oauth.None(), tokens.access_token, options],
  );
  expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
  await expectError(await listPets(tokens.access_token), 401);
  expect(await db.knex('tokens').where({ client: 'shop' })).toEqual([]);
});

describe('the authorization endpoint', () => {
  test.each<[string, string, Change]>([
    ['invalid_request', 'no challenge', { code_challenge: undefined }],
    ['invalid_request', 'the method plain', { code_challenge_method: 'plain' }],
    ['invalid_request', 'no method, which means plain', { code_challenge_method: undefined }],
    ['invalid_request', 'a challenge that is no digest', { code_challenge: 'x'.repeat(42) }],
    ['invalid_scope', 'an unknown scope', { scope: 'x' }],
  ])('answers %s in the query after %s', async (error, _, change) => {
    const back = backAt(await browse().open(target(change)), shopUri, '&');
    expect(back).toMatchObject({ error, state: tokenRequest.state, iss: expect.any(String) });
  });

  test('answers access_denied in the query', async () => {
    const browser = browse();
    const page = await browser.press(await browser.open(target()), { button: 'cancel' });
    expect(backAt(page, shopUri, '&')['error']).toBe('access_denied');
    expect(await countRows(services().db, 'oauth_codes')).toBe(0);
  });

  test.each(['code_challenge', 'code_challenge_method'] as const)(
    'answers invalid_request after two %ss',
    async (name) => {
      const back = backAt(
        await browse().open(`${target()}&${name}=${codeRequest[name]}`),
        ...([shopUri, '&'] as const),
      );
      expect(back['error']).toBe('invalid_request');
    },
  );
});

describe('a code', () => {
  test('is exchanged for a token that is good for what was granted', async () => {
    const answered = await exchange(await newCode());
    expect([answered.status, JSON.parse(answered.text)]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 1800,
        scope: 'read:pets write:pets',
      },
    ]);
    expect(answered.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expectOk(await listPets(tokenOf(answered)));
  });

  test('is kept as a digest, and its token, too', async () => {
    const code = await newCode();
    const token = tokenOf(await exchange(code));
    const { knex } = services().db;
    const rows = JSON.stringify([
      await knex('oauth_codes').select(),
      await knex('tokens').select(),
    ]);
    for (const secret of [code, token, verifier]) expect(rows).not.toContain(secret);
  });

  test('is good once; the second time it ends the token of the first', async () => {
    const code = await newCode();
    const token = tokenOf(await exchange(code));
    expectOk(await listPets(token));
    // Long after the code has expired, as long as the token is good.
    clock.now = noon + 1_799_000;
    await exchange(await newCode());
    expectOk(await listPets(token));
    expectRefusal(await exchange(code), 400, 'invalid_grant');
    await expectError(await listPets(token), 401);
  });

  test('is exchanged by one of many who try at the same time, and the others end its token', async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(code)));
    const [good, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    await expectError(await listPets(good === undefined ? '' : tokenOf(good)), 401);
  });

  test.each<[string, Change]>([
    ['another redirect URI', { redirect_uri: 'https://shop.example/back' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['the challenge for a verifier', { code_verifier: challenge }],
    ['another client', { client_id: 'till' }],
  ])('is of no use with %s, and then of none at all', async (_, change) => {
    const till = { clientId: 'till', name: 'Till', redirectUris: [shopUri] };
    await knexClients(services().db, 'petstore').add(till);
    const code = await newCode();
    expectRefusal(await exchange(code, change), 400, 'invalid_grant');
    expectRefusal(await exchange(code), 400, 'invalid_grant');
    expect(await services().db.knex('tokens').whereNotNull('client')).toEqual([]);
  });

  test('needs no redirect URI where the request had none', async () => {
    const code = await newCode({ redirect_uri: undefined });
    expectOk(await exchange(code, { redirect_uri: undefined }));
  });

  test('is good for a minute, and forgotten then', async () => {
    const [early, late] = [await newCode(), await newCode()];
    clock.now = noon + 59_999;
    expectOk(await exchange(early));
    clock.now = noon + 60_000;
    expectRefusal(await exchange(late), 400, 'invalid_grant');
    expect(await countRows(services().db, 'oauth_codes')).toBe(1);
    clock.now = noon + 59_999 + 1_800_000;
    expectRefusal(await exchange('nothing'), 400, 'invalid_grant');
    expect(await countRows(services().db, 'oauth_codes')).toBe(0);
  });

  test('goes with its user', async () => {
    const { ask, login } = services();
    const code = await newCode();
    expectOk(await ask('DELETE /petstore/user/demo', { token: login.petstore }));
    expectRefusal(await exchange(code), 400, 'invalid_grant');
  });

  test('is of no use in the other service', async () => {
    const code = await newCode();
    const body = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: shopUri },
      ...{ client_id: 'shop', code_verifier: verifier },
    }).toString();
    const answered = await services().ask('POST /ads/oauth/token', { type: form, body });
    expectRefusal(answered, 400, 'invalid_grant');
    expectOk(await exchange(code));
  });
});

describe('the token endpoint refuses', () => {
  test.each<[string, number, string, Change]>([
    ['no grant_type', 400, 'invalid_request', { grant_type: undefined }],
    ['another grant_type', 400, 'unsupported_grant_type', { grant_type: 'password' }],
    ['no code', 400, 'invalid_request', { code: undefined }],
    ['an unknown code', 400, 'invalid_grant', { code: 'x' }],
    ['no verifier', 400, 'invalid_request', { code_verifier: undefined }],
    ['a short verifier', 400, 'invalid_request', { code_verifier: 'v'.repeat(42) }],
    ['a verifier of other characters', 400, 'invalid_request', { code_verifier: '!'.repeat(43) }],
    ['no client', 400, 'invalid_request', { client_id: undefined }],
    ['an unknown client', 401, 'invalid_client', { client_id: 'nobody' }],
    ['a client that no database can name', 401, 'invalid_client', { client_id: 'a\u0000' }],
    ['a secret', 401, 'invalid_client', { client_secret: 'x' }],
  ])('%s with %i %s', async (_, status, error, change) => {
    expectRefusal(await exchange('x', change), status, error);
  });

  test('a client that authenticates itself, naming how it did', async () => {
    const headers = { Authorization: `Basic ${btoa('shop:secret')}` };
    const answered = await post('token', { grant_type: 'authorization_code', code: 'x' }, headers);
    expectRefusal(answered, 401, 'invalid_client');
    expect(answered.headers['www-authenticate']).toMatch(/^Basic realm="/);
  });

  test.each<[string, string | undefined, string]>([
    ['JSON', 'application/json', '{"grant_type":"authorization_code"}'],
    ['no type', undefined, 'grant_type=authorization_code'],
    ['a broken escape', form, 'grant_type=%zz'],
    ['a repeated parameter', form, 'grant_type=authorization_code&code=x&code=x'],
    ['nothing', form, ''],
  ])('%s with invalid_request', async (_, type, body) => {
    const answered = await services().ask('POST /petstore/oauth/token', { type, body });
    expectRefusal(answered, 400, 'invalid_request');
  });

  test('other methods, and more than a form may hold', async () => {
    const { ask } = services();
    const got = await ask('GET /petstore/oauth/token?grant_type=authorization_code');
    await expectError(got, 405);
    expect(got.headers.allow).toBe('POST');
    const long = `grant_type=${'x'.repeat(20_000)}`;
    await expectError(await ask('POST /petstore/oauth/token', { type: form, body: long }), 413);
  });
});

describe('revocation', () => {
  const revoke = (token: string | undefined, client_id: string | undefined = 'shop') =>
    post('revoke', { token, client_id, token_type_hint: 'refresh_token' });

  test('ends a token once and for all; one that is none is as good as ended', async () => {
    const token = tokenOf(await exchange(await newCode()));
    for (const one of [token, token, 'nothing']) {
      const answered = await revoke(one);
      expect([answered.status, answered.headers['cache-control']]).toEqual([200, 'no-store']);
    }
    await expectError(await listPets(token), 401);
  });

  test('is not for tokens of others, nor for logins', async () => {
    const { petToken, login } = services();
    expectRefusal(await revoke(petToken), 400, 'invalid_grant');
    expectOk(await listPets(petToken));
    expectOk(await revoke(login.petstore));
    expectOk(
      await services().ask('PUT /petstore/user/demo', {
        token: login.petstore,
        body: { username: 'demo' },
      }),
    );
  });

  test('needs a client and a token', async () => {
    expectRefusal(await revoke(undefined), 400, 'invalid_request');
    expectRefusal(await post('revoke', { token: 'x' }), 400, 'invalid_request');
    expectRefusal(await revoke('x', 'nobody'), 401, 'invalid_client');
  });
});

describe('introspection', () => {
  const introspect = (token: string | undefined, key = 'special-key') =>
    post('introspect', { token }, { api_key: key });

  test('tells nothing of what is no live access token of the service', async () => {
    const { login, adToken, petToken } = services();
    for (const token of ['nothing', login.petstore, adToken]) {
      expect(JSON.parse((await introspect(token)).text)).toEqual({ active: false });
    }
    expect(JSON.parse((await introspect(petToken)).text)).not.toHaveProperty('client_id');
    clock.now = noon + 3_600_000;
    expect(JSON.parse((await introspect(petToken)).text)).toEqual({ active: false });
  });

  test('is for holders of an API key', async () => {
    const refused = await introspect('x', 'wrong-key');
    expectRefusal(refused, 401, 'invalid_client');
    expect(refused.headers['www-authenticate']).toContain('name="api_key"');
    expectRefusal(await post('introspect', { token: 'x' }), 401, 'invalid_client');
    expectRefusal(await introspect(undefined), 400, 'invalid_request');
  });
});
