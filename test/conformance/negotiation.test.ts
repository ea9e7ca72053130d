/** The media type of an answer, beyond the published cases: R05. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answering, type Get, response, serveResponses } from './serve-replies';

const json = 'application/json';
const xml = 'application/xml';
const utf8 = '; charset=utf-8';

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
    ['range', '*/*', json],
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
    expect(response.body).toMatch(/406.+not-acceptable/);
  });

  test.each([
    ['both', 'Accept'],
    ['one', undefined],
  ])('R05 caches are told what %s depends on', async (name, vary) => {
    expect((await get(name)).headers['vary']).toBe(vary);
  });
});
