/** The formats that a document's messages can have: the codec of each media type, for each schema. */

import { handOver, isNumeric } from '../../base/exact-number';
import { MalformedText } from '../../base/malformed-text';
import { charsetOf, concreteMediaType, isRange, type ValueKind } from '../../base/media-type';
import { memoize } from '../../base/memoize';
import { copyOf } from '../../base/plain-object';
import { findForbiddenCharacter, type ReadLimits } from '../../base/read-limits';
import { attempt } from '../../base/recover';
import type { MediaType } from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import { scalarReader, writeScalar } from '../../schema/scalars';
import type { Shape, ShapeOf } from '../../schema/shape';
import {
  type Codec,
  type DecodeBody,
  decodeStrictly,
  type Encodings,
  readerOf,
  utf8,
  type Writer,
} from './codec/codec';
import { formCodecWith } from './forms/form';
import { eventStream } from './items/event-stream';
import { listCodec } from './items/item-format';
import { jsonLines, jsonTextSequence } from './items/json-items';
import { jsonCodec } from './json/json';
import { xmlCodec } from './xml/xml';
import { yamlCodec } from './yaml/yaml';

/** The codec of text/plain. Objects and arrays have no plain text: reading leaves the text, which then does not fit. */
export const plainTextCodec: Codec = {
  name: 'text',
  mediaTypes: ['text/plain'],
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

/** Returns the media type in lower case, without parameters. */
const essenceOf = (mediaType: string): string =>
  (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();

const isStructured = (shape: Shape, around: readonly Shape[] = []): boolean => {
  const { type, alternatives } = shape;
  if (type !== 'any') return type === 'object' || type === 'array';
  return (
    alternatives.length > 0 &&
    alternatives.every(
      (alternative) =>
        around.includes(alternative.shape) || isStructured(alternative.shape, [...around, shape]),
    )
  );
};

/** Markup that a schema of a text means as it is: pictures and pages. */
const MARKUP = /^(?:image\/|application\/xhtml\+)/;

/** Tells the kind of a value, or of those that a shape describes. */
export const codecKind = ({ isBinary, type }: Shape, value?: unknown): ValueKind => {
  if (isBinary && value === undefined) return 'sample';
  if (isBinary || value instanceof Uint8Array) return 'bytes';
  if (type === 'object' || type === 'array') return 'object';
  if (typeof value === 'string' || type === 'string') return 'text';
  return typeof value === 'object' && value !== null && !isNumeric(value) ? 'object' : 'scalar';
};

/** Returns the media type that stands for the key of a content, which may be a range. */
export const standInOf = (
  { key, schema = anySchema }: Pick<MediaType, 'key' | 'schema'>,
  shapeOf: ShapeOf,
): string => concreteMediaType(key, isRange(key) ? codecKind(shapeOf(schema)) : undefined);

/** Makes a codec of others write decimals as handlers have them: as texts. */
const withTexts = (codec: Codec): Codec => {
  const handed = ({ holdsDecimals }: Shape, write: Writer): Writer =>
    holdsDecimals ? (value) => write(handOver(copyOf(value))) : write;
  return {
    ...codec,
    writer: (shape, direction) => handed(shape, codec.writer(shape, direction)),
    listWriter(shape, direction) {
      const list = codec.listWriter?.(shape, direction);
      return list && { ...list, item: handed(shape, list.item) };
    },
  };
};

/** The formats of a document's messages. */
export interface Codecs {
  /**
   * Returns the codec of a media type that carries every value; parameters and case do not count. Undefined if the type has no codec,
   * or one that carries some shapes alone.
   */
  codecFor(mediaType: string): Codec | undefined;
  /**
   * Returns the codec of a media type for values of a shape. Undefined for bytes, for unknown formats, and for values that the
   * format cannot carry, such as structured ones in plain text.
   */
  contentCodec(mediaType: string, shape: Shape): Codec | undefined;
  /**
   * Tells whether values of the schema can be read and written in the media type. Multipart bodies are read part by part, and so
   * are not decided by this.
   * @param mediaType no range
   */
  isCarried(mediaType: string, schema: Schema | undefined, shapeOf: ShapeOf): boolean;
  /** Tells whether values are the bytes of a message themselves, as they are in a media type without a codec. */
  isOctets(mediaType: string, shape: Shape): boolean;
  /**
   * Tells whether the decoder of `decoderFor` reads texts in the charset; bytes are read in any.
   * @param mediaType without parameters
   */
  readsCharset(mediaType: string, shape: Shape, charset: string): boolean;
  /** Compiles a decoder for a media type without parameters. */
  decoderFor(
    mediaType: string,
    shape: Shape,
    encodings?: Encodings,
    limits?: ReadLimits,
  ): DecodeBody;
  /**
   * Decodes a text that is no request's: by its format, as those are, and by any charset that its Content-Type names.
   * @throws MalformedText
   */
  decodeText(bytes: Uint8Array, contentType: string): string;
  /** Encodes a text so that it is decoded as the same again; undefined where its charset cannot be written, or has not its characters. */
  encodeText(text: string, contentType: string): Buffer | undefined;
  /** Returns the advice for a media type whose codec carries some shapes alone. */
  adviceFor(mediaType: string): string | undefined;
}

/** The formats whose items are texts; each has a codec of whole lists. */
export const itemFormats = [jsonTextSequence, eventStream, jsonLines];

const builtIn = [...itemFormats.map(listCodec), jsonCodec, xmlCodec, plainTextCodec, yamlCodec];

/** Makes the function that finds a format by a media type, which may have parameters; the last one of a type counts. */
export const finderOf = <Format extends Pick<Codec, 'mediaTypes'>>(formats: readonly Format[]) => {
  const byMediaType = new Map(
    formats.flatMap((format) => format.mediaTypes.map((type) => [type, format])),
  );
  return memoize(
    (mediaType: string): Format | undefined => {
      const essence = essenceOf(mediaType);
      return byMediaType.get(essence) ?? byMediaType.get(/\+[^+]*$/.exec(essence)?.[0] ?? '');
    },
    { max: 100 },
  );
};

/**
 * Makes the table of a document's formats.
 * @param codecs beside the engine's, and before them
 */
export const codecTable = (codecs: readonly Codec[] = []): Codecs => {
  const form = formCodecWith((mediaType, shape) => contentCodec(mediaType, shape));
  const codecOf = finderOf<Codec>([...builtIn, form, ...codecs.map(withTexts)]);
  const codecFor: Codecs['codecFor'] = (mediaType) => {
    const codec = codecOf(mediaType);
    return codec?.carries === undefined ? codec : undefined;
  };
  const contentCodec: Codecs['contentCodec'] = (mediaType, shape) => {
    if (shape.isBinary) return undefined;
    const codec = codecOf(mediaType);
    if (codec?.carries?.(shape, mediaType) === false) return undefined;
    if (codec === plainTextCodec && isStructured(shape)) return undefined;
    return shape.type === 'string' && MARKUP.test(essenceOf(mediaType)) ? undefined : codec;
  };
  const isOctets: Codecs['isOctets'] = (mediaType, shape) =>
    shape.isBinary || (shape.type !== 'string' && contentCodec(mediaType, shape) === undefined);
  const decodeText: Codecs['decodeText'] = (bytes, contentType) => {
    const { reads, decode } = codecOf(contentType)?.charsets ?? utf8;
    const charset = charsetOf(contentType);
    const isRead = charset === undefined || reads(charset);
    return isRead ? decode(bytes, charset) : decodeStrictly(bytes, charset);
  };
  return {
    codecFor,
    contentCodec,
    isOctets,
    decodeText,
    encodeText(text, contentType) {
      const charset = charsetOf(contentType) ?? '';
      const octets: BufferEncoding[] = /ascii/i.test(charset) ? ['latin1'] : ['utf8', 'latin1'];
      const encodings: BufferEncoding[] = /utf-?16/i.test(charset) ? ['utf16le'] : octets;
      return encodings
        .map((encoding) => Buffer.from(text, encoding))
        .find((bytes) => attempt(() => decodeText(bytes, contentType)) === text);
    },
    isCarried(mediaType, schema, shapeOf) {
      // The shapes of most schemas are made at their first use, and not to decide this.
      if (schema === undefined || (codecFor(mediaType) ?? plainTextCodec) !== plainTextCodec)
        return true;
      const shape = shapeOf(schema);
      if (contentCodec(mediaType, shape) !== undefined || shape.type === 'string') return true;
      // What can be text or bytes is carried as it is.
      return shape.type === 'any' && !isStructured(shape);
    },
    readsCharset(mediaType, shape, charset) {
      if (isOctets(mediaType, shape)) return true;
      return (contentCodec(mediaType, shape)?.charsets ?? utf8).reads(charset);
    },
    decoderFor(mediaType, shape, encodings, limits) {
      if (isOctets(mediaType, shape)) return (bytes) => bytes;
      const codec = contentCodec(mediaType, shape);
      if (codec === undefined) return utf8.decode;
      const { decode } = codec.charsets ?? utf8;
      const read = readerOf(codec, shape, 'request', limits, encodings);
      return (bytes, charset) => read(decode(bytes, charset));
    },
    adviceFor: (mediaType) => codecOf(mediaType)?.advice,
  };
};
