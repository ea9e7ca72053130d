/** Bodies of requests, beyond the published cases: B01, B04 and B08. */

import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, faultsOf, recording } from './ask';

const pair = {
  type: 'object',
  xml: { name: 'pair' },
  properties: { n: { type: 'integer', format: 'int64' }, m: { type: 'integer', default: 7 } },
};
const bytes = { type: 'string', format: 'binary' };

const json = 'application/json';
const xml = 'application/xml';
const form = 'application/x-www-form-urlencoded';
const upload = 'application/octet-stream';
const pairs = { [json]: pair, [xml]: pair, [form]: pair };

const { handler, calls } = recording();

/** The bodies that handlers have been called with in this test. */
const bodiesRead = (): unknown[] => calls.map(({ body }) => body);

let url = '';

type Content = Readonly<Record<string, object>>;

const operation = (
  operationId: string,
  content: Content,
  required = true,
  statuses: readonly number[] = [],
): object => ({
  operationId,
  requestBody: {
    ...(required ? { required } : {}),
    content: Object.fromEntries(Object.entries(content).map(([key, schema]) => [key, { schema }])),
  },
  responses: Object.fromEntries(
    [200, ...statuses].map((status) => [status, { description: `Declared ${status}` }]),
  ),
});

beforeAll(async () => {
  const posts: Record<string, object> = {
    required: operation('required', pairs),
    optional: operation('optional', pairs, false),
    optionalList: operation('optionalList', { [json]: { type: 'array', items: {} } }, false),
    optionalText: operation('optionalText', { 'text/plain': { type: 'string' } }, false),
    405: operation('405', pairs, true, [405]),
    422: operation('422', pairs, true, [400, 422]),
    bytes: operation('bytes', {
      [upload]: { ...bytes, maxLength: 4 },
      'image/*': bytes,
      [json]: bytes,
    }),
  };
  const served = await serveDocument({
    document: {
      paths: {
        ...Object.fromEntries(Object.entries(posts).map(([path, post]) => [`/${path}`, { post }])),
        '/none': { post: { operationId: 'none', responses: { 200: { description: 'Fine' } } } },
      },
    },
    handlers: Object.fromEntries([...Object.keys(posts), 'none'].map((id) => [id, handler])),
    maxBodyBytes: 1000,
    maxUploadBytes: 2000,
  });
  url = served.url;
});

beforeEach(() => {
  calls.length = 0;
});

