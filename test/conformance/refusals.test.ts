/** Refusals of callers; security comes first: S03, S10 and S12. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { valuesOf } from '../support/text-cases';
import { errorOf } from './ask';
import { bearer, type Knock, serveSecured } from './serve-secured';

const cases = join(__dirname, 'refusals.cases.txt');

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
  const challenge = 'Bearer realm="test"';

  test.each(
    valuesOf<
      [title: string, operation: string, headers: Readonly<Record<string, string>>, want: string]
    >(cases, 'challenges'),
  )('S10 401 asks for %s', async (_title, operation, headers, want) => {
    const response = await knock(operation, { headers });
    expect([response.status, errorOf(response).type]).toEqual([401, 'unauthenticated']);
    expect(response.headers['www-authenticate']).toBe(want);
  });

  test.each(
    valuesOf<[title: string, operation: string, headers: Record<string, string>, want: string]>(
      cases,
      'sentences',
    ),
  )('S10 401 says what is wrong and what is accepted: %s', async (_title, ...row) => {
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
    expect(Object.keys(JSON.parse(response.text))).toEqual(['code', 'type', 'message']);
  });
});
