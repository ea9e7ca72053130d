/** Bodies of requests: their presence, the entry of the content map that reads them, and bytes; B01 to B10. */

import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, errorOf, faultsOf, type Question, type Response, recording } from './ask';

const pair = {
  type: 'object',
  xml: { name: 'pair' },
  properties: { n: { type: 'integer', format: 'int64' }, m: { type: 'integer', default: 7 } },
};
const integer = { type: 'integer', format: 'int64' };
const bytes = { type: 'string', format: 'binary' };
const base64 = { type: 'string', format: 'byte' };
const text = (pattern: string) => ({ type: 'string', pattern: `^${pattern}$` });

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
    ranges: operation('ranges', {
      '*/*': { ...bytes, maxLength: 3 },
      'text/*': text('some text'),
      'text/plain': text('plain text'),
      'application/*': integer,
    }),
    versions: operation('versions', {
      'application/json; version=2': { type: 'string' },
      [json]: integer,
      'text/plain; charset=utf-8': { type: 'string' },
    }),
    suffixes: operation('suffixes', {
      'application/vnd.pair+json': pair,
      'Application/Vnd.Pair+XML': pair,
    }),
    bytes: operation('bytes', {
      [upload]: { ...bytes, maxLength: 4 },
      'image/*': bytes,
      [json]: bytes,
    }),
    filled: operation('filled', { [upload]: { ...bytes, minLength: 1 } }),
    base64: operation('base64', {
      'text/plain': base64,
      [json]: base64,
      [xml]: { ...base64, xml: { name: 'data' } },
    }),
  };
  const served = await serveDocument({
    document: {
      paths: {
        ...Object.fromEntries(Object.entries(posts).map(([path, post]) => [`/${path}`, { post }])),
        '/bodiless': { get: operation('get', pairs), delete: operation('delete', pairs) },
        '/none': { post: { operationId: 'none', responses: { 200: { description: 'Fine' } } } },
      },
    },
    handlers: Object.fromEntries(
      [...Object.keys(posts), 'get', 'delete', 'none'].map((id) => [id, handler]),
    ),
    maxBodyBytes: 1000,
    maxUploadBytes: 2000,
  });
  url = served.url;
});

beforeEach(() => {
  calls.length = 0;
});

/** Sends to a path that has other methods than POST. */
const send = (path: string, question: Question): Promise<Response> => ask(url, path, question);

/** Sends a body; `undefined` stands for no Content-Type and for no body. */
const post = (
  path: string,
  type: string | undefined,
  body?: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> => {
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
  test.each<Bad>([
    ['nothing at all', 'required', undefined, undefined, 400],
    ['no JSON', 'required', json, undefined, 400],
    ['no XML', 'required', xml, undefined, 400],
    ['no form', 'required', form, undefined, 400],
    ['no bytes', 'bytes', undefined, undefined, 400],
    ['blank JSON', 'required', json, ' \n', 400],
    ['blank XML', 'required', xml, ' \n', 400],
  ])('B01 required but absent: %s', refuses);

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

  test.each([json, xml, form])('B10 an empty body of type %s is absent', async (type) => {
    expect((await post('required', type, '')).status).toBe(400);
    expect((await post('optional', type, '')).status).toBe(200);
    expect((await post('optional', type, '', chunked)).status).toBe(200);
    expect(bodiesRead()).toEqual([{ m: 7 }, { m: 7 }]);
  });

  test('B10 empty bytes are a value', async () => {
    expect((await post('bytes', upload, '')).status).toBe(200);
    expect((await post('bytes', upload, '', chunked)).status).toBe(200);
    expect((await post('filled', upload, '')).status).toBe(400);
    expect(bodiesRead()).toEqual([Buffer.of(), Buffer.of()]);
  });

  test.each(['GET', 'HEAD', 'DELETE'])('B06 the body of %s is ignored', async (method) => {
    const headers = { 'Content-Type': json };
    expect((await send('/bodiless', { method, headers, body: '{"n":' })).status).toBe(200);
    expect((await send('/bodiless', { method })).status).toBe(200);
    expect(bodiesRead()).toEqual([undefined, undefined]);
  });
});

describe('bytes', () => {
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);

  test.each<Good>([
    ['bytes', 'bytes', upload, Uint8Array.of(0, 255, 13, 10), Buffer.of(0, 255, 13, 10)],
    ['every byte, behind a range', 'bytes', 'image/png', all, Buffer.from(all)],
    ['JSON is not parsed', 'bytes', json, '{"a":', Buffer.from('{"a":')],
    ['no text is decoded', 'bytes', upload, '\uFEFFa', Buffer.of(0xef, 0xbb, 0xbf, 0x61)],
  ])('B08 %s', reads);

  test.each<Bad>([
    ['bytes are counted', 'bytes', upload, 'ééa', 400],
    ['a limit of their own', 'bytes', 'image/png', new Uint8Array(2001), 413],
    ['the limit of documents', 'required', json, `{"a":"${'a'.repeat(1000)}"}`, 413],
  ])('B08 %s', refuses);

  test.each<Good>([
    ['text', 'base64', 'text/plain', 'aGk=', 'aGk='],
    ['JSON', 'base64', json, '"aGk="', 'aGk='],
    ['XML', 'base64', xml, '<data>aGk=</data>', 'aGk='],
  ])('B09 %s', reads);

  test.each<Bad>([
    ['text', 'base64', 'text/plain', 'a*k=', 400],
    ['JSON', 'base64', json, '"aGk"', 400],
    ['XML', 'base64', xml, '<data>aGk=aGk=</data>', 400],
  ])('B09 not base64: %s', refuses);
});

