/** Parts by position: the same items however the bytes are cut, and errors with their place. */

import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { readLimits } from '../../../../../src/base/read-limits';
import { jsonSchema202012 } from '../../../../../src/document/versions/schema-keywords';
import { schemaContext } from '../../../../../src/engine/media-types/schema-context';
import {
  describePart,
  isPositional,
  positionalReader,
} from '../../../../../src/engine/media-types/sequences/multipart-sequence';
import type { Encoding, MediaType } from '../../../../../src/model/operation';
import { anySchema } from '../../../../../src/model/schema';
import { schemasOf } from '../../../../support/schemas';
import { readText, readValue, tableOf } from '../../../../support/text-cases';
import { contentOf, inChunks, itemsOf, readerOf, writerOf, written } from './items-of-bytes';

const readSchema = schemasOf({}, jsonSchema202012);

const encoding = (given: Partial<Encoding> = {}): Encoding => ({
  pointer: '',
  contentType: undefined,
  headers: [],
  style: undefined,
  explode: undefined,
  allowReserved: undefined,
  prefixEncoding: [],
  itemEncoding: undefined,
  ...given,
});

const header = (name: string, schema: object, required = true): Encoding['headers'][number] => ({
  pointer: '',
  name,
  in: 'header',
  description: undefined,
  deprecated: false,
  required,
  style: 'simple',
  explode: false,
  allowEmptyValue: false,
  allowReserved: false,
  schema: readSchema(schema),
  mediaType: undefined,
  encoding: {},
  commaSeparated: false,
  examples: [],
});

const key = 'multipart/mixed; boundary=B';
const type = { essence: 'multipart/mixed', parameters: { boundary: 'B' } };
const int64 = { type: 'integer', format: 'int64' };
const list = (schema: object, rest: Partial<MediaType> = {}): MediaType => ({
  ...contentOf(key, {}, rest),
  itemSchema: undefined,
  schema: readSchema({ type: 'array', ...schema }),
});

/** An object, then texts. */
const document = list({
  prefixItems: [{ type: 'object', properties: { id: int64 } }],
  items: { type: 'string' },
});
const pictures = contentOf(key, {}, { itemEncoding: encoding({ contentType: 'image/*' }) });
const ranges = contentOf(
  key,
  {},
  {
    itemEncoding: encoding({
      contentType: 'video/mp4',
      headers: [header('Content-Range', { type: 'string', pattern: '^bytes ' })],
    }),
  },
);
const nested = list(
  {
    prefixItems: [
      { type: 'array' },
      { type: 'array', prefixItems: [{ type: 'object' }, { type: 'string' }, {}] },
    ],
  },
  {
    prefixEncoding: [
      encoding(),
      encoding({
        contentType: 'multipart/mixed',
        prefixEncoding: [
          encoding({ contentType: 'application/xml' }),
          encoding(),
          encoding({ contentType: 'image/png' }),
        ],
      }),
    ],
  },
);

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

const contents = { document, pictures, ranges };

type Row = readonly [title: string, content: MediaType, text: string, items: unknown];

const texts: readonly Row[] = [
  ...tableOf(join(__dirname, 'multipart-sequence.cases.txt'), 'contents').map(
    ([title = '', content = '', text = '', items = '']): Row => [
      title,
      Reflect.get(contents, content),
      readText(text),
      readValue(items),
    ],
  ),
  ['a part without a body', pictures, '--B\r\nX-A: b\r\n\r\n--B--', [bytes('')]],
  ['a part without anything', pictures, '--B\r\n\r\n--B--', [bytes('')]],
  ['a boundary cut short', pictures, '--B\r\n\r\n\r\n--A\r\n-B\r\n--B--', [bytes('\r\n--A\r\n-B')]],
  [
    'a folded header',
    ranges,
    '--B\r\nContent-Range: bytes\r\n 0-1/2\r\n\r\nxy\r\n--B--',
    [bytes('xy')],
  ],
  [
    'bytes',
    pictures,
    '--B\r\nContent-Type: image/png\r\n\r\n\xff\0\x89\r\n--B--',
    [bytes('\xff\0\x89')],
  ],
  [
    'a large part',
    pictures,
    `--B\r\n\r\n${'x'.repeat(251)}\r\n--B--`,
    ['413 An item of the body is larger than 250 bytes'],
  ],
  [
    'a large head',
    pictures,
    `--B\r\nX: ${'x'.repeat(8200)}\r\n\r\n\r\n--B--`,
    [' The multipart body is malformed: the headers of a part are too large'],
  ],
  [
    'a nested list',
    nested,
    '--B\r\n\r\n[1]\r\n--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n--C\r\nContent-Type: application/xml\r\n\r\n<object><a>b</a></object>\r\n--C\r\n\r\ntext\r\n--C\r\nContent-Type: image/png\r\n\r\n\x89\r\n--C--\r\n--B--',
    [[1], [{ a: 'b' }, 'text', bytes('\x89')]],
  ],
];

