/** Compressed and oversized bodies: bounded by what they hold, not by what they say. */

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Asked } from '../support/ask';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const limit = 20_000;
const services = useServices({ MAX_BODY_BYTES: String(limit), MAX_UPLOAD_BYTES: String(limit) });

afterEach(async () => {
  expectOk(await services().ask('GET /petstore/store/order/1'));
});

const json = JSON.stringify({ id: 1, name: 'Rex', photoUrls: [] });
const put = (asked: Asked) =>
  services().ask('PUT /petstore/pet', { token: services().petToken, ...asked });

describe('the Content-Encoding', () => {
  const type = 'application/json';
  const zipped = gzipSync(json);
  const bomb = gzipSync(Buffer.alloc(50_000_000));

  test('gzip is understood', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    expectOk(await put({ type, body: zipped, headers }));
  });

  test.each<[string, string, Uint8Array | string, number]>([
    ['gzip that is none', 'gzip', json, 400],
    ['gzip that ends early', 'gzip', zipped.subarray(0, -9), 400],
    [
      'gzip with a broken checksum',
      'gzip',
      Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)]),
      400,
    ],
    ['gzip of 50 MB of nothing', 'gzip', bomb, 413],
    ['an unknown coding', 'zip', zipped, 415],
    ['two codings', 'gzip, gzip', gzipSync(zipped), 415],
    ['deflate that is none', 'deflate', json, 400],
    ['Brotli that is none', 'br', json, 400],
  ])('%s is refused', async (_, coding, body, status) => {
    const headers = { 'Content-Encoding': coding };
    for (const accept of ['application/json', 'application/xml']) {
      const answered = await put({ type, body, headers, accept });
      await expectError(answered, status);
      expect(answered.headers['content-type']).toContain(accept);
    }
  });

  test('a bomb is no upload either', async () => {
    const answered = await services().ask('POST /petstore/pet/1/uploadImage', {
      token: services().petToken,
      type: 'application/octet-stream',
      headers: { 'Content-Encoding': 'gzip' },
      body: bomb,
    });
    await expectError(answered, 413);
  });
});

describe('a body past the limit', () => {
  const large = (size: number) => `${json.slice(0, -1)},"x":"${'x'.repeat(size)}"}`;

  test.each<[string, Readonly<Record<string, string>>]>([
    ['with its length', {}],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('%s is refused with 413', async (_, headers) => {
    for (const accept of ['application/json', 'application/xml']) {
      const asked = { type: 'application/json', headers, accept, body: large(limit * 50) };
      const answered = await put(asked);
      await expectError(answered, 413);
      expect(answered.headers['content-type']).toContain(accept);
    }
  });

  test('is told from one at the limit by a single byte', async () => {
    const exact = large(limit - large(0).length);
    expect(Buffer.byteLength(exact)).toBe(limit);
    const type = 'application/json';
    expectOk(await put({ type, body: exact }));
    await expectError(await put({ type, body: `${exact} ` }), 413);
  });
});
