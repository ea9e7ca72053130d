/** Pages of other origins: those that are configured may call the services, the others may read the documents alone. */

import { describe, expect, test } from '@jest/globals';
import type { Answered, Asked } from '../support/ask';
import { useServices } from '../support/services';

const friend = 'https://app.example';
const stranger = 'https://evil.example';

const open = useServices({
  CORS_ORIGINS: `${friend}, http://localhost:3000`,
  MAX_BODY_BYTES: '2000',
});
const openToAll = useServices({ CORS_ORIGINS: '*' });
const closed = useServices();

type Given = ReturnType<typeof useServices>;

const from = (server: Given, origin: string, target: string, asked: Asked = {}) =>
  server().ask(target, { ...asked, headers: { Origin: origin, ...asked.headers } });

const preflight = (server: Given, origin: string, path: string, method: string) =>
  from(server, origin, `OPTIONS ${path}`, { headers: { 'Access-Control-Request-Method': method } });

const corsHeaders = ({ headers }: Answered) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const listed = ({ headers }: Answered, name: string): readonly string[] =>
  String(headers[name] ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase());

const key = 'special-key';

describe('a page of a configured origin', () => {
  test.each<[string, number, () => Asked]>([
    ['GET /petstore/pet/1', 200, () => ({ key })],
    ['GET /petstore/pet/findByStatus', 200, () => ({ token: open().petToken })],
    ['GET /petstore/docs/', 200, () => ({})],
    ['GET /petstore/pet/1', 401, () => ({})],
    ['POST /ads/ad', 403, () => ({ token: open().login.ads })],
    ['GET /petstore/nowhere', 404, () => ({})],
    ['PATCH /petstore/pet/1', 405, () => ({})],
    ['GET /petstore/store/order/1', 406, () => ({ accept: 'text/csv' })],
    ['POST /petstore/store/order', 413, () => ({ body: { status: 'x'.repeat(3000) } })],
    ['POST /petstore/store/order', 415, () => ({ type: 'text/csv', body: 'a' })],
  ])('may read what %s answers: %i', async (target, status, asked) => {
    const answered = await from(open, friend, target, asked());
    expect(answered.status).toBe(status);
    expect(answered.headers['access-control-allow-origin']).toBe(friend);
    expect(answered.headers['access-control-allow-credentials']).toBeUndefined();
    expect(listed(answered, 'vary')).toContain('origin');
    const told = ['www-authenticate', 'retry-after', 'location', 'allow'];
    const declared = ['x-rate-limit', 'x-expires-after'];
    expect(listed(answered, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining([...told, ...declared]),
    );
  });

  test.each([
    ['/petstore/pet/1', 'DELETE', 'DELETE, GET, HEAD, OPTIONS, POST'],
    ['/petstore/pet', 'PUT', 'OPTIONS, POST, PUT'],
    ['/petstore/pet', 'PATCH', 'OPTIONS, POST, PUT'],
    ['/ads/ad', 'POST', 'OPTIONS, POST'],
    ['/petstore/files/x', 'GET', 'GET, HEAD, POST'],
  ])('is told by %s what it may send, asking for %s', async (path, method, methods) => {
    const answered = await preflight(open, friend, path, method);
    expect(answered).toMatchObject({ status: 204, text: '' });
    expect(answered.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-methods': methods,
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(listed(answered, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['authorization', 'api_key', 'content-type', 'accept', 'prefer']),
    );
  });

  test('is answered OPTIONS as everybody is, where it is no preflight', async () => {
    const answered = await from(open, friend, 'OPTIONS /petstore/pet');
    expect([answered.status, answered.headers['allow']]).toEqual([204, 'OPTIONS, POST, PUT']);
    expect(answered.headers['access-control-allow-origin']).toBe(friend);
  });

  test('is not told from others by parts of its name', async () => {
    const others = [`${friend}.evil.example`, 'http://app.example', `${friend}:8443`, 'null'];
    for (const origin of others) {
      const answered = await from(open, origin, 'GET /petstore/pet/1', { key });
      expect(answered.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('a page of any other origin', () => {
  test('may neither read nor send', async () => {
    const answered = await from(open, stranger, 'GET /petstore/pet/1', { key });
    const asked = await preflight(open, stranger, '/petstore/pet/1', 'DELETE');
    for (const { headers } of [answered, asked]) {
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['vary']).toMatch(/\bOrigin\b/);
    }
  });

  test('may do nothing where nothing is configured', async () => {
    const answered = await from(closed, friend, 'GET /petstore/pet/1', { key });
    const asked = await preflight(closed, friend, '/petstore/pet/1', 'DELETE');
    expect([answered, asked].map(corsHeaders)).toEqual([[], []]);
  });

  test.each(['/petstore/openapi.json', '/petstore/openapi.yaml', '/ads/openapi.json'])(
    'may read %s',
    async (path) => {
      for (const server of [open, openToAll, closed]) {
        const { status, headers } = await from(server, stranger, `GET ${path}`);
        expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
      }
    },
  );

  test('may call where every origin may, without cookies', async () => {
    const answered = await from(openToAll, stranger, 'GET /petstore/pet/1', { key });
    const asked = await preflight(openToAll, stranger, '/petstore/pet/1', 'DELETE');
    for (const { headers } of [answered, asked]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    expect([answered.status, asked.status]).toEqual([200, 204]);
  });
});

test('whoever names no origin is answered as ever', async () => {
  const answered = await open().ask('GET /petstore/pet/1', { key });
  expect([answered.status, answered.headers['vary'], corsHeaders(answered)]).toEqual([
    200,
    'Accept',
    [],
  ]);
});

test('a stored file says that it depends on the origin, for it is kept', async () => {
  const { ask, petToken: token } = open();
  const type = 'application/octet-stream';
  await ask('POST /petstore/pet/1/uploadImage', { token, type, body: Buffer.from('GIF89a') });
  const { text } = await ask('GET /petstore/pet/1', { key });
  const { photoUrls }: { photoUrls: string[] } = JSON.parse(text);
  const { pathname } = new URL(photoUrls.at(-1) ?? '');
  expect((await ask(`GET ${pathname}`)).headers['vary']).toBe('Origin');
  const { headers } = await from(open, friend, `GET ${pathname}`);
  expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([friend, 'Origin']);
});
