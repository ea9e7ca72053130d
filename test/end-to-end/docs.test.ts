/** The documentation as a browser fetches it: whole, from here alone, and nothing beside it. */

import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Asked } from '../support/ask';
import { expectError } from '../support/error-body';
import { startServices, useServices } from '../support/services';

const services = useServices();
const ask = (target: string, asked: Asked = {}) => services().ask(target, asked);

/** Returns the addresses that a page fetches or links. */
const addressesIn = (page: string): readonly string[] =>
  [...page.matchAll(/\s(?:src|href)="([^"#]+)/g)].map(([, address = '']) => address);

const readPage = async (target: string, accept?: string) => {
  const answered = await ask(`GET ${target}`, { accept });
  return { ...answered, etag: String(answered.headers['etag']) };
};

const directivesOf = (policy: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    String(policy)
      .split('; ')
      .map((directive) => [directive.split(' ', 1)[0], directive.replace(/^\S+ ?/, '')]),
  );

describe('the documentation of a service', () => {
  const base = '/petstore/docs/';

  test.each<[string, string]>([
    ['', 'text/html; charset=utf-8'],
    ['oauth2-redirect.html', 'text/html; charset=utf-8'],
    ['openapi.json', 'application/json'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['oauth2-redirect.js', 'text/javascript; charset=utf-8'],
    ['browser.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['browser.css', 'text/css; charset=utf-8'],
  ])('has %j', async (name, mediaType) => {
    const answered = await ask(`GET ${base}${name}`);
    expect(answered.status).toBe(200);
    expect(answered.headers).toMatchObject({
      'content-type': mediaType,
      'content-length': String(answered.bytes.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    const head = await ask(`HEAD ${base}${name}`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      answered.headers['content-length'],
    ]);
  });

  test('is reached without the slash, too', async () => {
    const { status, headers } = await ask('GET /petstore/docs');
    expect([status, headers['location']]).toEqual([308, 'docs/']);
  });

  test.each(['', 'oauth2-redirect.html'])('the page %j stays here', async (name) => {
    const url = new URL(base + name, services().origin);
    const { text, headers } = await ask(`GET ${url.pathname}`);
    const addresses = addressesIn(text).filter((address) => !address.startsWith('data:'));
    for (const address of addresses) {
      const target = new URL(address, url);
      expect(target.origin).toBe(services().origin);
      expect([address, (await ask(`GET ${target.pathname}${target.search}`)).status]).toEqual([
        address,
        200,
      ]);
    }
    const policy = directivesOf(headers['content-security-policy']);
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
    });
    expect(Object.values(policy).join(' ')).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    // What the policy would refuse is not there: scripts and handlers in the page.
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|\sstyle=/);
  });

  test('is kept for ever under the version of its content, and asked for again elsewhere', async () => {
    const { text } = await ask(`GET ${base}`);
    const versioned = addressesIn(text).filter((address) => address.includes('?v='));
    expect(versioned).toHaveLength(4);
    for (const address of versioned) {
      const { headers } = await ask(`GET ${base}${address}`);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    const old = await ask(`GET ${base}browser.js?v=old`);
    expect(old.headers['cache-control']).toBe('no-cache');
  });

  test('is not sent again to whoever has it', async () => {
    const { headers } = await ask(`GET ${base}browser.js`);
    const etag = String(headers['etag']);
    const again = await ask(`GET ${base}browser.js`, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    const changed = await ask(`GET ${base}browser.js`, { headers: { 'If-None-Match': '"old"' } });
    expect(changed.status).toBe(200);
  });

  test.each<[string, string | undefined]>([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
  ])('is compressed as Accept-Encoding %j asks', async (accepted, coding) => {
    const plain = await ask(`GET ${base}swagger-ui.css`);
    const { headers, bytes } = await ask(`GET ${base}swagger-ui.css`, {
      headers: { 'Accept-Encoding': accepted },
    });
    expect([headers['content-encoding'], headers['vary']]).toEqual([coding, 'Accept-Encoding']);
    expect((coding === undefined ? bytes : gunzipSync(bytes)).equals(plain.bytes)).toBe(true);
  });

  test.each([
    'package.json',
    '../package.json',
    '..%2fpackage.json',
    '..%2f..%2f..%2fpackage.json',
    'swagger-ui-bundle.js/',
    'swagger-ui-bundle.js.map',
    'swagger-ui-bundle.js%00',
    '/etc/passwd',
    'constructor',
    '__proto__',
    'reference',
    'BROWSER.JS',
  ])('has nothing else: %s', async (name) => {
    await expectError(await ask(`GET ${base}${name}`), 404);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('cannot be changed by %s', async (method) => {
    const answered = await ask(`${method} ${base}browser.js`);
    await expectError(answered, 405);
    expect(answered.headers['allow']).toBe('GET, HEAD');
  });
});

describe.each([
  ['petstore', 19, "curl -X DELETE 'ORIGIN/petstore/store/order/"],
  ['ads', 4, "curl -X POST 'ORIGIN/ads/ad'"],
])('the documentation of %s as Markdown', (name, operations, command) => {
  const target = `/${name}/docs.md`;

  test('has a section for each operation, with commands for this server', async () => {
    const { status, headers, text } = await ask(`GET ${target}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
    });
    const { origin } = services();
    expect(text.match(/^### `[A-Z]+ /gm)).toHaveLength(operations);
    expect(text).toContain(command.replace('ORIGIN', origin));
    expect(text).toContain(`base URL \`${origin}/${name}\``);
  });

  test.each<[accept: string | undefined, mediaType: string]>([
    [undefined, 'text/html'],
    ['*/*', 'text/html'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['application/json', 'text/html'],
    ['text/markdown;q=0', 'text/html'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown'],
  ])('is at docs/ as Accept %j asks', async (accept, mediaType) => {
    const { headers, etag, text } = await readPage(`/${name}/docs/`, accept);
    expect([headers['content-type'], headers['vary']]).toEqual([
      `${mediaType}; charset=utf-8`,
      'Accept, Accept-Encoding',
    ]);
    expect(text.startsWith('# ')).toBe(mediaType === 'text/markdown');
    const again = await ask(`GET /${name}/docs/`, { accept, headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers['vary']]).toEqual([304, 'Accept, Accept-Encoding']);
    // What is another representation has another tag.
    const other = mediaType === 'text/html' ? 'text/markdown' : 'text/html';
    expect((await readPage(`/${name}/docs/`, other)).etag).not.toBe(etag);
  });

  test('is read by HEAD, sent once, and not changed', async () => {
    const { headers, text, etag } = await readPage(target);
    const head = await ask(`HEAD ${target}`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(text)),
    ]);
    expect(head.headers['content-type']).toBe(headers['content-type']);
    expect((await ask(`GET ${target}`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    await expectError(await ask(`POST ${target}`), 405);
  });
});

/** The demo credentials that the page's dialog names. */
const offered = async (target: string, asking: typeof ask): Promise<readonly string[]> => {
  const { status, text } = await asking(`GET /${target}/docs/openapi.json`);
  expect(status).toBe(200);
  return [...new Set(text.match(/Demo (login|key): /g))].sort();
};

test('the demo credentials are offered while they are in force', async () => {
  expect(await offered('petstore', ask)).toEqual(['Demo key: ', 'Demo login: ']);
  await services().db.knex('users').where({ username: 'demo' }).delete();
  expect(await offered('petstore', ask)).toEqual([]);
  await services().reset();
});

test('the demo credentials are not offered in production', async () => {
  const production = await startServices({ NODE_ENV: 'production', DEMO_DATA: 'true' });
  try {
    expect(await offered('petstore', production.ask)).toEqual([]);
  } finally {
    await production.stop();
  }
});

test('the page at / leads to every service, and everything that it leads to is there', async () => {
  const { text, headers } = await ask('GET /');
  const addresses = addressesIn(text).filter((address) => !address.startsWith('data:'));
  const want = ['petstore', 'ads'].flatMap((name) =>
    ['docs/', 'docs.md', 'openapi.yaml', 'openapi.json'].map((file) => `/${name}/${file}`),
  );
  expect(addresses).toEqual(expect.arrayContaining([...want, '/livez', '/readyz', '/metrics']));
  for (const address of addresses) {
    expect([address, (await ask(`GET ${address}`)).status]).toEqual([address, 200]);
  }
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
});
