/** Items of texts come out the same however the bytes are cut, and errors name their place. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sequenceFormatOf } from '../../../../../src/engine/media-types/sequences/sequence-formats';
import { readText, readValue, tableOf } from '../../../../support/text-cases';
import { contentOf, inChunks, itemsOf, readerOf, writerOf, written } from './items-of-bytes';

const id = { properties: { id: { type: 'integer', format: 'int64' } } };
const RS = '\x1e';

/** The media type, the text, and the items or the errors that it gives. */
const texts: readonly (readonly [string, string, unknown])[] = [
  ...tableOf(join(__dirname, 'text-sequences.cases.txt'), 'items').map(
    ([key = '', text = '', items = '']): [string, string, unknown] => [
      key,
      readText(text),
      readValue(items),
    ],
  ),
  [
    'application/jsonl',
    `1\n"${'a'.repeat(99)}"\n`,
    [1, '413 An item of the body is larger than 100 bytes'],
  ],
  ['application/jsonl', `"${'a'.repeat(98)}"\n1\n`, ['a'.repeat(98), 1]],
  [
    'application/json-seq',
    `${RS}${' '.repeat(101)}`,
    ['413 An item of the body is larger than 100 bytes'],
  ],
  [
    'text/event-stream',
    `retry: ${'9'.repeat(40)}\ndata:\n\n`,
    [{ retry: 9999999999999999999999999999999999999999n, data: '' }],
  ],
  ['text/event-stream', `:${'x'.repeat(500)}\n${'x'.repeat(500)}:\ndata: 1\n\n`, [{ data: '1' }]],
  [
    'text/event-stream',
    `data: x\n\ndata: ${'y'.repeat(95)}\n`,
    [{ data: 'x' }, '413 An item of the body is larger than 100 bytes'],
  ],
  [
    'text/event-stream',
    `${'data: y\n'.repeat(15)}\n`,
    ['413 An item of the body is larger than 100 bytes'],
  ],
];

describe.each(texts)('%s %j', (key, text, items) => {
  const content = contentOf(key, key === 'text/event-stream' ? {} : id);
  const bytes = Buffer.from(text);
  const read = (chunks: readonly Uint8Array[]) => itemsOf(readerOf(content, 100), chunks);

  test('whole, byte by byte, and in small pieces', () => {
    expect(read([bytes])).toStrictEqual(items);
    for (const size of [1, 2, 3, 7]) expect(read(inChunks(bytes, size))).toStrictEqual(items);
  });

  test('cut in two anywhere', () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toStrictEqual(items);
    }
  });
});

test.each([
  ['application/jsonl', ' The text is not valid UTF-8'],
  ['application/json-seq', ' The text is not valid UTF-8'],
])('%s in another charset is refused', (key, fault) => {
  const bytes = Buffer.from(`${key === 'application/jsonl' ? '' : RS}"\xff"\n`, 'latin1');
  expect(itemsOf(readerOf(contentOf(key)), [bytes])).toEqual([fault]);
});

test('an event has U+FFFD for bytes that mean no character', () => {
  const bytes = Buffer.from('data: \xff\n\n', 'latin1');
  expect(itemsOf(readerOf(contentOf('text/event-stream')), [bytes])).toEqual([{ data: '\ufffd' }]);
});

test.each([
  ['application/jsonl', '{"a":', 5],
  ['application/json-seq', `${RS}{"a":`, 5],
  ['text/event-stream', 'data: a\ndata: b', 14],
  ['text/event-stream', ': a comment', 0],
])('%s has bytes that wait: %j', (key, text, pending) => {
  const reader = readerOf(contentOf(key));
  expect([...reader.read(Buffer.from(text))]).toEqual([]);
  expect(reader.pendingBytes).toBe(pending);
});

test.each([
  ['application/jsonl', '{"id":1}\n{"id":2}\n'],
  ['application/json-seq', `${RS}{"id":1}\n${RS}{"id":2}\n`],
])('%s writes items', (key, text) => {
  const writer = writerOf(contentOf(key, id));
  expect(written(writer, [{ id: 1n }, { id: 2 }]).toString()).toBe(text);
  expect(writer.contentType).toBeUndefined();
});

describe.each(['application/jsonl', 'application/json-seq'])('%s', (key) => {
  test('gives back what was written', () => {
    const content = contentOf(key);
    const text = fc.string({ unit: fc.constantFrom(...'ab é"\\{[}]:,\n\r\t\x1e😀') });
    const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
    const item = fc.oneof(value, fc.array(value), fc.record({ a: value, b: fc.array(value) }));
    fc.assert(
      fc.property(fc.array(item), fc.integer({ min: 1, max: 9 }), (items, size) => {
        const bytes = written(writerOf(content), items);
        expect(itemsOf(readerOf(content, 10_000), inChunks(bytes, size))).toEqual(items);
      }),
      { seed: 31, numRuns: 200 },
    );
  });

  test('reads many items', () => {
    const content = contentOf(key, id);
    const chunk = written(
      writerOf(content),
      Array.from({ length: 1000 }, () => ({ id: 7n })),
    );
    const reader = readerOf(content);
    let count = 0;
    for (let round = 0; round < 100; round += 1) for (const _ of reader.read(chunk)) count += 1;
    expect([count, reader.pendingBytes]).toEqual([100_000, 0]);
  });
});

test.each([
  ['application/json', undefined],
  ['application/jsonl; charset=utf-8', 'lines'],
  ['Application/Geo+JSON-Seq', 'json-seq'],
  ['text/event-stream', 'event-stream'],
  ['no type', undefined],
])('the format of %s is %s', (mediaType, name) => {
  expect(sequenceFormatOf(mediaType)?.name).toBe(name);
});
