/** An outside issuer, a real OpenID provider: which of its tokens are taken and what they are good for, and how its keys are kept. */

import { createHmac, createPublicKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useIssuedServices } from '../support/issuer/issued-services';
import { startServices } from '../support/services';
import { storedItems } from '../support/stored-items';

const issued = useIssuedServices({ RATE_LIMIT_PER_HOUR: '100' });
const accessToken = { typ: 'at+jwt' };

const signed = (others: Readonly<Record<string, unknown>> = {}, header: object = accessToken) =>
  issued().provider.sign({ header: { ...header }, claims: issued().claims(others) });

const expectRefused = async (token: string): Promise<void> => {
  const answered = await issued().call(token);
  await expectError(answered, 401);
  expect(answered.headers['www-authenticate']).toContain('error="invalid_token"');
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token with another part in the place of its header, claims or signature. */
const withPart = (token: string, index: number, part: string): string =>
  token.split('.').with(index, part).join('.');

/** The provider's key as anybody can have it. */
const publicKey = async (): Promise<{ jwk: string; pem: string }> => {
  const answer: unknown = await (await fetch(`${issued().provider.issuer}/jwks`)).json();
  const [jwk] = Reflect.get(Object(answer), 'keys');
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  return { jwk: JSON.stringify(jwk), pem: pem.toString() };
};

/** A token whose "signature" is made with what is public (RFC 8725 section 2.1). */
const withHmac = (secret: string): string => {
  const text = `${encode({ alg: 'HS256', kid: 'key-1', typ: 'at+jwt' })}.${encode(issued().claims())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

describe('a token of the provider', () => {
  test('is good for its scopes at the service that it is for', async () => {
    const { services, petToken, call, provider } = issued();
    expectOk(await call(await petToken()));
    const adToken = await provider.token(`${services.origin}/ads`, 'write:ads read:ads');
    const ad = {
      ...{ title: 'Studio', propertyType: 'À la location', publicationStatus: 'Publiée' },
      ...{ propertyStatus: 'Disponible', description: 'Clair', price: 700, userName: 'demo' },
      availabilityDate: '2030-03-01T09:00:00Z',
    };
    expectOk(await services.ask('POST /ads/ad', { token: adToken, body: ad }));
    await expectRefused(adToken);
    const rows = await storedItems(services.db, 'ads', 'ads').select('owner');
    expect(rows).toContainEqual({ owner: `${provider.issuer}:shop` });
  });

  test('is good for no more than its scopes', async () => {
    const { services, provider, call } = issued();
    const answered = await call(await provider.token(`${services.origin}/petstore`, 'read:pets'));
    await expectError(answered, 403);
    expect(answered.headers['www-authenticate']).toMatch(
      /error="insufficient_scope", scope="write:pets read:pets"/,
    );
  });

  test('ends when it says', async () => {
    const { petToken, pass, call } = issued();
    const token = await petToken();
    pass(599);
    expectOk(await call(token));
    pass(32);
    await expectRefused(token);
  });

  test('is never a login', async () => {
    const { services, petToken } = issued();
    const token = await petToken();
    const body = { username: 'shop', password: 'x' };
    await expectError(await services.ask('POST /petstore/user', { token, body }), 403);
    await expectError(await services.ask('DELETE /petstore/user/shop', { token }), 403);
  });

  test('is not ours to end: logging out changes nothing', async () => {
    const { services, petToken, call } = issued();
    const token = await petToken();
    expectOk(await services.ask('GET /petstore/user/logout', { token }));
    expectOk(await call(token));
  });

  test('leaves our own tokens as good as they were', async () => {
    const { services, call } = issued();
    expectOk(await call(services.petToken));
    const token = await services.signIn('petstore');
    const body = { username: 'beside', password: 'x' };
    expectOk(await services.ask('POST /petstore/user', { token, body }));
    await expectRefused('no-such-token');
  });

  test('counts with the others of its subject', async () => {
    const { services, provider, call } = issued();
    const audience = `${services.origin}/petstore`;
    const token = () => provider.token(audience, 'write:pets read:pets', 'other-shop');
    const [one, other] = [await token(), await token()];
    for (let calls = 0; calls < 50; calls += 1) {
      expectOk(await call(one));
      expectOk(await call(other));
    }
    const answered = await call(one);
    await expectError(answered, 429);
    expect(answered.headers['retry-after']).toMatch(/^\d+$/);
    await expectError(await call(await token()), 429);
    expectOk(await call(await signed({ sub: 'nobody else' })));
  });

  test('comes from nowhere else: there is no sign-in of our own', async () => {
    const { ask } = issued().services;
    for (const name of ['authorize', 'token', 'introspect', 'revoke']) {
      await expectError(await ask(`GET /petstore/oauth/${name}`), 404);
      await expectError(await ask(`POST /petstore/oauth/${name}`), 404);
    }
    await expectError(await ask('GET /.well-known/oauth-authorization-server/petstore'), 404);
    const { text } = await ask('GET /.well-known/oauth-protected-resource/petstore/mcp');
    expect(JSON.parse(text).authorization_servers).toEqual([issued().provider.issuer]);
  });

  test('is asked for where the documents lead', async () => {
    const { services, provider } = issued();
    const { text } = await services.ask('GET /petstore/openapi.json');
    const { flows } = JSON.parse(text).components.securitySchemes.petstore_auth;
    expect(flows.implicit.authorizationUrl).toBe(`${provider.issuer}/oauth/authorize`);
  });
});

describe('a token that others would make', () => {
  const audience = (): string => `${issued().services.origin}/petstore`;

  type Claims = Readonly<Record<string, unknown>>;

  test.each<[string, () => Claims, object?]>([
    ['with its type in full', () => ({}), { typ: 'application/at+jwt' }],
    ['with its type in capitals', () => ({}), { typ: 'AT+JWT' }],
    ['for several audiences', () => ({ aud: ['https://other.example', audience()] })],
    ['for the operation', () => ({ aud: `${audience()}/pet/findByStatus` })],
    ['for what the operation is below', () => ({ aud: `${audience()}/pet` })],
    ['that our clock calls over', () => ({ exp: issued().now() - 20 })],
    ['that our clock calls early', () => ({ nbf: issued().now() + 20 })],
  ])('is taken %s', async (...[, others, header]) => {
    expectOk(await issued().call(await signed(others(), header)));
  });

  test.each<[string, () => Claims, object?]>([
    ['that is over', () => ({ exp: issued().now() - 31 })],
    ['that is not yet good', () => ({ nbf: issued().now() + 60 })],
    ['without an end', () => ({ exp: undefined })],
    ['of another issuer', () => ({ iss: 'https://issuer.example' })],
    ['of the issuer with a slash more', () => ({ iss: `${issued().provider.issuer}/` })],
    ['of no issuer', () => ({ iss: undefined })],
    ['for another audience', () => ({ aud: 'https://other.example' })],
    ['for the other service', () => ({ aud: `${issued().services.origin}/ads` })],
    ['for another operation', () => ({ aud: `${audience()}/pet/findByTags` })],
    ['for the whole origin', () => ({ aud: issued().services.origin })],
    ['for what is no text', () => ({ aud: [7, null] })],
    ['for nobody', () => ({ aud: undefined })],
    ['that is an ID token', () => ({ nonce: 'n', scope: undefined }), { typ: 'JWT' }],
    ['with an unknown extension', () => ({}), { ...accessToken, crit: ['x'], x: 1 }],
    ['longer than any', () => ({ padding: 'x'.repeat(8 * 1024) })],
  ])('is refused %s', async (...[, others, header]) => {
    await expectRefused(await signed(others(), header));
  });

  test.each<[string, (token: string) => string | Promise<string>]>([
    [
      'algorithm none',
      (token) => withPart(withPart(token, 0, encode({ alg: 'none', typ: 'at+jwt' })), 2, ''),
    ],
    ['the public key as an HMAC secret', async () => withHmac((await publicKey()).pem)],
    ['the key set as an HMAC secret', async () => withHmac((await publicKey()).jwk)],
    [
      'another algorithm of the key',
      (token) => withPart(token, 0, encode({ alg: 'PS256', kid: 'key-1', typ: 'at+jwt' })),
    ],
    ['no claims', (token) => withPart(token, 1, '')],
    ['claims that are no JSON', (token) => withPart(token, 1, 'e30x')],
    ['a header that is no JSON', (token) => withPart(token, 0, 'x')],
    ['parts missing', (token) => token.split('.').slice(0, 2).join('.')],
    ['the five parts of a JWE', (token) => `${token}.x.y`],
    ['dots alone', () => '..'],
  ])('is refused with %s', async (_, change) => {
    await expectRefused(await change(await signed()));
  });
});

/** So long the issuer is asked no more than once. */
const cooldownSeconds = 10;
/** After that, keys are looked at anew. */
const freshSeconds = 600;
/** After that, keys are no longer used. */
const usableSeconds = 24 * 60 * 60;

/** Tokens that outlive every test. */
const longToken = () => signed({ exp: issued().now() + 3 * usableSeconds });

const expectUnavailable = async (token: string): Promise<void> => {
  const answered = await issued().call(token);
  await expectError(answered, 503, 'The token issuer is unavailable');
  expect(answered.headers['retry-after']).toBe('10');
};

/** Counts requests for the keys since the last call. */
const keyRequests = async (): Promise<number> =>
  (await issued().provider.requests()).filter((url) => url === '/jwks').length;

describe('the keys', () => {
  let daysPassed = 0;
  // Each test begins when everything that the services knew of the issuer is new again, and ends with an issuer that answers.
  beforeEach(async () => {
    daysPassed += 2;
    issued().pass(daysPassed * usableSeconds);
    expectOk(await issued().call(await longToken()));
    await keyRequests();
  });

  describe('rotated keys', () => {
    test('are taken at once where the issuer was not asked just before, and those from before are not', async () => {
      const old = await longToken();
      await issued().provider.rotate();
      const token = await longToken();
      await expectRefused(token);
      issued().pass(cooldownSeconds);
      expectOk(await issued().call(token));
      await expectRefused(old);
      expect(await keyRequests()).toBe(1);
    });

    test('end what was signed before within ten minutes, also where nobody brings a new token', async () => {
      const old = await longToken();
      await issued().provider.rotate();
      // The clock goes on while the test runs.
      issued().pass(freshSeconds - 60);
      expectOk(await issued().call(old));
      expect(await keyRequests()).toBe(0);
      issued().pass(60);
      await expectRefused(old);
    });

    test('cannot be asked for again and again by whoever names keys that are not there', async () => {
      issued().pass(cooldownSeconds);
      for (let number = 0; number < 20; number += 1) {
        await expectRefused(await signed({}, { ...accessToken, kid: `made-up-${number}` }));
      }
      expect(await keyRequests()).toBe(1);
    });

    test('are asked for once for all who wait for them', async () => {
      issued().pass(freshSeconds);
      const token = await longToken();
      const answered = await Promise.all(Array.from({ length: 10 }, () => issued().call(token)));
      expect(answered.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(await keyRequests()).toBe(1);
    });
  });

  describe('an issuer that is away', () => {
    let isAway = false;
    const leave = async (): Promise<void> => {
      await issued().provider.leave();
      isAway = true;
    };
    const comeBack = async (): Promise<void> => {
      if (isAway) await issued().provider.listen();
      isAway = false;
    };
    afterEach(comeBack);

    test('is not missed for a day', async () => {
      const token = await longToken();
      await leave();
      issued().pass(usableSeconds - 1);
      expectOk(await issued().call(token));
      issued().pass(1);
      await expectUnavailable(token);
      await comeBack();
      await expectUnavailable(token);
      issued().pass(cooldownSeconds);
      expectOk(await issued().call(token));
    });

    test('may have keys that only it knows', async () => {
      await issued().provider.rotate();
      const token = await longToken();
      await leave();
      issued().pass(cooldownSeconds);
      await expectUnavailable(token);
      await comeBack();
      issued().pass(cooldownSeconds);
      expectOk(await issued().call(token));
    });

    test('keeps nobody from starting, nor from using what is ours', async () => {
      const token = await longToken();
      await leave();
      const services = await startServices({ AUTH_ISSUER: issued().provider.issuer });
      try {
        const call = (given: string) =>
          services.ask('GET /petstore/pet/findByStatus', { token: given });
        await expectError(await call(token), 503);
        expectOk(await call(services.petToken));
        expectOk(await services.ask('GET /petstore/pet/1', { key: 'special-key' }));
      } finally {
        await services.stop();
      }
    });
  });
});

test('services may say where the keys are, who they are, and that tokens need no type', async () => {
  const { provider, claims } = issued();
  const audience = 'https://api.example';
  const services = await startServices({
    AUTH_ISSUER: provider.issuer,
    AUTH_JWKS_URL: `${provider.issuer}/jwks`,
    AUTH_AUDIENCE: audience,
    AUTH_UNTYPED_TOKENS: 'true',
  });
  const call = async (aud: string) => {
    const token = await provider.sign({ header: { typ: 'JWT' }, claims: claims({ aud }) });
    return services.ask('GET /petstore/pet/findByStatus', { token });
  };
  try {
    await provider.requests();
    expectOk(await call(audience));
    expect(await provider.requests()).toEqual(['/jwks']);
    await expectError(await call(`${services.origin}/petstore`), 401);
  } finally {
    await services.stop();
  }
});
