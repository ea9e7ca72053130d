/** Multipart bodies over HTTP: F05 to F08, and what holds for forms of every kind. */

import { beforeAll, describe, expect, test } from '@jest/globals';
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

const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const pair = {
  type: 'object',
  xml: { name: 'pair' },
  properties: { n: int64, m: { type: 'integer', default: 7 } },
};
const listOf = (items: object) => ({ type: 'array', items });
const properties = {
  id: int64,
  name: text,
  price: { type: 'number' },
  sold: { type: 'boolean' },
  day: { type: 'string', format: 'date' },
  data: { type: 'string', format: 'byte' },
  pair,
  photo: { ...binary, maxLength: 4 },
  photos: { ...listOf(binary), maxItems: 3 },
  ids: listOf(int64),
  pairs: listOf(pair),
  grid: listOf(listOf(int64)),
  either: { oneOf: [pair, int64] },
  oneOrMore: { oneOf: [binary, listOf(binary)] },
  free: {},
  made: { type: 'string', readOnly: true },
};

const declared = {
  pair: { contentType: 'application/json, application/xml; charset=utf-8' },
  pairs: { contentType: 'application/xml' },
  id: { contentType: 'text/*' },
  name: { contentType: 'application/json' },
  photo: { contentType: 'image/png, image/jpeg' },
  photos: { contentType: 'image/*' },
  day: { contentType: '*/*' },
  unknown: { contentType: 'image/png' },
};

const headed = {
  photo: {
    headers: {
      'X-Width': { required: true, schema: int64 },
      'X-Tags': { schema: { ...listOf(int64), maxItems: 2 } },
      'X-Kind': { $ref: '#/components/headers/Kind' },
      'content-type': { required: true, schema: { type: 'string', enum: ['nothing'] } },
    },
  },
};

let service: MultipartService;
beforeAll(async () => {
  service = await serveMultipart(
    {
      thing: { schema: { type: 'object', properties } },
      declared: { schema: { type: 'object', properties }, encoding: declared },
      headed: { schema: { type: 'object', properties }, encoding: headed },
      required: { schema: { type: 'object', properties, required: ['id', 'photo'] } },
      optional: {
        schema: { type: 'object', properties: { m: { type: 'integer', default: 7 } } },
        required: false,
      },
      closed: { schema: { type: 'object', properties, additionalProperties: false } },
      numbers: { schema: { type: 'object', additionalProperties: int64 } },
      files: { schema: { type: 'object', additionalProperties: binary } },
      mixed: { schema: { type: 'object', properties }, mediaType: 'multipart/mixed' },
      any: { schema: { type: 'object', properties }, mediaType: 'multipart/*' },
      everything: { schema: { type: 'object', properties }, mediaType: '*/*' },
      raw: { schema: binary },
      lost: {
        schema: { type: 'object', properties },
        encoding: { photo: { headers: { 'X-A': { $ref: '#/components/headers/Nowhere' } } } },
      },
      odd: {
        schema: { type: 'object', properties },
        encoding: { id: null, photo: { contentType: ['image/gif'], headers: { 'X-A': null } } },
      },
      named: { schema: { type: 'object', properties }, identifier: 'id', statuses: [400, 405] },
      unprocessable: { schema: { type: 'object', properties }, statuses: [400, 422] },
      variants: {
        schema: {
          oneOf: [
            {
              type: 'object',
              required: ['kind', 'value'],
              properties: { kind: { type: 'string', enum: ['number'] }, value: int64 },
            },
            {
              type: 'object',
              required: ['kind', 'value'],
              properties: { kind: { type: 'string', enum: ['file'] }, value: binary },
            },
          ],
        },
      },
    },
    {
      headers: { Kind: { schema: { type: 'string', enum: ['a', 'b'] } } },
    },
  );
});

type Good = [title: string, parts: readonly SentPart[], value: unknown, operation?: string];
type Bad = [title: string, parts: readonly SentPart[], place: string, operation?: string];

/** What the handler is called with; rows that name an operation ask that one. */
const reads =
  (usual: string) =>
  async (...[, parts, value, operation = usual]: Good): Promise<void> => {
    const echo = await service.send(operation, bodyOf(...parts));
    expect([echo.status, echo.received, service.errors]).toEqual([200, value, []]);
  };

const refuses =
  (usual: string) =>
  async (...[, parts, place, operation = usual]: Bad): Promise<void> => {
    expectRefusal(await service.send(operation, bodyOf(...parts)), place);
    expect(service.errors).toEqual([]);
  };

/** A part, and what else is said of it. */
const part = (name: string, value: SentPart['value'], more: Partial<SentPart> = {}): SentPart => ({
  ...more,
  name,
  value,
});

