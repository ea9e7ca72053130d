/** The keys of an outside issuer: found out, remembered, rotated, and out of reach. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useIssuedServices } from '../support/issuer/issued-services';
import { startServices } from '../support/services';

const issued = useIssuedServices();

/** So long the issuer is asked no more than once. */
const cooldownSeconds = 10;
/** After that, keys are looked at anew. */
const freshSeconds = 600;
/** After that, keys are no longer used. */
const usableSeconds = 24 * 60 * 60;

/** Tokens that outlive every test. */
const longToken = () =>
  issued().provider.sign({
    header: { typ: 'at+jwt' },
    claims: issued().claims({ exp: issued().now() + 3 * usableSeconds }),
  });

const expectRefused = async (token: string): Promise<void> => {
  await expectError(await issued().call(token), 401);
};

const expectUnavailable = async (token: string): Promise<void> => {
  const answered = await issued().call(token);
  await expectError(answered, 503, 'The token issuer is unavailable');
  expect(answered.headers['retry-after']).toBe('10');
};

/** How often the keys were asked for since this was last called. */
const keyRequests = async (): Promise<number> =>
  (await issued().provider.requests()).filter((url) => url === '/jwks').length;

// Each test begins when everything that the services knew of the issuer is new again, and ends with an issuer that answers.
let daysPassed = 0;
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
    const claims = issued().claims();
    for (let number = 0; number < 20; number += 1) {
      const header = { typ: 'at+jwt', kid: `made-up-${number}` };
      await expectRefused(await issued().provider.sign({ header, claims }));
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

describe.each<[string, (issuer: string) => Readonly<Record<string, string>>]>([
  ['keys at a URL of their own', (issuer) => ({ AUTH_JWKS_URL: `${issuer}/jwks` })],
  ['an audience of their own', () => ({ AUTH_AUDIENCE: 'https://api.example' })],
  ['tokens that do not say what they are', () => ({ AUTH_UNTYPED_TOKENS: 'true' })],
])('services with %s', (_, environmentOf) => {
  test('take what is meant for them', async () => {
    const { issuer } = issued().provider;
    const environment = environmentOf(issuer);
    const services = await startServices({ AUTH_ISSUER: issuer, ...environment });
    try {
      const aud = environment['AUTH_AUDIENCE'] ?? `${services.origin}/petstore`;
      const typ = environment['AUTH_UNTYPED_TOKENS'] === undefined ? 'at+jwt' : 'JWT';
      const claims = issued().claims({ aud });
      const token = await issued().provider.sign({ header: { typ }, claims });
      expectOk(await services.ask('GET /petstore/pet/findByStatus', { token }));
      const discovered = (await issued().provider.requests()).some((url) =>
        url.startsWith('/.well-known/'),
      );
      expect(discovered).toBe(environment['AUTH_JWKS_URL'] === undefined);
      await expectError(
        await services.ask('GET /petstore/pet/findByStatus', {
          token: await issued().provider.sign({
            header: { typ },
            claims: { ...claims, aud: 'https://other.example' },
          }),
        }),
        401,
      );
    } finally {
      await services.stop();
    }
  });
});
