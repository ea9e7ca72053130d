/** Whole lists in formats of items; the bounds are those of the whole text, however it is divided into items. */

import { describe, expect, test } from '@jest/globals';
import { readLimits } from '../../../../../src/base/read-limits';
import { type Codec, readerOf, utf8 } from '../../../../../src/engine/media-types/codec/codec';
import { codecTable } from '../../../../../src/engine/media-types/codecs';
import { eventStreamCodec, jsonLinesCodec, jsonTextSequenceCodec } from '../list-codecs';
import { shapeOf } from '../shapes';

const shape = shapeOf({ type: 'array', items: {} });
const limits = { ...readLimits, nodes: 6 };

describe.each([
  ['JSON Lines', jsonLinesCodec, (text: string) => text],
  [
    'a JSON text sequence',
    jsonTextSequenceCodec,
    (text: string) => text.replaceAll(/^(?=.)/gm, '\x1e'),
  ],
])('%s', (_name, codec: Codec, textOf) => {
  const read = readerOf(codec, shape, 'request', limits);

  test.each([
    ['1\n2\n\n3\n4\n5\n6\n', [1, 2, 3, 4, 5, 6]],
    ['[1,2]\n{"a":3,"b":null}', [[1, 2], { a: 3, b: null }]],
    ['', []],
  ])('%j is read', (text, items) => {
    expect(read(textOf(text))).toStrictEqual(items);
  });

  test.each([['1\n2\n3\n4\n5\n6\n7\n'], ['[1,2]\n[3,4]\n5\n'], ['{"a":[1]}\n{"a":[1,2]}\n']])(
    '%j has too many values',
    (text) => {
      expect(() => read(textOf(text))).toThrow('The text has more than 6 values');
    },
  );

  test('a fault has its place in the list', () => {
    expect(() => read(textOf('1\n{"a":[}\n'))).toThrow(expect.objectContaining({ path: '/1/a/0' }));
  });

  test('items are written by their place', () => {
    const int64 = { type: 'integer', format: 'int64' };
    const list = { type: 'array', prefixItems: [{ type: 'string' }], items: int64 };
    expect(codec.writer(shapeOf(list), 'response')(['a', 1n])).toBe(textOf('"a"\n1\n'));
    expect(codec.writer(shapeOf({ type: 'array' }), 'response')([])).toBe('');
  });
});

describe('an event stream', () => {
  const events = shapeOf({ type: 'array', items: { properties: { retry: { type: 'integer' } } } });

  test('is a list of events', () => {
    const text = 'event: a\nretry: 5\ndata: x\n\ndata: y\n\n';
    const items = [{ event: 'a', retry: 5, data: 'x' }, { data: 'y' }];
    expect(readerOf(eventStreamCodec, events, 'storage')(text)).toStrictEqual(items);
    expect(eventStreamCodec.writer(events, 'response')(items)).toBe(text);
  });

  test('has U+FFFD for bytes that mean no character, and is UTF-8', () => {
    const { charsets = utf8 } = eventStreamCodec;
    expect(charsets.decode(Buffer.from('\xff', 'latin1'), undefined)).toBe('\ufffd');
    expect(['utf-8', 'UTF8', 'latin1'].map(charsets.reads)).toEqual([true, true, false]);
  });
});

test.each([
  ['application/geo+json-seq', 'array', 'json-seq'],
  ['application/json-seq', 'object', undefined],
  ['text/event-stream', 'array', 'event-stream'],
  ['text/event-stream', 'string', undefined],
])('%s of type %s has the codec %s', (mediaType, type, name) => {
  expect(codecTable().contentCodec(mediaType, shapeOf({ type }))?.name).toBe(name);
});
