/** Responses to browsers that request an operation, a wrong path, or the start page. */

import { describe, expect, test } from '@jest/globals';
import { useServices } from '../support/services';

const services = useServices();
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('a browser', () => {
  test.each([
    ['/petstore/pet/1', 401, 'Credentials are required. Send an API key', '/petstore/docs/'],
    ['/petstore/store/order/7', 400, 'Invalid ID supplied', '/petstore/docs/'],
    ['/petstore/nothing/here', 404, 'No operation has this path', '/petstore/docs/'],
    ['/ads/<b>', 404, 'No operation has this path', '/ads/docs/'],
    ['/petstore/pet', 405, 'The path does not have this method', '/petstore/docs/'],
    ['/nowhere', 404, 'Not found', '/'],
  ])('gets a page for %s', async (path, status, sentence, link) => {
    const { headers, text, status: got } = await services().ask(`GET ${path}`, { accept });
    expect([got, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(text).toContain(`<h1>${status} `);
    expect(text).toContain(sentence);
    expect(text).toContain(`href="${link}"`);
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(headers['vary']).toContain('Accept');
  });

  test('is told in 401 where a person gets a token', async () => {
    const { ask, origin } = services();
    const { text } = await ask('GET /petstore/pet/1', { accept });
    expect(text).toContain(`from ${origin}/petstore/docs/`);
  });

  test('keeps the headers of the refusal', async () => {
    const { headers } = await services().ask('GET /petstore/pet/1', { accept });
    expect(headers['www-authenticate']).toContain('ApiKey realm="petstore"');
  });

  test('gets what an operation answers, where it answers', async () => {
    const { status, headers } = await services().ask('GET /petstore/store/order/1', { accept });
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
  });

  test.each(['/petstore', '/petstore/', '/ads?a=1'])(
    'is led from %s to the pages',
    async (path) => {
      const { status, headers } = await services().ask(`GET ${path}`, { accept });
      expect([status, headers['location']]).toEqual([307, `/${path.split(/[/?]/)[1]}/docs/`]);
    },
  );
});

test.each([
  ['*/*', 'GET /petstore/nothing', 404],
  ['application/json', 'GET /petstore/', 404],
  ['application/json, text/html;q=0.5', 'GET /petstore/pet/1', 401],
  ['text/*', 'GET /ads/nothing', 404],
  [accept, 'POST /ads/nothing', 404],
])('everybody else gets the declared media type: %s, %s', async (given, target, want) => {
  const { status, headers } = await services().ask(target, { accept: given });
  expect(status).toBe(want);
  expect(headers['content-type']).toMatch(/^application\/(json|xml)/);
});

describe('the start page', () => {
  const page = async () => (await services().ask('GET /')).text;

  test('says where tokens come from', async () => {
    const { origin } = services();
    expect(await page()).toContain(`<code>${origin}/petstore/oauth/authorize</code>`);
  });

  test('shows the demo credentials while they are in force', async () => {
    const { db, reset } = services();
    const words = ['demo-password', 'special-key'];
    expect(await page()).toContain('For ads and petstore: log in as <code>demo</code>');
    await db.knex('api_keys').where({ service: 'ads' }).update({ revoked_at: 1 });
    await db.knex('users').where({ service: 'petstore', username: 'demo' }).delete();
    for (const word of words) expect(await page()).not.toContain(word);
    await reset();
    expect(await page()).toContain('special-key');
  });
});