describe.each(texts)('%s', (_title, content, text, items) => {
  const all = Buffer.from(text, 'latin1');
  const read = (chunks: readonly Uint8Array[]) => itemsOf(readerOf(content, 250), chunks);

  test('whole, byte by byte, and in small pieces', () => {
    expect(read([all])).toStrictEqual(items);
    for (const size of [1, 2, 3, 7]) expect(read(inChunks(all, size))).toStrictEqual(items);
  });

  test('cut in two anywhere', () => {
    for (let at = 0; at < Math.min(all.length, 500); at += 1) {
      expect(read([all.subarray(0, at), all.subarray(at)])).toStrictEqual(items);
    }
  });
});

test('a part is given when the next boundary has come, and its bytes wait until then', () => {
  const reader = readerOf(pictures);
  expect([...reader.read(Buffer.from('--B\r\n\r\nabc'))]).toEqual([]);
  expect(reader.pendingBytes).toBe(3);
  expect([...reader.read(Buffer.from('\r\n--B'))]).toEqual([bytes('abc')]);
  expect(reader.pendingBytes).toBe(0);
});

test('a type without a boundary is malformed', () => {
  expect(() => readerOf(pictures, 100, 'multipart/mixed')).toThrow('must name a boundary');
});

test('what reads a part is compiled once for all parts that are described alike', () => {
  const tools = schemaContext();
  const shapeOf = jest.fn(tools.shapeOf);
  const askedFor = (parts: number): number => {
    shapeOf.mockClear();
    const limits = { itemBytes: 1000, values: readLimits };
    const read = positionalReader(list({ items: { type: 'string' } }), limits, {
      ...tools,
      shapeOf,
    });
    expect(read(bytes(`${'--B\r\n\r\nx\r\n'.repeat(parts)}--B--`), type)).toHaveLength(parts);
    return shapeOf.mock.calls.length;
  };
  expect(askedFor(50)).toBe(askedFor(2));
});

describe('writing', () => {
  test('each part ends by a boundary', () => {
    const { open, write, close, contentType } = writerOf(document);
    expect([open, write({ id: 1n }), write('é'), close, contentType]).toEqual([
      '--B',
      '\r\nContent-Type: application/json\r\n\r\n{"id":1}\r\n--B',
      '\r\nContent-Type: text/plain; charset=utf-8\r\n\r\né\r\n--B',
      '--\r\n',
      key,
    ]);
  });

  test('a boundary is made for each content', () => {
    const content = { ...pictures, key: 'multipart/related; type=text/html' };
    const [one, other] = [writerOf(content), writerOf(content)];
    expect(one.contentType).toMatch(/^multipart\/related; type=text\/html; boundary=[\da-f]{36}$/);
    expect(one.contentType).not.toBe(other.contentType);
    expect(writerOf({ ...pictures, key: 'multipart/*' }).contentType).toMatch(
      /^multipart\/mixed; /,
    );
  });

  test('the first media type that suits is sent, unless another is said', () => {
    const content = contentOf(
      key,
      {},
      {
        itemEncoding: encoding({ contentType: 'text/css, image/png, image/gif, application/json' }),
      },
    );
    const { write } = writerOf(content);
    const typeOf = (item: unknown) =>
      /Content-Type: ([^\r]*)/.exec(Buffer.from(write(item)).toString('latin1'))?.[1];
    expect(typeOf('a {}')).toBe('text/css; charset=utf-8');
    expect(typeOf(bytes('x'))).toBe('image/png');
    expect(typeOf(describePart(bytes('x'), { mediaType: 'image/gif' }))).toBe('image/gif');
    expect(() => typeOf(describePart(bytes('x'), { mediaType: 'image/tiff' }))).toThrow(
      'The part must be sent as text/css, image/png, image/gif, application/json, not as image/tiff',
    );
  });

  test('headers are sent, and must be as declared', () => {
    const { write } = writerOf(ranges);
    const part = (headers: Record<string, string>) => describePart(bytes('xy'), { headers });
    expect(Buffer.from(write(part({ 'Content-Range': 'bytes 0-1/2' }))).toString()).toBe(
      '\r\nContent-Type: video/mp4\r\nContent-Range: bytes 0-1/2\r\n\r\nxy\r\n--B',
    );
    expect(() => write(bytes('xy'))).toThrow("The part's header Content-Range is required");
    expect(() => write(part({ 'Content-Range': 'bytes 0\r\nX: y' }))).toThrow(
      'The header "Content-Range" of a part cannot be sent',
    );
    expect(() => write(part({ 'Content-Range': 'bytes 0', 'a b': '' }))).toThrow(
      'The header "a b" of a part cannot be sent',
    );
  });

  test.each([
    [
      'a boundary in a text',
      document,
      [{ id: 1n }, 'x--Bx'],
      'The part holds the boundary of its content',
    ],
    [
      'bytes of any picture',
      pictures,
      [bytes('x')],
      'The media type of the part must be said by describePart: image/*',
    ],
    [
      'an object as a video',
      ranges,
      [describePart({}, { headers: { 'Content-Range': 'bytes 1' } })],
      'A part of video/mp4 must be text or bytes',
    ],
  ])('%s fails', (_title, content, items, message) => {
    expect(() => written(writerOf(content), items)).toThrow(message);
  });

  test('encoded bytes say so', () => {
    const content = contentOf(key, { type: 'string', contentEncoding: 'base64' });
    const all = written(writerOf(content), ['AAA=']);
    expect(all.toString()).toContain('Content-Transfer-Encoding: base64\r\n\r\nAAA=');
    expect(itemsOf(readerOf(content), [all])).toEqual(['AAA=']);
  });

  test('what is written is read', () => {
    const content = contentOf(key);
    const value = fc.oneof(
      fc.uint8Array(),
      fc.stringMatching(/^[ -,.-~\r\n]*$/),
      fc.record({ a: fc.array(fc.integer()) }),
    );
    fc.assert(
      fc.property(fc.array(value), fc.integer({ min: 1, max: 9 }), (items, size) => {
        const all = written(
          writerOf({ ...content, key: 'multipart/mixed; boundary=5f0d2c' }),
          items,
        );
        const reader = readerOf(content, 1000, 'multipart/mixed; boundary=5f0d2c');
        expect(itemsOf(reader, inChunks(all, size))).toEqual(items);
      }),
      { seed: 33, numRuns: 200 },
    );
  });
});

