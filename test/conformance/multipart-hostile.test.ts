/** Hostile multipart bodies over HTTP: each is refused with its status, and the next request is served. */

import { once } from 'node:events';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openSocket, sendRaw } from '../support/raw-socket';
import { fullText, tableOf } from '../support/text-cases';
import {
  bodyOf,
  boundary,
  bytes,
  expectRefusal,
  formType,
  type MultipartService,
  maxBodyBytes,
  maxUploadBytes,
  type SentPart,
  serveMultipart,
} from './serve-multipart';
import { refused } from './serve-schemas';

const cases = join(__dirname, 'multipart-hostile.cases.txt');

const binary = { type: 'string', format: 'binary' };
const properties = {
  name: { type: 'string' },
  file: binary,
  files: { type: 'array', items: binary },
};

let service: MultipartService;
beforeAll(async () => {
  service = await serveMultipart({
    thing: { schema: { type: 'object', properties } },
    mixed: { schema: { type: 'object', properties }, mediaType: 'multipart/mixed' },
  });
});

afterEach(async () => {
  const echo = await service.send('thing', bodyOf({ name: 'name', value: 'next' }));
  expect([echo.status, echo.received, service.errors]).toEqual([200, { name: 'next' }, []]);
});

const chunked = { 'Transfer-Encoding': 'chunked' };
const part = (head: string, value = 'a'): string => `--${boundary}\r\n${head}\r\n\r\n${value}\r\n`;
const disposition = 'Content-Disposition: form-data; name="name"';
const end = `--${boundary}--\r\n`;
/** The body of a case. */
const bytesOf = (text: string): Buffer =>
  Buffer.from(fullText(text, { disposition, end }), 'latin1');
const several = (count: number, sent: SentPart): Buffer =>
  bodyOf(...Array.from({ length: count }, () => sent));

describe('F05 what is no multipart is refused:', () => {
  test.each(tableOf(cases, 'no multipart'))('F05 %s', async (_, text = '') => {
    const body = bytesOf(text);
    for (const headers of [{}, chunked]) {
      expectRefusal(await service.send('thing', body, formType, headers), '');
    }
  });

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty boundary in quotes', 'multipart/form-data; boundary=""'],
    ['a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`],
    ['a boundary of 10,000 characters', `multipart/form-data; boundary=${'b'.repeat(10_000)}`],
  ])('F05 %s', async (_, type) => {
    expectRefusal(await service.send('thing', bodyOf({ name: 'name', value: 'a' }), type), '');
  });

  test('F05 nested multipart is no field, and bytes where it is a file', async () => {
    const inner = bodyOf({ name: 'name', value: 'a' }).toString().replaceAll(boundary, 'inner');
    const type = 'multipart/mixed; boundary=inner';
    const nested = (name: string) => bodyOf({ name, value: inner, type });
    expectRefusal(await service.send('thing', nested('name')), '/name');
    const file = await service.send('thing', nested('file'));
    const other = await service.send('thing', nested('other'));
    expect([file.received, other.received]).toEqual([{ file: bytes(inner) }, {}]);
  });

  test('F05 nested without an end, 1,000 deep', async () => {
    const deep = Array.from(
      { length: 1000 },
      (_, depth) =>
        `--${boundary}${depth}\r\nContent-Type: multipart/mixed; boundary=${boundary}${depth + 1}\r\n\r\n`,
    ).join('');
    const type = `multipart/mixed; boundary=${boundary}0`;
    expectRefusal(await service.send('mixed', deep, type), '');
  });
});

describe('F05 what is odd but multipart is read:', () => {
  test.each(tableOf(cases, 'odd but multipart'))('F05 %s', async (_, text = '', name = '') => {
    const echo = await service.send('thing', bytesOf(text));
    expect([echo.status, echo.received]).toEqual([200, { name: fullText(name) }]);
  });

  test('F05 a boundary of 70 characters, in quotes', async () => {
    const long = `${'b'.repeat(60)} '()+_,-./`;
    const body = bodyOf({ name: 'name', value: 'a' }).toString().replaceAll(boundary, long);
    const echo = await service.send('thing', body, `multipart/form-data; boundary="${long}"`);
    expect([long.length, echo.received]).toEqual([70, { name: 'a' }]);
  });

  test('F05 1,000 parts', async () => {
    const echo = await service.send(
      'thing',
      several(1000, { name: 'files', value: 'a', file: 'a' }),
    );
    expect(echo.received).toEqual({ files: Array.from({ length: 1000 }, () => bytes('a')) });
  });

  test('F05 filename* and a file name in quotes', async () => {
    const files = [`filename="a;b%22.txt"`, `filename="a"; filename*=UTF-8''%e2%82%ac.txt`];
    const body = files.map((file) => part(`Content-Disposition: form-data; name="files"; ${file}`));
    const echo = await service.send('thing', body.join('') + end);
    expect(echo.files).toEqual([
      { name: 'a;b".txt', mediaType: undefined },
      { name: '€.txt', mediaType: undefined },
    ]);
  });
});