/** Sends a body; `undefined` stands for no Content-Type and for no body. */
const post = (
  path: string,
  type: string | undefined,
  body?: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): Promise<Answered> => {
  const headers = { ...(type === undefined ? {} : { 'Content-Type': type }), ...more };
  return ask(url, `/${path}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
};

type Sent = [
  title: string,
  path: string,
  type: string | undefined,
  body: string | Uint8Array | undefined,
];

/** A body that is taken, and what becomes of it. */
type Good = [...Sent, value: unknown];

/** The type that an error body names, by status. */
const errorTypes = {
  400: 'invalid-body',
  413: 'body-too-large',
  415: 'unsupported-media-type',
} as const;

/** A body that is refused. */
type Bad = [...Sent, status: keyof typeof errorTypes];

/** The handler was called once, with this value. */
const reads = async (...[, path, type, body, value]: Good): Promise<void> => {
  expect((await post(path, type, body)).status).toBe(200);
  expect(bodiesRead()).toEqual([value]);
};

/** Refused, and the handler was not called. */
const refuses = async (...[, path, type, body, status]: Bad): Promise<void> => {
  const response = await post(path, type, body);
  expect([response.status, errorOf(response)]).toMatchObject([
    status,
    { code: status, type: errorTypes[status] },
  ]);
  expect(bodiesRead()).toEqual([]);
};

const chunked = { 'Transfer-Encoding': 'chunked' };

describe('presence', () => {
  test.each([
    ['405', 405, 'Declared 405', 'OPTIONS, POST'],
    ['422', 422, 'Declared 422', undefined],
    ['required', 400, undefined, undefined],
  ])('B01 absence takes the declared status: %s', async (path, status, _text, allow) => {
    const response = await post(path, json);
    expect([response.status, response.headers['allow']]).toEqual([status, allow]);
    expect(bodiesRead()).toEqual([]);
  });

  test('B01 the fault names the body as a whole', async () => {
    expect(faultsOf(await post('required', json))).toEqual(['body ']);
  });

  test.each<Good>([
    ['an object with its defaults', 'optional', undefined, undefined, { m: 7 }],
    ['an array', 'optionalList', undefined, undefined, []],
    ['a text', 'optionalText', undefined, undefined, undefined],
    ['no body is declared', 'none', json, undefined, undefined],
  ])('B01 optional and absent: %s', reads);

  test.each<Bad>([
    ['JSON', 'none', json, '{}', 415],
    ['a form', 'none', form, 'a=b', 415],
    ['of no type', 'none', undefined, 'a', 415],
  ])('B04 a body where the operation declares none: %s', refuses);

  test('B04 a body where the operation declares none says what to do', async () => {
    const response = await post('none', form, 'a=b', chunked);
    expect(errorOf(response).message).toBe(
      'This operation takes no body. Send the request without one.',
    );
  });
});

describe('bytes', () => {
  test.each<Bad>([
    ['a limit of their own', 'bytes', 'image/png', new Uint8Array(2001), 413],
    ['the limit of documents', 'required', json, `{"a":"${'a'.repeat(1000)}"}`, 413],
  ])('B08 %s', refuses);
});

describe('which entry', () => {
  test.each<Bad>([
    ...[...['text/plain', '__proto__', 'x'.repeat(8000), 'a/'.repeat(3000)]].map(
      (type): Bad => [type.slice(0, 30), 'required', type, '{}', 415],
    ),
  ])('B04 %s', refuses);

  test('B04 a bad type is no bad body', async () => {
    expect((await post('405', 'text/plain', '{}')).status).toBe(415);
    expect((await post('405', json, '[]')).status).toBe(405);
  });

  test('B04 the answer says what is supported', async () => {
    const { headers } = await post('required', 'text/plain', 'x');
    expect(headers['accept']).toBe(`${json}, ${xml}, ${form}`);
  });

  test('B04 a Content-Encoding', async () => {
    const zipped = (body: string) =>
      post('required', json, gzipSync(body), { 'Content-Encoding': 'gzip' });
    expect((await zipped('{"n":1}')).status).toBe(200);
    expect((await zipped(' '.repeat(100_000))).status).toBe(413);
    expect((await post('required', json, '{}', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect(bodiesRead()).toEqual([{ n: 1n, m: 7 }]);
  });

  test.each(['x-gzip', 'GZIP', 'gzip ,', ' , gzip', 'identity,X-Gzip,,'])(
    'B04 the Content-Encoding %j is gzip, as old names and empty elements of lists ask for',
    async (coding) => {
      const body = gzipSync('{"n":1}');
      const { status } = await post('required', json, body, { 'Content-Encoding': coding });
      expect([status, bodiesRead()]).toEqual([200, [{ n: 1n, m: 7 }]]);
    },
  );

  test.each(['', ',', 'identity', ' Identity , identity'])(
    'B04 the Content-Encoding %j is none',
    async (coding) => {
      const { status } = await post('required', json, '{"n":1}', { 'Content-Encoding': coding });
      expect(status).toBe(200);
    },
  );

  test.each([
    ['x-own', json, 'gzip, deflate, br', undefined],
    ['x-compress', json, 'gzip, deflate, br', undefined],
    ['gzip, gzip', json, 'gzip, deflate, br', undefined],
    ['gzip', 'text/plain', undefined, `${json}, ${xml}, ${form}`],
  ])('B04 415 for the Content-Encoding %s of %s', async (coding, type, encodings, types) => {
    const answer = await post('required', type, '{}', { 'Content-Encoding': coding });
    const { 'accept-encoding': acceptEncoding, accept } = answer.headers;
    expect([answer.status, acceptEncoding, accept]).toEqual([415, encodings, types]);
  });
});
