import { describe, expect, test } from '@jest/globals';
import { MalformedText } from '../../../../src/engine/lang/malformed-text';
import { codecFor, textCodec } from '../../../../src/engine/media-types/codecs';
import { shapeOf } from './shapes';

test.each([
  ['B07', 'APPLICATION/VND.API+JSON; charset=utf-8', 'json'],
  ['X34', 'text/xml; charset="utf-8"', 'xml'],
  ['X34', 'application/atom+xml', 'xml'],
  ['B07', 'text/plain', 'text'],
  ['B07', 'application/octet-stream', undefined],
  ['B07', 'multipart/form-data', undefined],
  ['B07', 'application/jsonp', undefined],
  ['B07', 'json', undefined],
  ['B07', '', undefined],
])('%s %s is spoken by %s', (_id, mediaType, name) => {
  expect(codecFor(mediaType)?.name).toBe(name);
});

describe('text/plain', () => {
  test.each([
    ['string', 'x y', 'x y'],
    ['integer', '5', 5],
    ['boolean', 'true', true],
    ['array', 'x', 'x'],
  ])('a %s', (type, text, value) => {
    expect(textCodec.reader(shapeOf({ type, items: {} }), 'request')(text)).toBe(value);
  });

  test('int64 is exact both ways', () => {
    const shape = shapeOf({ type: 'integer', format: 'int64' });
    expect(textCodec.reader(shape, 'request')('9223372036854775807')).toBe(9223372036854775807n);
    expect(textCodec.writer(shape, 'response')(9223372036854775807n)).toBe('9223372036854775807');
  });

  test.each(['a\0', '\ud800'])('%j is refused', (text) => {
    const read = textCodec.reader(shapeOf({ type: 'string' }), 'request');
    expect(() => read(text)).toThrow(MalformedText);
  });
});

test('B09 base64 stays text, which validation checks', () => {
  const shape = shapeOf({ type: 'string', format: 'byte' });
  expect(codecFor('application/json')?.reader(shape, 'request')('"aGk="')).toBe('aGk=');
});