describe('F05 wherever the body is cut', () => {
  const sent: SentPart[] = [
    { name: 'name', value: 'a\r\n-' },
    { name: 'file', value: Uint8Array.of(13, 10, 45, 45, 0), file: 'f', type: 'image/png' },
  ];
  const whole = bodyOf(...sent);
  const value = { name: 'a\r\n-', file: Uint8Array.of(13, 10, 45, 45, 0) };
  // The line end after the closing delimiter is an epilogue that may be missing.
  const cuts = Array.from({ length: whole.length - 3 }, (_, index) => index + 1);

  test('F05 off, it is refused', async () => {
    for (const cut of cuts) {
      expectRefusal(await service.send('thing', whole.subarray(0, cut), formType, chunked), '');
    }
  });

  test('F05 in single bytes, it is read', async () => {
    const lines = [...whole].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
    );
    const head = `POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: ${formType}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const response = await sendRaw(
      service.url,
      Buffer.concat([Buffer.from(head), ...lines, Buffer.from('0\r\n\r\n')]),
    );
    expect(response.statuses).toEqual([200]);
  });

  test('F05 nowhere, the values are whole', async () => {
    expect((await service.send('thing', whole)).received).toEqual(value);
  });
});

describe('F05 sizes', () => {
  const large = Buffer.alloc(maxUploadBytes, 'a');
  const fill = (size: number): Buffer => {
    const empty = bodyOf({ name: 'file', value: '' }).length;
    return bodyOf({ name: 'file', value: large.subarray(0, size - empty) });
  };
  const tooLarge = [413, refused, { code: 413, type: 'body-too-large' }];

  test('F05 a body of just the limit', async () => {
    for (const headers of [{}, chunked]) {
      expect((await service.send('thing', fill(maxUploadBytes), formType, headers)).status).toBe(
        200,
      );
    }
  });

  test.each<[string, Uint8Array]>([
    ['one byte more', fill(maxUploadBytes + 1)],
    ['a file', bodyOf({ name: 'file', value: large })],
    ['a file that is dropped', bodyOf({ name: 'other', value: large, file: 'a' })],
    ['files together', several(3, { name: 'files', value: large.subarray(0, maxUploadBytes / 3) })],
    ['a text', bodyOf({ name: 'name', value: large.subarray(0, maxBodyBytes + 1) })],
    ['texts together', several(100, { name: 'other', value: large.subarray(0, 51) })],
    ['a preamble', Buffer.concat([large, bodyOf()])],
    ['an epilogue', Buffer.concat([bodyOf(), large])],
    ['no multipart at all', Buffer.concat([large, large])],
  ])('F05 too large: %s', async (_, body) => {
    for (const headers of [{}, chunked]) {
      const echo = await service.send('thing', body, formType, headers);
      expect([echo.status, echo.received, JSON.parse(echo.text)]).toMatchObject(tooLarge);
    }
  });

  const good = bodyOf({ name: 'name', value: 'a' });

  test.each([
    ['gzip', gzipSync(good)],
    ['deflate', deflateSync(good)],
    ['br', brotliCompressSync(good)],
    ['Identity', good],
    [' , X-GZip,, identity ,', gzipSync(good)],
  ])('F05 coded as %s', async (coding, body) => {
    const echo = await service.send('thing', body, formType, { 'Content-Encoding': coding });
    expect([echo.status, echo.received]).toEqual([200, { name: 'a' }]);
  });

  test.each<[string, string, Uint8Array, number]>([
    ['unpacked it is too large', 'gzip', gzipSync(Buffer.alloc(100_000_000)), 413],
    ['not what it says', 'gzip', good, 400],
    ['cut off', 'gzip', gzipSync(good).subarray(0, -9), 400],
    ['unknown', 'zip', good, 415],
  ])('F05 a coding, refused: %s', async (_, coding, body, status) => {
    const echo = await service.send('thing', body, formType, { 'Content-Encoding': coding });
    expect([echo.status, echo.received]).toEqual([status, refused]);
  });
});

describe('F05 clients that go away or keep their bytes', () => {
  const head = (length: number): string =>
    `POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: ${formType}\r\nContent-Length: ${length}\r\n\r\n`;
  const whole = bodyOf({ name: 'file', value: 'abc', file: 'f' });

  test.each([0, 10, 60, whole.length - 8])('F05 gone after %d bytes', async (count) => {
    const socket = openSocket(service.url);
    await once(socket, 'connect');
    socket.write(Buffer.concat([Buffer.from(head(whole.length)), whole.subarray(0, count)]));
    // The server has the first bytes when it answers another request on a later connection.
    await service.send('thing', whole);
    socket.destroy();
    await once(socket, 'close');
  });

  test('F05 one that ends its half in the middle', async () => {
    const request = Buffer.concat([Buffer.from(head(whole.length)), whole.subarray(0, 60)]);
    const response = await sendRaw(service.url, request, { halfClose: true });
    expect(response.statuses.every((status) => status === 400)).toBe(true);
  });

  test('F05 one that is refused has its answer before it has sent everything', async () => {
    const socket = openSocket(service.url);
    socket.write(head(maxUploadBytes) + part('Content-Type: text/plain'));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  test('F05 one that announces too much has its answer at once, and its connection ends', async () => {
    const { statuses } = await sendRaw(service.url, head(maxUploadBytes + 1));
    expect(statuses).toEqual([413]);
  });
});
