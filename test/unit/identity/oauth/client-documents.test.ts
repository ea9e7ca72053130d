/** Which documents make a client, which URLs are asked for them, and how often; test/end-to-end/client-documents.test.ts has a whole flow. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { clientDocuments } from '../../../../src/identity/oauth/client-documents';
import { useJsonServer } from '../jwt/json-server';

const server = useJsonServer();
let now = 0;
let reasons: string[] = [];

beforeEach(() => {
  now = 0;
  reasons = [];
  server.answers = {};
});

const finder = (origins: readonly string[] = [server.origin]) =>
  clientDocuments({
    origins,
    report: (_, reason) => reasons.push(reason),
    clock: () => now,
  });

const redirectUri = 'https://app.example/back';
const documentAt = (url: string, others: object = {}) => ({
  ...{ client_id: url, client_name: 'App', redirect_uris: [redirectUri] },
  ...others,
});

/** Finds the client of a document at `/app` with these members. */
const findWith = (others: object) => {
  const url = `${server.origin}/app`;
  server.answers = { '/app': documentAt(url, others) };
  return finder()(url);
};

test('a document makes a client of the code flow, named by its host first', async () => {
  const { host } = new URL(server.origin);
  expect(await findWith({ token_endpoint_auth_method: 'none' })).toEqual({
    clientId: `${server.origin}/app`,
    name: `${host} (App)`,
    redirectUris: [redirectUri],
    flows: ['code'],
  });
  expect((await findWith({ client_name: undefined }))?.name).toBe(host);
  const long = `\u202e\n${'x'.repeat(100)}`;
  expect((await findWith({ client_name: long }))?.name).toBe(`${host} (${'x'.repeat(60)})`);
  const uris = ['app:/back', 'http://127.0.0.1/back', 7, 'http://x.example/', 'javascript:x'];
  expect((await findWith({ redirect_uris: uris }))?.redirectUris).toEqual([uris[1]]);
});

test.each<[string, object, string]>([
  ['of another client', { client_id: 'https://app.example/app' }, 'Its client_id is not its URL'],
  [
    'of a client with a secret',
    { token_endpoint_auth_method: 'client_secret_basic' },
    'Its token_endpoint_auth_method is not none',
  ],
  [
    'of a client with a key',
    { token_endpoint_auth_method: 'private_key_jwt' },
    'Its token_endpoint_auth_method is not none',
  ],
  ['without redirect URIs', { redirect_uris: undefined }, 'It has no redirect URI'],
  ['with others alone', { redirect_uris: ['app:/x', `${redirectUri}#`] }, 'It has no redirect URI'],
  ['that is too large', { more: 'x'.repeat(16 * 1024) }, 'is larger than 16384 bytes'],
])('a document %s makes none', async (_, others, reason) => {
  expect(await findWith(others)).toBeUndefined();
  expect(reasons).toEqual([expect.stringContaining(reason)]);
});

test.each<[string, () => unknown, string]>([
  ['nothing', () => undefined, 'answers 404'],
  ['no JSON', () => '{', 'It is not a JSON object'],
  ['a list', () => [1], 'It is not a JSON object'],
])('%s makes none', async (_, answer, reason) => {
  server.answers = { '/app': answer() as object };
  expect(await finder()(`${server.origin}/app`)).toBeUndefined();
  expect(reasons).toEqual([expect.stringContaining(reason)]);
});

describe('what is asked for', () => {
  test.each([
    ...['', '/', '/a/../app', '/./app', '/app#a', '/app#'].map((path) => `ORIGIN${path}`),
    ...['http://localhost:1/app', 'https://other.example/app', 'app', 'ftp://x.example/app'],
    'http://me@HOST/app',
  ])('is not %s', async (text) => {
    const url = text.replace('ORIGIN', server.origin).replace('HOST', new URL(server.origin).host);
    expect(await finder()(url)).toBeUndefined();
    expect([server.asked, reasons]).toEqual([[], []]);
  });

  test.each([
    ['http, where any origin may be', () => `${server.origin}/app`, []],
    ['of this machine', () => 'https://127.0.0.1/app', ['is at no public address']],
    ['of a private network', () => 'https://10.0.0.1/app', ['is at no public address']],
    ['of a link', () => 'https://[fe80::1]/app', ['is at no public address']],
  ])('is nothing by %s', async (_, url, wanted) => {
    expect(await finder(['*'])(url())).toBeUndefined();
    expect(server.asked).toEqual([]);
    expect(reasons).toEqual(wanted.map((reason) => expect.stringContaining(reason)));
  });

  test('is asked once in ten minutes, and after a failure in half a minute', async () => {
    const find = finder();
    const url = `${server.origin}/app`;
    expect(await find(url)).toBeUndefined();
    server.answers = { '/app': documentAt(url) };
    now = 29_999;
    expect(await find(url)).toBeUndefined();
    now = 30_000;
    const found = await Promise.all([find(url), find(url)]);
    expect(found.map((client) => client?.clientId)).toEqual([url, url]);
    now = 629_999;
    await find(url);
    expect(server.asked).toEqual(['/app', '/app']);
    now = 630_000;
    await find(url);
    expect(server.asked).toHaveLength(3);
  });

  test('is at most eight at once; more are refused, and then served', async () => {
    const find = finder();
    const waiting: (() => void)[] = [];
    const urls = Array.from({ length: 9 }, (_, index) => `/app/${index}`);
    server.answers = Object.fromEntries(
      urls.map((url) => [url, (response) => waiting.push(() => response.end('{}'))]),
    );
    const [last = '', ...first] = urls.map((url) => server.origin + url);
    const asked = first.map(find);
    await expect(find(last)).rejects.toMatchObject({ status: 503 });
    while (waiting.length < first.length) await new Promise(setImmediate);
    for (const answer of waiting) answer();
    await Promise.all(asked);
    server.answers = { [urls[0] ?? '']: documentAt(last) };
    expect(await find(last)).toMatchObject({ clientId: last });
  });
});
