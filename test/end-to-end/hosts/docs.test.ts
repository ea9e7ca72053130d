/** The option `docs` in every host: a page documents the service where the document has no operation of its path. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/package';
import { hostNames, startHost } from './start-host';

const text = `
openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
paths:
  /things: { get: { operationId: listThings, responses: { '204': { description: None } } } }
  /old: { get: { deprecated: true, x-deprecated-since: 2026-01-01, responses: { '204': { description: None } } } }
`;

const withDocs = (paths = '', options: { readonly docs?: boolean } = { docs: true }) => ({
  document: parseApiDocument('things.yaml', text + paths),
  handlers: {
    listThings: () => ({ status: 204 }),
    getPage: () => ({ status: 200, body: 'own' }),
  },
  options: { log: { error: () => undefined }, ...options },
});

const ownPage = `  /docs/: { get: { operationId: getPage, responses: { '200': { description: A text, content: { text/plain: {} } } } } }\n`;

interface Case {
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly body?: RegExp;
}

const policy =
  /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/;

const markdownHeaders = {
  'content-type': /^text\/markdown; charset=utf-8$/,
  'access-control-allow-origin': /^\*$/,
};
const markdownBody =
  /^# Things\n\nVersion 1, base URL `http:\/\/localhost\/v1`[\s\S]*### `GET \/things`[\s\S]*curl 'http:\/\/localhost\/v1\/things'/;

const cases: readonly Case[] = [
  {
    path: '/v1/docs/',
    status: 200,
    headers: { 'content-type': /^text\/html; charset=utf-8$/, 'content-security-policy': policy },
    body: /<title>Things<\/title>[\s\S]*http:\/\/localhost\/v1[\s\S]*id="listThings"/,
  },
  { path: '/v1/docs/', status: 200, body: /<strong>Deprecated<\/strong> since 2026-01-01</ },
  { method: 'HEAD', path: '/v1/docs/', status: 200, body: /^$/ },
  { path: '/v1/docs', status: 308, headers: { location: /^docs\/$/ } },
  { method: 'POST', path: '/v1/docs/', status: 405, headers: { allow: /^GET, HEAD, OPTIONS$/ } },
  { method: 'OPTIONS', path: '/v1/docs/', status: 204, headers: { allow: /^GET, HEAD, OPTIONS$/ } },
  { path: '/v1/docs/x', status: 404 },
  { path: '/v1/docs/', status: 200, headers: { vary: /^Accept$/ }, body: /href="..\/docs.md"/ },
  { path: '/v1/docs/', accept: '*/*', status: 200, body: /^<!doctype html>/ },
  { path: '/v1/docs.md', status: 200, headers: markdownHeaders, body: markdownBody },
  {
    path: '/v1/docs/',
    accept: 'text/markdown, text/html;q=0.9',
    status: 200,
    headers: { ...markdownHeaders, vary: /^Accept$/ },
    body: markdownBody,
  },
  { method: 'HEAD', path: '/v1/docs.md', status: 200, headers: markdownHeaders, body: /^$/ },
  { method: 'PUT', path: '/v1/docs.md', status: 405, headers: { allow: /^GET, HEAD, OPTIONS$/ } },
  { path: '/v1/docs.mdx', status: 404 },
  { path: '/v1/openapi.json', status: 200, body: /"listThings"/ },
];

describe.each(hostNames)('%s', (host) => {
  describe('with a page', () => {
    const { ask } = startHost(host, withDocs);

    test.each(cases)('$method $path $accept', async (one) => {
      const { method = 'GET', path, accept = 'text/html', status, headers = {}, body } = one;
      const response = await ask(path, { redirect: 'manual', method, headers: { accept } });
      expect([response.status, await response.text()]).toEqual([
        status,
        expect.stringMatching(body ?? /^/),
      ]);
      for (const [name, value] of Object.entries(headers)) {
        expect(response.headers.get(name)).toMatch(value);
      }
    });
  });

  describe('with an operation of that path', () => {
    const { ask } = startHost(host, () => withDocs(ownPage));

    test('the operation answers', async () => {
      expect(await (await ask('/v1/docs/')).text()).toBe('own');
    });
  });

  describe.each([{ docs: false }, {}])('with the options %o', (options) => {
    const { ask } = startHost(host, () => withDocs('', options));

    test('there is no page', async () => {
      expect((await ask('/v1/docs/')).status).toBe(404);
      expect((await ask('/v1/docs.md')).status).toBe(404);
    });
  });
});
