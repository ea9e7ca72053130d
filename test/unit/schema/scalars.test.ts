import { describe, expect, test } from '@jest/globals';
import type { Codec } from '../../../src/engine/media-types/codec/codec';
import { readerOf } from '../../../src/engine/media-types/codec/codec';
import { formCodec } from '../../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../../src/engine/media-types/json/json';
import { xmlCodec } from '../../../src/engine/media-types/xml/xml';
import { shapeOf } from '../engine/media-types/shapes';

const binary = { type: 'string', format: 'binary' };
const schema = {
  type: 'object',
  properties: {
    file: binary,
    files: { type: 'array', items: binary },
    either: { oneOf: [{ type: 'integer' }, binary] },
  },
};
const bytes = (text: string) => new TextEncoder().encode(text);

describe('B08 bytes within a text format are the text that they are', () => {
  test.each<[string, Codec, string]>([
    ['JSON', jsonCodec, '{"file":"é\\n\\"","files":["a","b"]}'],
    ['form', formCodec, 'file=%C3%A9%0A%22&files=a&files=b'],
    [
      'XML',
      xmlCodec,
      '<?xml version="1.0" encoding="UTF-8"?>\n<object><file>é\n"</file><files>a</files><files>b</files></object>',
    ],
  ])('B08 %s', (_name, codec, text) => {
    const value = { file: bytes('é\n"'), files: [bytes('a'), bytes('b')] };
    expect(readerOf(codec, shapeOf(schema), 'request')(text)).toEqual(value);
    expect(codec.writer(shapeOf(schema), 'response')(value)).toBe(text);
  });

  test('B08 an attribute', () => {
    const shape = shapeOf({
      type: 'object',
      properties: { file: { ...binary, xml: { attribute: true } } },
    });
    const text = '<?xml version="1.0" encoding="UTF-8"?>\n<object file="abc"/>';
    expect(readerOf(xmlCodec, shape, 'request')(text)).toEqual({ file: bytes('abc') });
    expect(xmlCodec.writer(shape, 'response')({ file: bytes('abc') })).toBe(text);
  });

  test.each<[string, Codec]>([
    ['JSON', jsonCodec],
    ['form', formCodec],
    ['XML', xmlCodec],
  ])('B08 bytes that are no text cannot be written: %s', (_name, codec) => {
    const write = codec.writer(shapeOf(schema), 'response');
    expect(() => write({ file: Uint8Array.of(0xff) })).toThrow('format: byte');
  });

  test('B08 a default spelled as text', () => {
    const shape = shapeOf({ type: 'object', properties: { file: { ...binary, default: 'x' } } });
    expect(readerOf(jsonCodec, shape, 'request')('{}')).toEqual({ file: bytes('x') });
  });
});