const json = 'application/json';
const xml = 'application/xml';
const stream = 'application/octet-stream';
const first = { n: 1n, m: 7 };
const second = { n: 2n, m: 7 };
const raw = Uint8Array.of(0, 255, 13, 10);
const latin1 = Buffer.from('é', 'latin1');

describe('F05 by the kind of property', () => {
  test.each<Good>([
    ['int64', [part('id', '9223372036854775807')], { id: 9223372036854775807n }],
    ['a text of digits', [part('name', '007')], { name: '007' }],
    ['a number', [part('price', '-1.5e3')], { price: -1500 }],
    ['a boolean', [part('sold', 'true')], { sold: true }],
    ['base64', [part('data', 'aGk=')], { data: 'aGk=' }],
    ['base64 as bytes', [part('data', 'aGk=', { type: stream })], { data: 'aGk=' }],
    ['text as text', [part('name', 'é', { type: 'text/plain;charset=UTF-8' })], { name: 'é' }],
    ['text as other text', [part('name', '<b>', { type: 'text/html' })], { name: '<b>' }],
    ['text as JSON', [part('name', '"a"', { type: json })], { name: 'a' }],
    [
      'a text with line breaks',
      [part('name', '\r\na\r\n-\r\n--lim\r\n')],
      { name: '\r\na\r\n-\r\n--lim\r\n' },
    ],
    [
      'an object',
      [part('pair', '{"n":9007199254740993}')],
      { pair: { n: 9007199254740993n, m: 7 } },
    ],
    ['an object as JSON', [part('pair', '{"n":1}', { type: json })], { pair: { n: 1n, m: 7 } }],
    [
      'an object as +json',
      [part('pair', '{"n":1}', { type: 'application/x.y+json' })],
      { pair: { n: 1n, m: 7 } },
    ],
    [
      'an object as text',
      [part('pair', '{"n":1}', { type: 'text/plain' })],
      { pair: { n: 1n, m: 7 } },
    ],
    ['bytes', [part('photo', raw)], { photo: bytes(raw) }],
    ['bytes of any type', [part('photo', '{"a', { type: json })], { photo: bytes('{"a') }],
    ['no bytes', [part('photo', '', { file: 'a' })], { photo: bytes('') }],
    ['items', [part('ids', '1'), part('ids', '2')], { ids: [1n, 2n] }],
    ['one item', [part('ids', '1')], { ids: [1n] }],
    ['items as one JSON', [part('ids', '[1,2]', { type: json })], { ids: [1n, 2n] }],
    [
      'objects',
      [part('pairs', '{"n":1}'), part('pairs', '{"n":2}', { type: json })],
      { pairs: [first, second] },
    ],
    ['objects as one JSON', [part('pairs', '[{"n":1},{"n":2}]')], { pairs: [first, second] }],
    ['arrays as items', [part('grid', '[1,2]'), part('grid', '[3]')], { grid: [[1n, 2n], [3n]] }],
    ['one array as an item', [part('grid', '[1,2]')], { grid: [[1n, 2n]] }],
    ['arrays as one JSON', [part('grid', '[[1,2],[3]]')], { grid: [[1n, 2n], [3n]] }],
    ['the alternative that fits', [part('either', '{"n":1}')], { either: { n: 1n, m: 7 } }],
    ['the other alternative', [part('either', '5')], { either: 5n }],
    ['no type named, text', [part('free', '5')], { free: '5' }],
    ['no type named, JSON', [part('free', '[5]', { type: json })], { free: [5] }],
    ['no type named, bytes', [part('free', raw, { type: stream })], { free: bytes(raw) }],
    [
      'alternatives of the whole, a number',
      [part('value', '5'), part('kind', 'number')],
      { kind: 'number', value: 5n },
      'variants',
    ],
    [
      'alternatives of the whole, a file',
      [part('kind', 'file'), part('value', '5')],
      { kind: 'file', value: bytes('5') },
      'variants',
    ],
    ['of additional properties', [part('a', '1')], { a: 1n }, 'numbers'],
    ['of additional files', [part('a', raw, { file: 'a' })], { a: bytes(raw) }, 'files'],
  ])('F05 %s', reads('thing'));

  test.each<Bad>([
    ['a partial number', [part('id', '5x')], '/id'],
    ['beyond int64', [part('id', '9223372036854775808')], '/id'],
    ['no boolean', [part('sold', 'yes')], '/sold'],
    ['no base64', [part('data', '*')], '/data'],
    ['JSON of another type', [part('name', '5', { type: json })], '/name'],
    ['malformed JSON', [part('pair', '{"n":1')], '/pair'],
    ['a key of JSON twice', [part('pair', '{"n":1,"n":2}')], '/pair'],
    ['a member that does not fit', [part('pair', '{"n":"1"}')], '/pair/n'],
    ['an object as XML', [part('pair', '<pair/>', { type: xml })], '/pair'],
    ['a number as bytes', [part('id', '5', { type: stream })], '/id'],
    ['an item', [part('ids', '1'), part('ids', 'x')], '/ids/1'],
    ['an item of a JSON array', [part('ids', '[1,"x"]', { type: json })], '/ids/1'],
    ['an object among items', [part('pairs', '{"n":1}'), part('pairs', '{')], '/pairs/1'],
    ['bytes are counted', [part('photo', 'ééa')], '/photo'],
    ['bytes for no alternative', [part('either', raw, { type: stream })], '/either'],
    ['an additional property', [part('a', 'x')], '/a', 'numbers'],
  ])('F05 refused: %s', refuses('thing'));
});

