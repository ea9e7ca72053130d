/** The client reads what HTTP lets a server send: any framing and any coding that it names, within bounds. */

import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { httpClient } from '../../../src/requests/http-client';

const text = '{"id":1,"name":"Nußbaum"}'.repeat(40);
const gzip = gzipSync(text);
const bomb = gzipSync(gzipSync(Buffer.alloc(200 * 1024 ** 2)));
const codings = (names: string, ...head: readonly string[]) =>
  [...head, `Content-Encoding: ${names}`].map((line) => `${line}\r\n`).join('');
const chunks = (body: Buffer) =>
  Buffer.concat([
    Buffer.from(`3\r\n`),
    body.subarray(0, 3),
    Buffer.from(`\r\n${(body.length - 3).toString(16)}\r\n`),
    body.subarray(3),
    Buffer.from('\r\n0\r\nX-Sum: 1\r\n\r\n'),
  ]);
const unsupported = 'The Content-Encoding is not supported';

/** A head, a body, and what is read: the text, `undecoded` or `error`. */
const cases: Readonly<
  Record<string, readonly [head: string, body: Buffer | string, read: string | object]>
> = {
  gzip: [codings('gzip'), gzip, text],
  'x-gzip, in capitals': [codings('X-GZIP'), gzip, text],
  'deflate in the format of zlib': [codings('deflate'), deflateSync(text), text],
  'deflate alone': [codings('deflate'), deflateRawSync(text), text],
  br: [codings('br'), brotliCompressSync(text), text],
  identity: [codings('identity'), text, text],
  'several codings': [codings('gzip, br'), brotliCompressSync(gzip), text],
  'several fields, and empty elements': [
    codings(', br,', 'Content-Encoding: deflate'),
    brotliCompressSync(deflateSync(text)),
    text,
  ],
  'chunks and trailers': [codings('gzip', 'Transfer-Encoding: chunked'), chunks(gzip), text],
  'nothing at all': [codings('gzip', 'Content-Length: 0'), '', ''],
  'an unknown coding': [codings('zstd'), gzip, { undecoded: unsupported }],
  'an unknown coding below a known one': [codings('zstd, gzip'), gzip, { undecoded: unsupported }],
  'half a body': [
    codings('gzip'),
    gzip.subarray(0, 30),
    { undecoded: 'The body cannot be decoded from gzip: unexpected end of file' },
  ],
  'what is no gzip': [
    codings('gzip'),
    text,
    { undecoded: 'The body cannot be decoded from gzip: incorrect header check' },
  ],
  'a bomb': [
    codings('gzip, gzip'),
    bomb,
    { undecoded: 'The body cannot be decoded from gzip: it is longer than 16777216 bytes' },
  ],
};

let response = Buffer.of();
let asked = '';
const server = createServer((socket) => {
  socket.once('data', (head) => {
    asked = head.toString('latin1');
    socket.end(response);
  });
});
const origin = new Promise<string>((resolve) => {
  server.listen(0, '127.0.0.1', () =>
    resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
});
afterAll(() => void server.close());

const ask = async (method = 'GET', headers: readonly (readonly [string, string])[] = []) => {
  const client = httpClient(new URL(await origin));
  const { answer, error } = await client.send({ method, target: '/', headers, body: undefined });
  client.close();
  return { answer, error };
};

test.each(Object.entries(cases))('%s', async (_name, [head, body, read]) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  response = Buffer.concat([
    Buffer.from(`${interim}HTTP/1.1 200 OK\r\n${head}Connection: close\r\n\r\n`),
    Buffer.from(body),
  ]);
  const { answer, error } = await ask();
  expect(error).toBeUndefined();
  const content = String(answer?.body);
  expect(typeof read === 'string' ? content : { undecoded: answer?.undecoded }).toEqual(read);
});

test.each([
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
])('%s %i has no body, whatever its head says', async (method, status) => {
  response = Buffer.from(
    `HTTP/1.1 ${status} X\r\n${codings('gzip', 'Content-Length: 500')}Connection: close\r\n\r\n`,
  );
  const { answer } = await ask(method);
  expect(answer).toMatchObject({ status, body: Buffer.of() });
  expect(answer?.undecoded).toBeUndefined();
});

test('says which codings are read, unless the request does', async () => {
  response = Buffer.from('HTTP/1.1 204 X\r\nConnection: close\r\n\r\n');
  await ask();
  expect(asked).toContain('Accept-Encoding: identity, gzip;q=0.5, deflate;q=0.5, br;q=0.5\r\n');
  await ask('GET', [['accept-encoding', 'br']]);
  expect(asked.match(/accept-encoding: .*/gi)).toEqual(['accept-encoding: br']);
});