describe('whole contents', () => {
  const read = (content: MediaType, text: string) =>
    positionalReader(
      content,
      { itemBytes: 100_000, textBytes: 100, values: readLimits },
      schemaContext(),
    )(Buffer.from(text, 'latin1'), type);

  test('are lists', () => {
    const items = [[1], [{ a: 'b' }, 'text', bytes('\x89')]];
    expect(read(nested, written(writerOf(nested), items).toString('latin1'))).toEqual(items);
  });

  test('have faults with their place', () => {
    expect(() => read(document, '--B\r\n\r\n{"id":}\r\n--B--')).toThrow(
      expect.objectContaining({ path: '/0/id' }),
    );
    expect(() => read(document, '--B\r\n\r\n{}')).toThrow(expect.objectContaining({ path: '' }));
  });

  test('have long bytes, and short texts', () => {
    const long = 'x'.repeat(101);
    expect(read(pictures, `--B\r\n\r\n${long}\r\n--B--`)).toEqual([bytes(long)]);
    expect(() => read(document, `--B\r\n\r\n{"id":"${long}"}\r\n--B--`)).toThrow(
      'An item of the body is larger than 100 bytes',
    );
  });

  test('have 1000 parts at most', () => {
    expect(read(pictures, `${'--B\r\n\r\n\r\n'.repeat(1000)}--B--`)).toHaveLength(1000);
    expect(() => read(pictures, `${'--B\r\n\r\n\r\n'.repeat(1001)}--B--`)).toThrow(
      'more than 1000 parts',
    );
  });
});

const array = readSchema({ type: 'array' });
test.each<[string, Partial<MediaType>, boolean]>([
  ['multipart/mixed', { schema: array }, true],
  ['multipart/mixed', { schema: anySchema }, false],
  ['multipart/mixed', {}, false],
  ['multipart/form-data', { schema: array }, false],
  ['multipart/form-data', { schema: array, prefixEncoding: [encoding()] }, true],
  ['multipart/mixed', { itemSchema: anySchema }, true],
  ['multipart/mixed', { itemEncoding: encoding() }, true],
  ['application/jsonl', { itemSchema: anySchema }, false],
])('%s of %j has its parts by position: %s', (name, rest, is) => {
  const content = { ...contentOf(name), itemSchema: undefined, ...rest };
  expect(isPositional(content, schemaContext().shapeOf)).toBe(is);
});