describe('F06 contentType', () => {
  const png = 'image/png';

  test.each<Good>([
    ['the first of a list', [part('pair', '{"n":1}', { type: json })], { pair: { n: 1n, m: 7 } }],
    [
      'the second, with its parameter',
      [part('pair', '<pair><n>1</n></pair>', { type: 'Application/XML; charset="UTF-8"' })],
      { pair: { n: 1n, m: 7 } },
    ],
    [
      'of items',
      [part('pairs', '<pair><n>1</n></pair>', { type: xml })],
      { pairs: [{ n: 1n, m: 7 }] },
    ],
    [
      'the first of a list where the part names none',
      [part('pair', '{"n":1}')],
      { pair: { n: 1n, m: 7 } },
    ],
    ['a text that is JSON where the part names none', [part('name', '"a"')], { name: 'a' }],
    [
      'items where the part names none',
      [part('pairs', '<pair><n>1</n></pair>')],
      { pairs: [{ n: 1n, m: 7 }] },
    ],
    ['a range of types', [part('id', '5', { type: 'text/csv' })], { id: 5n }],
    ['a range where the part names none', [part('id', '5')], { id: 5n }],
    ['any type', [part('day', '2020-02-29', { type: 'text/plain' })], { day: '2020-02-29' }],
    ['a file of the list', [part('photo', raw, { type: 'IMAGE/JPEG' })], { photo: bytes(raw) }],
    ['a file that names none', [part('photo', raw)], { photo: bytes(raw) }],
    [
      'files of a range',
      [part('photos', 'a', { type: png }), part('photos', 'b', { type: 'image/gif' })],
      { photos: [bytes('a'), bytes('b')] },
    ],
    ['of an undeclared property', [part('unknown', 'a')], { unknown: 'a' }],
  ])('F06 %s', reads('declared'));

  test.each<Bad>([
    ['not in the list', [part('pair', '{}', { type: 'text/plain' })], '/pair'],
    ['without the parameter', [part('pair', '<pair/>', { type: xml })], '/pair'],
    [
      'another parameter',
      [{ name: 'pair', value: '<pair/>', type: `${xml}; charset=utf-16` }],
      '/pair',
    ],
    ['not in the range', [part('id', '5', { type: json })], '/id'],
    [
      'one of several items',
      [part('photos', 'a', { type: png }), part('photos', 'b', { type: 'text/plain' })],
      '/photos',
    ],
    ['a file', [part('photo', raw, { type: stream })], '/photo'],
    ['any type, but none that makes a text', [part('day', '2020-02-29', { type: png })], '/day'],
    [
      'XML that does not fit',
      [part('pairs', '<pair><n>x</n></pair>', { type: xml })],
      '/pairs/0/n',
    ],
    ['malformed XML', [part('pairs', '<pair>', { type: xml })], '/pairs/0'],
  ])('F06 refused: %s', refuses('declared'));
});

describe('F07 headers of parts', () => {
  const photo = (...lines: string[]): SentPart => ({
    name: 'photo',
    value: 'a',
    type: 'image/png',
    lines,
  });
  const value = { photo: bytes('a') };

  test.each<Good>([
    ['present', [photo('X-Width: 5')], value],
    ['names in any case', [photo('x-WIDTH:5')], value],
    ['a list', [photo('X-Width: 5', 'X-Tags: 1, 2')], value],
    ['a list in two lines', [photo('X-Width: 5', 'X-Tags: 1', 'X-Tags: 2')], value],
    ['a reference', [photo('X-Width: 5', 'X-Kind: b')], value],
    ['undeclared ones are allowed', [photo('X-Width: 5', 'X-Other: é')], value],
    ['of parts that are not sent', [], {}],
  ])('F07 %s', reads('headed'));

  test.each<Bad>([
    ['missing', [photo()], '/photo'],
    ['of another type', [photo('X-Width: wide')], '/photo'],
    ['beyond int64', [photo('X-Width: 9223372036854775808')], '/photo'],
    ['an item', [photo('X-Width: 5', 'X-Tags: 1,x')], '/photo'],
    ['too many items', [photo('X-Width: 5', 'X-Tags: 1,2,3')], '/photo'],
    ['given twice', [photo('X-Width: 5', 'X-Width: 6')], '/photo'],
    ['not of the enum', [photo('X-Width: 5', 'X-Kind: c')], '/photo'],
  ])('F07 refused: %s', refuses('headed'));

  test('F07 Content-Type there is ignored', async () => {
    const echo = await service.send('headed', bodyOf(photo('X-Width: 5')));
    expect([echo.status, echo.received]).toEqual([200, value]);
  });
});

