/** Tokens for a resource (RFC 8707), by the code flow with PKCE: where they are good, and what is refused as a resource. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Answered } from '../support/ask';
import { authorizeTarget, backAt, grantAll, shop, shopUri, useShop } from '../support/authorize';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { valuesOf } from '../support/text-cases';

const cases = join(__dirname, 'token-resources.cases.txt');

const { services, browse } = useShop({});

/** The URLs of resources by their paths; other URLs stay. */
const urlsOf = (...paths: readonly string[]): string[] =>
  paths.map((path) => (path.startsWith('/') ? services().origin + path : path));

const withResources = (parameters: URLSearchParams, paths: readonly string[]): string => {
  for (const url of urlsOf(...paths)) parameters.append('resource', url);
  return parameters.toString();
};

const verifier = 'v'.repeat(43);
const authorizeFor = (paths: readonly string[], change: Readonly<Record<string, string>> = {}) => {
  const [target = '', query] = authorizeTarget({
    ...{ response_type: 'code', client_id: shop.clientId, redirect_uri: shopUri, state: 's' },
    ...{ scope: 'read:pets write:pets', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...change,
  }).split('?');
  return `${target}?${withResources(new URLSearchParams(query), paths)}`;
};

const newCode = async (paths: readonly string[]): Promise<string> =>
  backAt(await grantAll(browse(), authorizeFor(paths)), shopUri, '&')['code'] ?? '';

const exchange = (code: string, ...paths: readonly string[]): Promise<Answered> => {
  const fields = {
    ...{ grant_type: 'authorization_code', code, redirect_uri: shopUri },
    ...{ client_id: shop.clientId, code_verifier: verifier },
  };
  const body = withResources(new URLSearchParams(fields), paths);
  const type = 'application/x-www-form-urlencoded';
  return services().ask('POST /petstore/oauth/token', { type, body });
};

const tokenOf = (answered: Answered): string => {
  expectOk(answered);
  return JSON.parse(answered.text).access_token;
};

const newToken = async (...paths: readonly string[]): Promise<string> =>
  tokenOf(await exchange(await newCode(paths)));

const [byTags, byStatus] = ['/petstore/pet/findByTags', '/petstore/pet/findByStatus'];
const statusOf = async (token: string, target: string): Promise<number> =>
  (await services().ask(`GET ${target}`, { token })).status;
/** The statuses at both paths. */
const statusesOf = async (token: string): Promise<readonly number[]> => [
  await statusOf(token, byTags),
  await statusOf(token, byStatus),
];

describe('a token', () => {
  test.each(valuesOf<[string, readonly string[], readonly number[]]>(cases, 'tokens'))(
    '%s',
    async (_, resources, statuses) => {
      expect(await statusesOf(await newToken(...resources))).toEqual(statuses);
    },
  );

  test('is refused elsewhere as an unknown one is', async () => {
    const ask = (token: string) => services().ask(`GET ${byStatus}`, { token });
    const [foreign, unknown] = [await ask(await newToken(byTags)), await ask('unknown')];
    await expectError(foreign, 401);
    expect(foreign.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(foreign.headers['www-authenticate']).toBe(unknown.headers['www-authenticate']);
  });

  test('belongs to the path of the message, however that is written', async () => {
    const token = await newToken(byTags);
    const { origin } = services();
    const targets = [`${byTags}?tags=a`, `${origin}${byTags}?tags=a`, '/%70etstore/pet/findByTags'];
    for (const target of targets) expect(await statusOf(token, target)).toBe(200);
    expect(await statusOf(token, `${byTags}/../findByStatus`)).toBe(404);
    expect(await statusOf(token, `${byStatus}?${byTags}`)).toBe(401);
  });

  test('of the implicit flow is bound, too', async () => {
    const target = authorizeFor([byTags], { response_type: 'token' });
    const { access_token } = backAt(await grantAll(browse(), target), shopUri, '#');
    expect(await statusesOf(access_token ?? '')).toEqual([200, 401]);
  });

  test('is described with its audience', async () => {
    const describe = async (token: string) => {
      const type = 'application/x-www-form-urlencoded';
      const body = `token=${token}`;
      const key = 'special-key';
      return services().ask('POST /petstore/oauth/introspect', { type, body, key });
    };
    const bound = await describe(await newToken(byTags));
    expect(JSON.parse(bound.text)).toMatchObject({ active: true, aud: urlsOf(byTags) });
    expect(JSON.parse((await describe(await newToken())).text)).not.toHaveProperty('aud');
  });
});

describe('the token request', () => {
  test.each<[string, readonly string[], readonly string[], readonly number[]]>([
    ['keeps the resource of the code', [byTags], [byTags], [200, 401]],
    ['narrows it', ['/petstore'], [byTags], [200, 401]],
    ['binds the token of a code without one', [], [byTags], [200, 401]],
    ['chooses one of several', [byTags, byStatus], [byStatus], [401, 200]],
  ])('%s', async (_, granted, asked, statuses) => {
    const token = tokenOf(await exchange(await newCode(granted), ...asked));
    expect(await statusesOf(token)).toEqual(statuses);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['another resource', [byTags], [byStatus]],
    ['a wider one', [byTags], ['/petstore']],
    ['one more', [byTags], [byTags, byStatus]],
    ['one of the other service', [], ['/ads']],
  ])('is refused %s than that of the code', async (_, granted, asked) => {
    const code = await newCode(granted);
    const refused = await exchange(code, ...asked);
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([400, 'invalid_target']);
    expect(await services().db.knex('tokens').where({ client: 'shop' })).toEqual([]);
  });
});

describe('the authorization endpoint refuses', () => {
  test.each(valuesOf<[string, readonly string[]]>(cases, 'resources that are refused'))(
    '%s as a resource',
    async (_, resources) => {
      const back = backAt(await browse().open(authorizeFor(resources)), shopUri, '&');
      expect(back).toEqual({
        error: 'invalid_target',
        error_description: expect.stringMatching(/^resource must be /),
        state: 's',
        iss: `${services().origin}/petstore`,
      });
    },
  );
});
