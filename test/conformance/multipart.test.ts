/** Multipart bodies over HTTP: F05 to F08, and what holds for forms of every kind. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { casesOf, rowsOf } from '../support/text-cases';
import { errorOf } from './ask';
import {
  bodyOf,
  bytes,
  expectRefusal,
  formType,
  type MultipartService,
  type SentPart,
  serveMultipart,
} from './serve-multipart';
import { refused } from './serve-schemas';

const { operations, modern: modernOperations } = parse(
  readFileSync(join(__dirname, 'multipart.yaml'), 'utf8'),
  { merge: true },
);

let service: MultipartService;
let modern: MultipartService;
beforeAll(async () => {
  modern = await serveMultipart(modernOperations, {}, '3.1.2');
  service = await serveMultipart(operations);
});

/** Bytes are written `bytes:…`, one character each, and bigints end with n. */
const readCell = (text: string) =>
  parse(text, (_, item) => {
    if (typeof item !== 'string') return item;
    if (item.startsWith('bytes:')) return bytes(Buffer.from(item.slice(6), 'latin1'));
    return /^\d+n$/.test(item) ? BigInt(item.slice(0, -1)) : item;
  });

/** The parts of a cell: each is a map of its name to its value, and of what else is said of it. */
const partsOf = (cell: string): SentPart[] =>
  cell === '-'
    ? []
    : readCell(`[${cell.replaceAll('} {', '}, {')}]`).map((given: object) => {
        const [[name = '', value] = [], ...more] = Object.entries(given);
        return { name, value, ...Object.fromEntries(more) };
      });

describe.each(casesOf(join(__dirname, 'multipart.cases.txt')))('%s', (title, lines) => {
  // The operation is the last word of the title; rows that name one ask that.
  const usual = title.slice(title.lastIndexOf(' ') + 1);
  test.each(rowsOf(lines))('%s', async (_name, parts = '', want = '', operation = usual) => {
    const asked = operation in modernOperations ? modern : service;
    const type = operation === 'mixedStyles' ? formType.replace('form-data', 'mixed') : formType;
    const echo = await asked.send(operation, bodyOf(...partsOf(parts)), type);
    if (want.startsWith('refused:')) expectRefusal(echo, want.slice('refused:'.length).trim());
    else expect([echo.status, echo.received]).toEqual([200, readCell(want)]);
    expect(asked.errors).toEqual([]);
  });
});

/** A part, and what else is said of it. */
const part = (name: string, value: SentPart['value'], more: Partial<SentPart> = {}): SentPart => ({
  ...more,
  name,
  value,
});

const json = 'application/json';
const stream = 'application/octet-stream';
const raw = Uint8Array.of(0, 255, 13, 10);

describe('F08 several files', () => {
  test('F08 files as fetch sends them, with what was said of each', async () => {
    const form = new FormData();
    form.append('photos', new Blob([raw], { type: 'image/png' }), 'a "quoted" é.png');
    form.append('photos', new Blob(['b']));
    form.append('photo', new Blob([]), '../../etc/passwd');
    form.append('id', '5');
    const sent = new Request(service.url, { method: 'POST', body: form });
    const type = sent.headers.get('content-type') ?? '';
    const echo = await service.send('thing', new Uint8Array(await sent.arrayBuffer()), type);
    expect([echo.status, echo.received, echo.files]).toEqual([
      200,
      { photos: [bytes(raw), bytes('b')], photo: bytes(''), id: 5n },
      [
        { name: 'a "quoted" é.png', mediaType: 'image/png' },
        { name: 'blob', mediaType: stream },
        { name: '../../etc/passwd', mediaType: stream },
      ],
    ]);
  });

  test('F08 a large file, sent by fetch itself', async () => {
    const form = new FormData();
    const large = Uint8Array.from({ length: 150_000 }, (_, index) => (index * 7919) % 251);
    form.append('photos', new Blob([large]), 'large');
    const reply = await fetch(`${service.url}/thing`, { method: 'POST', body: form });
    expect(reply.status).toBe(200);
    const echo = await service.send('thing', bodyOf(part('photos', large)));
    expect(
      Buffer.from(large).equals((echo.received as { photos: Uint8Array[] }).photos[0] ?? raw),
    ).toBe(true);
  });
});

describe('bodies', () => {
  const id = bodyOf(part('id', '1'));
  const photo: SentPart = part('photo', 'a', { type: 'image/png' });

  test('B01 an empty body is absent', async () => {
    expectRefusal(await service.send('thing', ''), '');
    expectRefusal(
      await service.send('thing', '', formType, { 'Transfer-Encoding': 'chunked' }),
      '',
    );
    const echo = await service.send('optional', '', formType, { 'Transfer-Encoding': 'chunked' });
    expect([echo.status, echo.received]).toEqual([200, { m: 7 }]);
  });

  test('B10 a form without fields is no absent one', async () => {
    const echo = await service.send('thing', '--limit--');
    expect([echo.status, echo.received]).toEqual([200, {}]);
  });

  test.each([
    ['thing', 'x', 400],
    ['named', 'x', 405],
    ['unprocessable', 'x', 422],
    ['named', '1', 200],
  ])('B01 a fault takes the declared status: %s, %s', async (operation, price, status) => {
    const parts = [part('id', '1'), part('price', price)];
    expect((await service.send(operation, bodyOf(...parts))).status).toBe(status);
  });

  test.each([
    ['of another type', bodyOf(part('id', 'x'))],
    ['missing', bodyOf()],
  ])('B01 the identifier is refused as a parameter is: %s', async (_, body) => {
    const echo = await service.send('named', body);
    expect([echo.status, echo.received]).toEqual([400, refused]);
  });

  test('B02 parts of other types of multipart, behind a range, too', async () => {
    const related = `--x\r\nContent-Disposition: inline; name=id\r\n\r\n1\r\n--x--`;
    for (const [operation, type] of [
      ['mixed', 'multipart/mixed'],
      ['any', 'multipart/related'],
      ['everything', 'Multipart/Alternative'],
    ] as const) {
      const echo = await service.send(operation, related, `${type}; boundary=x`);
      expect([type, echo.status, echo.received]).toEqual([type, 200, { id: 1n }]);
    }
  });

  test('B02 behind a range of everything, form-data and JSON', async () => {
    const form = await service.send('everything', id);
    const text = await service.send('everything', '{"id":1}', json);
    expect([form.received, text.received]).toEqual([{ id: 1n }, { id: 1n }]);
  });

  test.each([
    ['another type of multipart', 'thing', 'multipart/mixed; boundary=limit'],
    ['form-data', 'mixed', formType],
    ['JSON', 'any', json],
  ])('B04 %s is not taken', async (_, operation, type) => {
    const echo = await service.send(operation, id, type);
    expect([echo.status, echo.headers['accept']]).toEqual([
      415,
      expect.stringMatching(/^multipart\//),
    ]);
  });

  test('D10 a header of parts that leads nowhere stops its operation alone', async () => {
    const lost = await service.send('lost', id);
    expect([lost.status, errorOf(lost).message]).toEqual([501, expect.stringMatching(/Nowhere/)]);
  });

  test('D10 encodings that are none are ignored', async () => {
    const echo = await service.send('odd', bodyOf(part('id', '1'), photo));
    expect([echo.status, echo.received]).toEqual([200, { id: 1n, photo: bytes('a') }]);
  });

  test('B08 a body of bytes is not taken apart', async () => {
    const echo = await service.send('raw', id);
    expect([echo.status, echo.received]).toEqual([200, id]);
  });
});
