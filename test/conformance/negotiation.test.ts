/** The media type of an answer, beyond the published cases: R05. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answering, type Get, response, serveResponses } from './serve-replies';

const json = 'application/json';
const xml = 'application/xml';
const utf8 = '; charset=utf-8';

describe('octets under ranges', () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]);
  const binary = { type: 'string', format: 'binary' };
  const offer = (schema: object | undefined, types: string[], type?: string): Answering => ({
    responses: {
      200: {
        description: 'Fine',
        content: Object.fromEntries(types.map((key) => [key, schema && { schema }])),
      },
    },
    response: { status: 200, body: bytes, ...(type && { headers: { 'content-TYPE': type } }) },
  });
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses({
      image: offer(binary, ['image/*']),
      said: offer(binary, ['image/*'], 'image/png'),
      any: offer(binary, ['*/*']),
      free: offer({}, ['*/*']),
      two: offer(binary, ['image/*', '*/*']),
      latin: offer(binary, ['text/plain; charset=iso-8859-1']),
    });
  });
  const octets = 'application/octet-stream';

  test.each<[name: string, accept: string | undefined, type: string]>([
    ['image', undefined, octets],
    ['image', '*/*', octets],
    ['image', 'image/png', 'image/png'],
    ['image', 'image/webp;q=0.5, image/gif, */*;q=0.1', 'image/gif'],
    ['said', undefined, 'image/png'],
    ['said', 'image/webp', 'image/png'],
    ['any', undefined, octets],
    ['any', 'application/pdf', 'application/pdf'],
    ['any', octets, octets],
    ['any', 'application/json, text/plain, */*', octets],
    ['any', json, octets],
    ['free', undefined, octets],
    ['free', 'text/html, */*;q=0.8', 'text/html; charset=utf-8'],
    ['two', undefined, octets],
    ['two', 'audio/mpeg', 'audio/mpeg'],
    ['latin', undefined, 'text/plain; charset=iso-8859-1'],
  ])('R13 R14 %s, Accept: %s', async (name, accept, type) => {
    const response = await get(name, accept);
    expect([response.status, response.headers['content-type']]).toEqual([200, type]);
  });

  test('R13 what is outside of the range is refused', async () => {
    const { status, text: body, called } = await get('image', 'text/html');
    expect([status, called]).toEqual([406, false]);
    expect(JSON.parse(body).message).toBe('The Accept header must allow one of image/*');
  });
});

describe('content negotiation', () => {
  const offer = (...types: string[]): Answering => ({
    responses: { 200: response({ type: 'string' }, ...types) },
    response: { status: 200, body: 'a' },
  });
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses({
      both: offer(json, xml),
      one: offer(json),
      range: offer('*/*'),
      text: offer('text/*'),
      charset: offer('text/plain; charset=UTF-8'),
    });
  });

  test.each<[name: string, accept: string | undefined, type: string]>([
    ['both', xml, xml + utf8],
    ['range', '*/*', `text/plain${utf8}`],
    ['range', 'application/json', json],
    ['text', undefined, `text/plain${utf8}`],
    ['charset', undefined, 'text/plain; charset=UTF-8'],
    ['charset', 'text/plain', 'text/plain; charset=UTF-8'],
  ])('R05 %s, Accept: %s', async (name, accept, type) => {
    const response = await get(name, accept);
    expect([response.status, response.headers['content-type']]).toEqual([200, type]);
  });

  test.each([
    ['both', 'application/vnd.own+json'],
    ['one', xml],
  ])('R05 %s cannot meet %s', async (name, accept) => {
    const response = await get(name, accept);
    expect([response.status, response.called]).toEqual([406, false]);
    expect(response.text).toMatch(/406.+not-acceptable/);
  });

  test.each([
    ['both', 'Accept'],
    ['one', undefined],
  ])('R05 caches are told what %s depends on', async (name, vary) => {
    expect((await get(name)).headers['vary']).toBe(vary);
  });
});
