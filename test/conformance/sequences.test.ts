/** Sequential media types over HTTP, as the specification's examples have them (OAS 3.2.0, Sequential Media Types, Encoding By Position). */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { isItems } from '../../src/engine/responses/item-stream';
import { serveDocument } from '../support/serve-document';

const document = readFileSync(join(__dirname, 'sequences.yaml'), 'utf8');

let received: unknown[] = [];
let files: unknown[] = [];
let answer: unknown;
let url = '';
let errors: readonly object[] = [];

beforeAll(async () => {
  const served = await serveDocument({
    document,
    maxBodyBytes: 500,
    maxUploadBytes: 1000,
    mocks: true,
    handlers: {
      get: ({ describePart }) => ({
        status: 200,
        body:
          typeof answer === 'string'
            ? [describePart(Buffer.from('ab'), { headers: { 'Content-Range': answer } })]
            : answer,
      }),
      async post({ body, fileInfo }) {
        if (!isItems(body)) throw new Error('The body has no items');
        received = [];
        for await (const item of body) received.push(item);
        files = received.map((item) => (item instanceof Uint8Array ? fileInfo(item) : undefined));
        return { status: 204 };
      },
    },
  });
  ({ url, errors } = served);
});

const post = async (type: string, body: string | Uint8Array) => {
  received = [];
  const response = await fetch(`${url}/x`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });
  return { status: response.status, text: await response.text(), received };
};

const get = async (accept: string, body: unknown) => {
  answer = body;
  const response = await fetch(`${url}/x`, { headers: { Accept: accept } });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, bytes: new Uint8Array(await response.arrayBuffer()) };
};

test('the events of the specification', async () => {
  const stream = `event: addString
data: This data is formatted
data: across two lines
retry: 5

event: addInt64
data: 1234.5678
unknownField: this is ignored

: This is a comment
event: addJSON
data: {"foo": 42}

`;
  expect(await post('text/event-stream', stream)).toEqual({
    status: 204,
    text: '',
    received: [
      { event: 'addString', data: 'This data is formatted\nacross two lines', retry: 5 },
      { event: 'addInt64', data: '1234.5678' },
      { event: 'addJSON', data: { foo: 42 } },
    ],
  });
});

test.each([
  ['event: addJSON\ndata: {"foo": "x"}\n\n', '/0/data/foo'],
  ['event: addString\ndata: x\n\nevent: addJSON\ndata: {\n\n', '/1/data'],
  ['data: x\n\n', '/0'],
])('%j is refused', async (stream, path) => {
  const { status, text } = await post('text/event-stream', stream);
  expect([status, JSON.parse(text).errors[0].path]).toEqual([400, path]);
});

const lines = (...parts: string[]) => parts.join('\r\n');
const nested = lines(
  '--A',
  '',
  '[1,2]',
  '--A',
  'Content-Type: multipart/mixed; boundary=B',
  '',
  '--B',
  'Content-Type: application/xml',
  '',
  '<object><b>c</b></object>',
  '--B',
  '',
  'text',
  '--B',
  'Content-Type: image/png',
  '',
  'png',
  '--B--',
  '--A--',
);

describe('multipart', () => {
  test('a nested list', async () => {
    const { status, received: items } = await post('multipart/mixed; boundary=A', nested);
    const png = new Uint8Array(Buffer.from('png'));
    expect([status, items]).toEqual([
      204,
      [
        [1, 2],
        [{ b: 'c' }, 'text', png],
      ],
    ]);
  });

  test.each([
    [nested.replace('[1,2]', '{}'), '/0'],
    [nested.replace('[1,2]', '[1,]'), '/0/1'],
    [nested.replace('\r\n--A--', '\r\n--A\r\n\r\n1\r\n--A--'), ''],
    [nested.replace('\r\n--A--', ''), ''],
  ])('a fault in a list %#', async (body, path) => {
    const { status, text } = await post('multipart/mixed; boundary=A', body);
    expect([status, JSON.parse(text).errors[0].path]).toEqual([400, path]);
  });

  test('pictures one by one, with what their parts say', async () => {
    const picture = '--A\r\nContent-Type: image/jpg\r\nContent-ID: 1\r\n\r\nxx\r\n';
    const { status, received: items } = await post(
      'multipart/related; boundary=A',
      `${picture.repeat(2)}--A--`,
    );
    expect([status, items.length]).toEqual([204, 2]);
    const headers = { 'content-type': 'image/jpg', 'content-id': '1' };
    expect(files[1]).toEqual({ name: undefined, mediaType: 'image/jpg', headers });
  });

  test.each([
    [`--A\r\nContent-Type: image/gif\r\n\r\nx\r\n--A--`, 400],
    [`--A\r\n\r\n${'x'.repeat(1001)}\r\n--A--`, 413],
    ['', 400],
  ])('a picture that is refused %#', async (body, status) => {
    expect((await post('multipart/related; boundary=A', body)).status).toBe(status);
  });

  test('ranges of bytes', async () => {
    const { status, type, bytes } = await get('multipart/byteranges', 'bytes 0-1/9');
    const boundary = /^multipart\/byteranges; boundary=([\da-f]+)$/.exec(type)?.[1];
    expect(status).toBe(200);
    expect(Buffer.from(bytes).toString()).toBe(
      lines(
        `--${boundary}`,
        'Content-Type: video/mp4',
        'Content-Range: bytes 0-1/9',
        '',
        'ab',
        `--${boundary}--`,
        '',
      ),
    );
  });

  test('a list that is read back', async () => {
    const parts = [[1], [{ a: 'b' }, 'text', new Uint8Array([1, 2])]];
    const { type, bytes } = await get('multipart/mixed', parts);
    expect(Buffer.from(bytes).toString()).toContain('Content-Type: application/json\r\n\r\n[1]');
    expect(type).toMatch(/^multipart\/mixed; boundary=/);
  });

  test('a list that does not fit', async () => {
    expect((await get('multipart/mixed', [[], [], []])).status).toBe(500);
    expect((await get('multipart/mixed', 5)).status).toBe(500);
    expect(errors.length).toBeGreaterThan(0);
  });
});

test('a mock of a list has a part for each item', async () => {
  const response = await fetch(`${url}/mocked/list`);
  expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=/);
  expect(await response.text()).toMatch(
    /^--(\S+)\r\n[\s\S]*\r\n5\r\n--\1\r\n[\s\S]*\r\n7\r\n--\1--\r\n$/,
  );
});

describe('JSON text sequences', () => {
  test('a list', async () => {
    const { received: items } = await post(
      'application/json-seq',
      '\x1e1\n\x1e9223372036854775807\n',
    );
    expect(items).toEqual([1n, 9223372036854775807n]);
    const { type, bytes } = await get('application/json-seq', [1n, 2n]);
    expect([type, Buffer.from(bytes).toString()]).toEqual([
      'application/json-seq',
      '\x1e1\n\x1e2\n',
    ]);
  });

  test.each([
    ['\x1e1\n\x1e2\n\x1e3\n\x1e4\n', ''],
    ['\x1e1\n\x1e"x"\n', '/1'],
    ['\x1e1', '/0'],
  ])('%j is refused', async (body, path) => {
    const { status, text } = await post('application/json-seq', body);
    expect([status, JSON.parse(text).errors[0].path]).toEqual([400, path]);
  });

  test('item by item', async () => {
    const { type, bytes } = await get('application/geo+json-seq', [{ type: 'Feature' }]);
    expect([type, Buffer.from(bytes).toString()]).toEqual([
      'application/geo+json-seq',
      '\x1e{"type":"Feature"}\n',
    ]);
  });
});
