/** Which codec speaks which media type. */

import type { OpenAPIV3 } from 'openapi-types';
import { MalformedText } from '../../base/malformed-text';
import { scalarReader, writeScalar } from '../schema/scalars';
import type { Schema, Shape, ShapeOf } from '../schema/shape';
import { type Codec, decodeText, findForbiddenCharacter, isUtf8, readLimits } from './codec/codec';
import { csvCodec, isTable } from './csv/csv';
import { formCodec } from './forms/form';
import { formReader } from './forms/form-reader';
import { jsonCodec } from './json/json';
import { jsonLinesCodec } from './json/json-lines';
import { decodeXml, isXmlEncoding } from './xml/parser/xml-decoding';
import { xmlCodec } from './xml/xml';
import { yamlCodec } from './yaml/yaml';

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

/** A format that carries values of some shapes. */
interface PartialCodec {
  readonly codec: Codec;
  carries(shape: Shape): boolean;
}

const jsonLines: PartialCodec = {
  codec: jsonLinesCodec,
  carries: ({ type, alternatives }) => type === 'array' && alternatives.length === 0,
};
/** A schema of a text says that the text itself is meant. */
const yaml: PartialCodec = { codec: yamlCodec, carries: ({ type }) => type !== 'string' };

const partialByMediaType: ReadonlyMap<string, PartialCodec> = new Map([
  ...['application/x-ndjson', 'application/jsonl', 'application/x-jsonlines'].map(
    (type) => [type, jsonLines] as const,
  ),
  ['text/csv', { codec: csvCodec, carries: isTable }],
  ...['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'].map(
    (type) => [type, yaml] as const,
  ),
]);

/** Lower case, without parameters. */
const essenceOf = (mediaType: string): string =>
  (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();

const suffixOf = (essence: string): string =>
  essence.includes('+') ? essence.slice(essence.lastIndexOf('+')) : '';

/**
 * The codec of a media type that carries every value; parameters and case do not count. Undefined where we speak none, or
 * where the schema decides.
 */
export function codecFor(mediaType: string): Codec | undefined {
  const essence = essenceOf(mediaType);
  return byMediaType.get(essence) ?? bySuffix.get(suffixOf(essence));
}

/** RFC 4180 section 3: such a table does not say what its columns are. */
const HEADLESS = /;\s*header\s*=\s*"?absent/i;

const partialCodecFor = (mediaType: string, shape: Shape): Codec | undefined => {
  const essence = essenceOf(mediaType);
  const found =
    partialByMediaType.get(essence) ?? (suffixOf(essence) === '+yaml' ? yaml : undefined);
  return found?.carries(shape) && !HEADLESS.test(mediaType) ? found.codec : undefined;
};

/** Whether each value, or each of its alternatives, has parts. */
const isStructured = (shape: Shape, around: readonly Shape[] = []): boolean => {
  const { type, alternatives } = shape;
  if (type !== 'any') return type === 'object' || type === 'array';
  return (
    alternatives.length > 0 &&
    alternatives.every(
      (one) => around.includes(one.shape) || isStructured(one.shape, [...around, shape]),
    )
  );
};

/** Markup that a schema of a text means as it is: pictures and pages. */
const MARKUP = /^(?:image\/|application\/xhtml\+)/;

/**
 * The codec; undefined where there is none: for bytes, for formats that we do not speak, and for values that the format has
 * no place for, such as structured ones in plain text.
 */
export const contentCodec = (mediaType: string, shape: Shape): Codec | undefined => {
  if (shape.format === 'binary') return undefined;
  const codec = codecFor(mediaType) ?? partialCodecFor(mediaType, shape);
  if (codec?.name === 'text' && isStructured(shape)) return undefined;
  return shape.type === 'string' && MARKUP.test(essenceOf(mediaType)) ? undefined : codec;
};

/** Whether a value can be text or bytes, which every format carries as they are. */
const isVerbatim = (shape: Shape): boolean =>
  shape.format === 'binary' ||
  shape.type === 'string' ||
  (shape.type === 'any' && !isStructured(shape));

/**
 * Whether values of the schema can be read and written in the media type. Multipart bodies are read part by part, and so no
 * matter of this.
 * @param mediaType no range
 */
export const isCarried = (
  mediaType: string,
  schema: Schema | undefined,
  shapeOf: ShapeOf,
): boolean => {
  // The shapes of most schemas are made at their first use, and not to decide this.
  if (schema === undefined || (codecFor(mediaType) ?? textCodec) !== textCodec) return true;
  const shape = shapeOf(schema);
  return contentCodec(mediaType, shape) !== undefined || isVerbatim(shape);
};

/**
 * Whether the decoder of `decoderFor` reads texts in that charset; of what stays bytes it reads any.
 * @param mediaType without parameters
 */
export const readsCharset = (mediaType: string, shape: Shape, charset: string): boolean => {
  const codec = contentCodec(mediaType, shape);
  if (codec?.name === 'xml') return isXmlEncoding(charset);
  const isText = codec !== undefined || (shape.type === 'string' && shape.format !== 'binary');
  return !isText || isUtf8(charset);
};

/** Bytes to a value; throws MalformedText. */
export type DecodeBody = (bytes: Uint8Array, charset: string | undefined) => unknown;

/** The bytes themselves where the schema says binary or the format has no codec (OAS 3.0.4, Media Type Object). */
const verbatim: DecodeBody = (bytes) => bytes;

/** Compiles a decoder for a media type without parameters. */
export const decoderFor = (
  mediaType: string,
  shape: Shape,
  encoding: Readonly<Record<string, OpenAPIV3.EncodingObject>>,
  limits = readLimits,
): DecodeBody => {
  const codec = contentCodec(mediaType, shape);
  if (codec === undefined)
    return shape.type === 'string' && shape.format !== 'binary' ? decodeText : verbatim;
  const read =
    codec.name === 'form'
      ? formReader(shape, encoding, 'request', limits)
      : codec.reader(shape, 'request', limits);
  if (codec.name === 'xml') return (bytes, charset) => read(decodeXml(bytes, charset));
  return (bytes, charset) => read(decodeText(bytes, charset));
};
