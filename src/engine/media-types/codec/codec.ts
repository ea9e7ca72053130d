/** A format of messages, as the engine uses it: readers and writers, compiled once from a schema's shape; and how texts are decoded. */

import { spelledNumber } from '../../../base/exact-number';
import { MalformedText } from '../../../base/malformed-text';
import { type ReadLimits, readLimits } from '../../../base/read-limits';
import type { Encoding } from '../../../model/operation';
import { compileCoercion } from '../../../schema/coercion';
import type { Direction, Shape } from '../../../schema/shape';

/**
 * Parses text, led by the schema. Scalars that do not fit their schema are left as they were read, so that validation names
 * them; text that is not of the format at all throws MalformedText.
 */
export type Reader = (text: string) => unknown;

/** Turns a value that fits its schema into text. */
export type Writer = (value: unknown) => string;

/**
 * The writer of a list, item by item: `empty` if there are no items, else `open`, the items with `separator` between them, and
 * `close`. It is the same text that a Writer makes of the whole list.
 */
export interface ListWriter {
  readonly empty: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  readonly item: Writer;
}

/** Encoding Objects by property (OAS 3.0.3, Encoding Object). */
export type Encodings = Readonly<Record<string, Encoding>>;

/** The charsets of a format that may have others than UTF-8. */
export interface Charsets {
  /** Tells whether texts in the charset can be decoded. */
  reads(charset: string): boolean;
  /** Decodes a text; throws MalformedText. */
  decode(bytes: Uint8Array, charset: string | undefined): string;
}

/**
 * A format of messages. The engine has JSON, XML, forms, plain text, JSON Lines and YAML; a document is loaded with more of them by
 * the option `codecs`.
 * @example { name: 'ini', mediaTypes: ['text/x-ini'], reader: () => parseIni, writer: () => writeIni }
 */
export interface Codec {
  readonly name: string;
  /** Media types in lower case, without parameters; `+xml` stands for all types of that suffix (RFC 6839). */
  readonly mediaTypes: readonly string[];
  /** Tells whether values of the shape have a text in the format; left out, all have. */
  carries?(shape: Shape, mediaType: string): boolean;
  /** A sentence for authors: how to describe values that the format can carry. */
  readonly advice?: string;
  /** UTF-8 alone unless given. */
  readonly charsets?: Charsets;
  /**
   * Compiles a reader. The engine gives its values their exact types and defaults afterwards.
   * @param encodings the layout of properties, for forms
   */
  reader(shape: Shape, direction: Direction, limits: ReadLimits, encodings: Encodings): Reader;
  /** Compiles a writer, with the layout of properties for forms. */
  writer(shape: Shape, direction: Direction, encodings?: Encodings): Writer;
  /** Compiles a writer of lists; undefined if a list of the shape can only be written whole, as in formats that leave this out. */
  listWriter?(shape: Shape, direction: Direction): ListWriter | undefined;
}

/** Returns limits that keep every digit of the shape's decimals. */
export const limitsFor = ({ holdsDecimals }: Shape, limits: ReadLimits): ReadLimits =>
  holdsDecimals ? { ...limits, numberOf: spelledNumber } : limits;

/**
 * Compiles a reader of values with their exact types and defaults.
 * @example const item = readerOf(codec, tools.shapeOf(schema), 'request')(text);
 */
export const readerOf = (
  codec: Codec,
  shape: Shape,
  direction: Direction,
  limits = readLimits,
  encodings: Encodings = {},
): Reader => {
  const read = codec.reader(shape, direction, limitsFor(shape, limits), encodings);
  const coerce = compileCoercion(shape, direction);
  return (text) => coerce(read(text));
};

const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;

/** Decodes without replacing anything: bytes that mean no character, and unknown encodings, throw MalformedText. */
export function decodeStrictly(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedText(`The text is not valid ${encoding.toUpperCase()}`);
  }
}

/** UTF-8 and its subset ASCII, with or without a byte-order mark. */
export const utf8: Charsets = {
  reads: (charset) => UTF_8.test(charset),
  decode(bytes, charset) {
    if (charset !== undefined && !UTF_8.test(charset)) {
      throw new MalformedText('The charset must be UTF-8');
    }
    return decodeStrictly(bytes, 'utf-8');
  },
};

/** Decodes bytes into a value; throws MalformedText. */
export type DecodeBody = (bytes: Uint8Array, charset: string | undefined) => unknown;