describe('which entry', () => {
  test.each<Good>([
    ['exact', 'ranges', 'text/plain', 'plain text', 'plain text'],
    ['a range of subtypes', 'ranges', 'text/csv', 'some text', 'some text'],
    ['any type', 'ranges', 'image/png', 'abc', Buffer.from('abc')],
    ['a format behind a range', 'ranges', json, '9007199254740993', 9007199254740993n],
  ])('B02 %s', reads);

  test.each<Bad>([
    ['not the range beside the exact type', 'ranges', 'text/plain', 'some text', 400],
    ['not any type beside the range', 'ranges', 'text/csv', 'abc', 400],
    ['nor the exact type', 'ranges', 'image/png', 'plain text', 400],
  ])('B02 %s', refuses);

  test.each<Good>([
    ['in another case', 'required', 'APPLICATION/Json', '{"n":1}', { n: 1n, m: 7 }],
    ['with a charset', 'required', 'application/json;charset=UTF-8', '{"n":1}', { n: 1n, m: 7 }],
    ...['application/json;', '  application/json  ', 'application/json; version=1; x=y'].map(
      (type): Good => [`"${type}"`, 'required', type, '{}', { m: 7 }],
    ),
    [
      'with blanks and quotes',
      'required',
      'application/json ; charset="utf-8" ; x=y',
      '{}',
      { m: 7 },
    ],
    ['the key has the parameter', 'versions', 'application/json; Version=2', '"a"', 'a'],
    [
      'the key has one of the parameters',
      'versions',
      'application/json; a=b; version="2"',
      '"a"',
      'a',
    ],
    ['the key has no parameter', 'versions', json, '5', 5n],
    ['another value of the parameter', 'versions', 'application/json; version=3', '5', 5n],
    ['a charset in the key', 'versions', 'text/plain; charset=UTF-8', 'é', 'é'],
  ])('B03 %s', reads);

  test.each<Bad>([
    ['a parameter that the key asks for is missing', 'versions', 'text/plain', 'a', 415],
    ...['utf-7', 'utf-16', 'x-unknown', '"iso-8859-1"'].map(
      (charset): Bad => [charset, 'required', `application/json; charset=${charset}`, '{}', 415],
    ),
  ])('B03 %s', refuses);

  test.each<Bad>([
    ['another type', 'required', 'text/plain', '{}', 415],
    ['another suffix', 'required', 'application/vnd.pair+json', '{}', 415],
    ['a range', 'required', '*/*', '{}', 415],
    ['a list', 'required', 'application/json, text/plain', '{}', 415],
    ['no media type', 'required', 'json', '{}', 415],
    ['half a media type', 'required', 'application/', '{}', 415],
    ...[
      ...['/', ';', '/json', 'application/json/x', 'application/jsonx', 'application/x-json'],
      ...['text/json', '__proto__', 'constructor/prototype', 'x'.repeat(8000), 'a/'.repeat(3000)],
    ].map((type): Bad => [type.slice(0, 30), 'required', type, '{}', 415]),
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
    expect((await post('required', json, '{}', { 'Content-Encoding': 'x-own' })).status).toBe(415);
    expect((await post('required', json, '{}', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect(bodiesRead()).toEqual([{ n: 1n, m: 7 }]);
  });

  test.each<Bad>([
    ['JSON', 'required', undefined, '{}', 415],
    ['bytes', 'bytes', undefined, 'abc', 415],
    ['any type would do', 'ranges', undefined, 'abc', 415],
    ['an optional body', 'optional', undefined, '{}', 415],
    ['an empty Content-Type', 'required', '', '{}', 415],
  ])('B05 no Content-Type: %s', refuses);

  test.each<Good>([
    ['+json', 'suffixes', 'application/vnd.pair+json', '{"n":1}', { n: 1n, m: 7 }],
    [
      '+xml, in any case',
      'suffixes',
      'application/VND.pair+xml',
      '<pair><n>1</n></pair>',
      { n: 1n, m: 7 },
    ],
    ['a type behind a range', 'ranges', 'application/vnd.own+json', '5', 5n],
  ])('B07 %s', reads);

  test('B07 a suffix does not change what is malformed', () =>
    refuses('', 'suffixes', 'application/vnd.pair+json', '<pair/>', 400));
});
