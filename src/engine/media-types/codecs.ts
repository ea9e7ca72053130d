/** Which codec speaks which media type. */

import type { OpenAPIV3 } from 'openapi-types';
import { MalformedText } from '../lang/malformed-text';
import { scalarReader, writeScalar } from '../schema/scalars';
import type { Shape } from '../schema/shape';
import { type Codec, decodeText, findForbiddenCharacter } from './codec/codec';
import { formCodec } from './forms/form';
import { formReader } from './forms/form-reader';
import { jsonCodec } from './json/json';
import { decodeXml } from './xml/parser/xml-decoding';
import { xmlCodec } from './xml/xml';

/** The codec of text/plain. Objects and arrays have no plain text: reading leaves the text, which then does not fit. */
export const textCodec: Codec = {
  name: 'text',
  reader: (shape) => {
    const read = scalarReader(shape);
    return (text) => {
      const forbidden = findForbiddenCharacter(text);
      if (forbidden !== undefined) throw new MalformedText(`The text is malformed: ${forbidden}`);
      return read(text);
    };
  },
  writer: () => writeScalar,
};

const byMediaType: ReadonlyMap<string, Codec> = new Map([
  ['application/json', jsonCodec],
  ['text/json', jsonCodec],
  ['application/xml', xmlCodec],
  ['text/xml', xmlCodec],
  ['application/x-www-form-urlencoded', formCodec],
  ['text/plain', textCodec],
]);

/** Structured syntax suffixes (RFC 6839). */
const bySuffix: ReadonlyMap<string, Codec> = new Map([
  ['+json', jsonCodec],
  ['+xml', xmlCodec],
]);

/** The codec of a media type; parameters and case do not count. Undefined where we speak none. */
export function codecFor(mediaType: string): Codec | undefined {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const suffix = essence.includes('+') ? essence.slice(essence.lastIndexOf('+')) : '';
  return byMediaType.get(essence) ?? bySuffix.get(suffix);
}

const isStructured = ({ type }: Shape): boolean => type === 'object' || type === 'array';

/**
 * The codec; undefined where there is none: for bytes, for formats that we do not speak, and for structured values as plain
 * text.
 */
export const contentCodec = (mediaType: string, shape: Shape): Codec | undefined => {
  if (shape.format === 'binary') return undefined;
  const codec = codecFor(mediaType);
  return codec?.name === 'text' && isStructured(shape) ? undefined : codec;
};

/**
 * Whether a body is handed over as it came, unchecked: a schema of a number, an object or a list says nothing of bytes in a
 * format that we do not speak (text/csv, application/pdf), and refusing every body would serve nobody.
 */
export const isUnchecked = (mediaType: string, shape: Shape): boolean =>
  contentCodec(mediaType, shape) === undefined &&
  shape.format !== 'binary' &&
  shape.type !== 'string' &&
  shape.type !== 'any';

/** Bytes to a value; throws MalformedText. */
export type DecodeBody = (bytes: Uint8Array, charset: string | undefined) => unknown;

/** The bytes themselves where the schema says binary or the format has no codec (OAS 3.0.4, Media Type Object). */
const verbatim: DecodeBody = (bytes) => bytes;

/** Compiles a decoder for a media type without parameters. */
export const decoderFor = (
  mediaType: string,
  shape: Shape,
  encoding: Readonly<Record<string, OpenAPIV3.EncodingObject>>,
): DecodeBody => {
  const codec = contentCodec(mediaType, shape);
  if (codec === undefined)
    return shape.type === 'string' && shape.format !== 'binary' ? decodeText : verbatim;
  const read =
    codec.name === 'form' ? formReader(shape, encoding, 'request') : codec.reader(shape, 'request');
  if (codec.name === 'xml') return (bytes, charset) => read(decodeXml(bytes, charset));
  return (bytes, charset) => read(decodeText(bytes, charset));
};
