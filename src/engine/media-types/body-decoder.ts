/** Chooses how bytes of one media type become a value of one shape. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Shape } from '../schema/shape';
import { decodeText } from './codec/text-decoding';
import { contentCodec } from './codecs';
import { formReader } from './forms/form-reader';
import { decodeXml } from './xml/parser/xml-decoding';

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
