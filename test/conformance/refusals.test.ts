/** Refusals of callers; security comes first: S03, S10 and S12. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { errorOf } from './ask';
import { basic, bearer, type Knock, serveSecured } from './serve-secured';

let knock: Knock;
beforeAll(async () => {
  knock = await serveSecured({
    scopes: [{ auth: ['read', 'write'] }],
    undeclared: [{ other: [] }],
    headerKey: [{ key: [] }],
    basic: [{ basic: [] }],
    unfilled: [{ unfilled: [] }],
    unfilledIssuer: [{ unfilledIssuer: [] }],
    keyOrAuth: [{ key: [] }, { auth: ['read'] }],
    keyAndAuth: [{ key: [], auth: ['read'] }],
  });
});

describe('refusals', () => {
  const apiKey = 'ApiKey realm="test", in="header", name="X-Key"';
  const challenge = 'Bearer realm="test"';
  const source = 'authorization_uri="https://a.test"';
  const scoped = (scopes: string) => `${challenge}, scope="${scopes}", ${source}`;
  const invalid = (scopes: string) =>
    `${challenge}, error="invalid_token", error_description="The access token is unknown, expired or revoked", scope="${scopes}", ${source}`;

  test.each<
    [title: string, operation: string, headers: Readonly<Record<string, string>>, want: string]
  >([
    ['a key', 'headerKey', {}, apiKey],
    ['a bad key', 'headerKey', { 'X-Key': 'bad' }, apiKey],
    ['a name and password', 'basic', basic('ann'), 'Basic realm="test", charset="UTF-8"'],
    ['a token', 'scopes', {}, scoped('read write')],
    ['a token, from a place that was not filled in', 'unfilled', {}, challenge],
    ['a bad token', 'scopes', bearer('bad'), invalid('read write')],
    ['a key or a token', 'keyOrAuth', {}, `${apiKey}, ${scoped('read')}`],
    [
      'a key or a token, the token bad',
      'keyOrAuth',
      bearer('bad'),
      `${apiKey}, ${invalid('read')}`,
    ],
    [
      'a key or a token, the key bad',
      'keyOrAuth',
      { 'X-Key': 'bad' },
      `${apiKey}, ${scoped('read')}`,
    ],
    ['an undeclared scheme', 'undeclared', {}, challenge],
  ])('S10 401 asks for %s', async (_title, operation, headers, want) => {
    const response = await knock(operation, { headers });
    expect([response.status, errorOf(response).type]).toEqual([401, 'unauthenticated']);
    expect(response.headers['www-authenticate']).toBe(want);
  });

  const keyWords = 'an API key in the header X-Key';
  const tokenWords = 'a bearer token with the scope read from https://a.test';
  test.each<[title: string, operation: string, headers: Record<string, string>, want: string]>([
    ['nothing came', 'headerKey', {}, `Credentials are required. Send ${keyWords}`],
    ['a bad key', 'headerKey', { 'X-Key': 'bad' }, `The API key is not valid. Send ${keyWords}`],
    [
      'a bad name or password',
      'basic',
      basic('ann:bad'),
      'The user name or the password is not valid. Send a user name and password (HTTP Basic)',
    ],
    [
      'a bad token',
      'scopes',
      bearer('bad'),
      'The token is not valid. Send a bearer token with the scopes read and write from https://a.test',
    ],
    [
      'a bad key of two alternatives',
      'keyOrAuth',
      { 'X-Key': 'bad' },
      `The API key is not valid. Send ${keyWords}, or ${tokenWords}`,
    ],
    [
      'a bad token of two alternatives',
      'keyOrAuth',
      bearer('bad'),
      `The token is not valid. Send ${keyWords}, or ${tokenWords}`,
    ],
    [
      'the good half of what is required',
      'keyAndAuth',
      { 'X-Key': 'good-key' },
      `Credentials are required. Send ${keyWords} and ${tokenWords}`,
    ],
    ['an undeclared scheme', 'undeclared', {}, 'Credentials are required'],
    [
      'an address that was not filled in',
      'unfilled',
      {},
      'Credentials are required. Send a bearer token',
    ],
    [
      'an issuer that was not filled in',
      'unfilledIssuer',
      {},
      'Credentials are required. Send a bearer token',
    ],
  ])('S10 401 says what is wrong and what is accepted: %s', async (_title, ...row) => {
    const [operation, headers, message] = row;
    expect(errorOf(await knock(operation, { headers }))).toEqual({
      code: 401,
      type: 'unauthenticated',
      message,
    });
  });

  test('S10 403 says which scopes are missing', async () => {
    const response = await knock('scopes', { headers: bearer('reader') });
    expect(errorOf(response)).toEqual({
      code: 403,
      type: 'forbidden',
      message:
        'The scopes read and write are required. Send a bearer token with the scopes read and write from https://a.test',
    });
    expect(response.headers['www-authenticate']).toBe(
      `${challenge}, error="insufficient_scope", scope="read write"`,
    );
  });
});

test.each([
  ['good', 'reader', 'reader'],
  ['bad', 'bad', undefined],
])('S03 a %s token where nothing is required', async (_title, token, subject) => {
  const open = await serveSecured({ nothing: undefined });
  const reply = await open('nothing', { headers: bearer(token) });
  expect([reply.status, reply.subject]).toEqual([200, subject]);
});

describe('order', () => {
  let strict: Knock;
  beforeAll(async () => {
    strict = await serveSecured({ strict: [{ auth: ['write'] }] }, undefined, {
      parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      responses: { 200: { description: 'Fine', content: { 'application/json': {} } } },
    });
  });
  const json = { 'Content-Type': 'application/json' };
  const flaws: [
    title: string,
    headers: Record<string, string>,
    body: string | undefined,
    query: string,
    status: number,
  ][] = [
    ['a missing parameter', json, '{}', '', 400],
    ['a malformed parameter', json, '{}', '?n=%', 400],
    ['a malformed body', json, '{', '?n=1', 400],
    ['no body', json, undefined, '?n=1', 400],
    ['a body of another type', { 'Content-Type': 'text/plain' }, 'a', '?n=1', 415],
    ['a body that is too large', json, `"${'a'.repeat(200_000)}"`, '?n=1', 413],
    ['an answer of another type', { ...json, Accept: 'text/html' }, '{}', '?n=1', 406],
  ];

  test.each(flaws)(
    'S12 %s is not seen before security',
    async (_title, headers, body, query, status) => {
      const knockWith = async (credential: Record<string, string>) => {
        const sent = {
          headers: { ...headers, ...credential },
          ...(body === undefined ? {} : { body }),
        };
        const response = await strict('strict', sent, query);
        return [response.status, response.subject];
      };
      expect(await knockWith({})).toEqual([401, 'refused']);
      expect(await knockWith(bearer('reader'))).toEqual([403, 'refused']);
      expect(await knockWith(bearer('writer'))).toEqual([status, 'refused']);
    },
  );

  test('S12 what is refused tells nothing of the request', async () => {
    const response = await strict('strict', { headers: json, body: '{' });
    expect(Object.keys(JSON.parse(response.body))).toEqual(['code', 'type', 'message']);
  });
});