describe('F08 several files', () => {
  test.each<Good>([
    [
      'one name',
      [part('photos', 'a', { file: 'a' }), part('photos', raw, { file: 'b' })],
      { photos: [bytes('a'), bytes(raw)] },
    ],
    ['one file', [part('photos', 'a', { file: 'a' })], { photos: [bytes('a')] }],
    [
      'among others',
      [part('photos', 'a'), part('id', '1'), part('photos', 'b')],
      { id: 1n, photos: [bytes('a'), bytes('b')] },
    ],
    [
      'as JSON they are files still',
      [part('photos', '["a"]', { type: json })],
      { photos: [bytes('["a"]')] },
    ],
    ['one alternative', [part('oneOrMore', 'a')], { oneOrMore: bytes('a') }],
    [
      'the other alternative',
      [part('oneOrMore', 'a'), part('oneOrMore', 'b')],
      { oneOrMore: [bytes('a'), bytes('b')] },
    ],
    ['none', [], {}],
  ])('F08 %s', reads('thing'));

  test.each<Bad>([
    ['too many', ['a', 'b', 'c', 'd'].map((value) => part('photos', value)), '/photos'],
    ['two for one', [part('photo', 'a'), part('photo', 'b')], '/photo'],
  ])('F08 refused: %s', refuses('thing'));

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

describe('fields', () => {
  test.each<Good>([
    ['F09 absent is absent', [part('name', 'a')], { name: 'a' }],
    ['F09 empty is the empty text', [part('name', '')], { name: '' }],
    ['F09 no file chosen is absent', [part('photo', '', { file: '', type: stream })], {}],
    ['D03 read-only properties are ignored', [part('made', latin1), part('made', 'b')], {}],
    ['D06 an undeclared text is kept', [part('other', '5')], { other: '5' }],
    [
      'D06 undeclared texts of one name are a list',
      [part('other', '5'), part('other', '6')],
      { other: ['5', '6'] },
    ],
    [
      'D06 an undeclared file is dropped',
      [part('other', raw, { file: 'a' }), part('id', '1')],
      { id: 1n },
    ],
    ['D06 so are undeclared bytes', [part('other', raw, { type: stream })], {}],
    ['F10 plus and percent signs are themselves', [part('name', 'a+b%20%')], { name: 'a+b%20%' }],
    [
      'F10 names of every object are data',
      [part('__proto__', '1'), part('constructor', '2')],
      JSON.parse('{"__proto__":"1","constructor":"2"}'),
    ],
    ['F10 a name in UTF-8, escaped as browsers do', [part('é%22%0D%0A', '1')], { 'é"\r\n': '1' }],
  ])('%s', reads('thing'));

  test.each<Bad>([
    ['F09 an empty number', [part('id', '')], '/id'],
    ['F09 an empty object', [part('pair', '')], '/pair'],
    ['F09 a required field is absent', [part('id', '1')], '/photo', 'required'],
    [
      'F09 a required file is not chosen',
      [part('id', '1'), part('photo', '', { file: '' })],
      '/photo',
      'required',
    ],
    ['F10 a single field twice', [part('id', '1'), part('id', '1')], '/id'],
    ['F10 U+0000', [part('name', 'a\0')], '/name'],
    ['F10 U+0000 in an undeclared text', [part('other', 'a\0')], '/other'],
    ['F10 no UTF-8', [part('name', latin1)], '/name'],
    ['F10 half a surrogate pair', [part('name', Uint8Array.of(0xed, 0xa0, 0x80))], '/name'],
    [
      'F10 another charset',
      [part('name', latin1, { type: 'text/plain; charset=iso-8859-1' })],
      '/name',
    ],
    ['D06 no undeclared text', [part('other', '5')], '/other', 'closed'],
    ['D06 no undeclared file', [part('other', raw, { file: 'a' })], '/other', 'closed'],
  ])('%s is refused', refuses('thing'));

  test('D06 a pointer holds the name as it must be escaped', async () => {
    expectRefusal(await service.send('numbers', bodyOf(part('a/b~c', 'x'))), '/a~1b~0c');
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
