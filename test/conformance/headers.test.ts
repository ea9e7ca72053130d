/** The headers of an answer: R07 and R08. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answering, type Get, response, serveResponses } from './serve-replies';

describe('headers', () => {
  const headers = {
    'X-Rate-Limit': { schema: { type: 'integer', format: 'int32' } },
    'X-Large': { schema: { type: 'integer', format: 'int64' } },
    'X-Expires-After': { schema: { type: 'string', format: 'date-time' } },
    'X-List': { schema: { type: 'array', items: { type: 'integer' } } },
    'X-Pairs': { schema: { type: 'object' } },
    'X-Exploded': { explode: true, schema: { type: 'object' } },
    'Content-Type': { schema: { type: 'string', enum: ['text/never'] } },
  };
  const required = { 'X-Required': { required: true, schema: { type: 'string' } } };
  const answer = (declared: object, given: Readonly<Record<string, unknown>>): Answering => ({
    responses: { 200: { ...response({ type: 'integer' }), headers: declared } },
    response: { status: 200, body: 1, headers: given },
  });
  let get: Get;
  beforeAll(async () => {
    get = await serveResponses({
      typed: answer(headers, {
        'X-Rate-Limit': 5000,
        'x-large': 9223372036854775807n,
        'X-EXPIRES-AFTER': '2024-02-29T12:00:00Z',
        'X-List': [1, 2],
        'X-Pairs': { R: 1, G: 2 },
        'X-Exploded': { R: 1, G: 2 },
      }),
      absent: answer(headers, { 'X-Rate-Limit': undefined }),
      undeclared: answer({}, { 'X-Own': 5, 'Set-Cookie': ['a=1', 'b=2'] }),
      split: answer({}, { 'X-Own': 'a\r\nX-Injected: b' }),
      foreign: answer(headers, { 'X-Own': 'Zürich 東京' }),
      ill: answer(headers, { 'X-Rate-Limit': 'many' }),
      illDate: answer(headers, { 'X-Expires-After': 'tomorrow' }),
      required: answer(required, { 'x-required': 'here' }),
      missing: answer(required, {}),
    });
  });

  test('R07 values are written in simple style', async () => {
    expect((await get('typed')).headers).toMatchObject({
      'x-rate-limit': '5000',
      'x-large': '9223372036854775807',
      'x-expires-after': '2024-02-29T12:00:00Z',
      'x-list': '1,2',
      'x-pairs': 'R,1,G,2',
      'x-exploded': 'R=1,G=2',
      'content-type': 'application/json',
    });
  });

  test('R07 an absent value is no header', async () => {
    const response = await get('absent');
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('x-rate-limit');
  });

  test.each(['ill', 'illDate'])(
    'R07 a value that does not fit is reported, and not sent: %s',
    async (name) => {
      const response = await get(name);
      expect([response.status, response.logged]).toEqual([
        500,
        [expect.stringMatching(/header X-/)],
      ]);
    },
  );

  test('R08 undeclared headers are allowed', async () => {
    const response = await get('undeclared');
    expect([response.status, response.headers['x-own'], response.headers['set-cookie']]).toEqual([
      200,
      '5',
      ['a=1', 'b=2'],
    ]);
  });

  test.each(['split', 'foreign'])(
    'R08 text that no header can carry is reported, and not sent: %s',
    async (name) => {
      const response = await get(name);
      expect([response.status, response.logged]).toEqual([
        500,
        ['Invalid character in header content ["X-Own"]'],
      ]);
      expect(JSON.parse(response.body)).toMatchObject({ code: 500, type: 'internal' });
    },
  );

  test('R08 a required header', async () => {
    expect((await get('required')).headers['x-required']).toBe('here');
    const response = await get('missing');
    expect([response.status, response.logged]).toEqual([
      500,
      ['The response lacks the header X-Required'],
    ]);
  });
});
