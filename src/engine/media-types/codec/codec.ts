/** What a wire format is to the engine: a maker of readers and writers, compiled once from a schema's shape; and how texts are decoded. */

import { MalformedText } from '../../../base/malformed-text';
import type { Direction, Shape } from '../../schema/shape';

/**
 * Turns text into a value led by the schema. Scalars that do not fit their schema are left as they were read, so that
 * validation names them; text that is not of the format at all throws MalformedText.
 */
export type Reader = (text: string) => unknown;

/** Turns a value that fits its schema into text. */
export type Writer = (value: unknown) => string;

/**
 * Writes a list piece by piece: `empty` where there are no items, else `open`, the items with `separator` between them, and
 * `close`. It is the same text that a Writer makes of the whole list.
 */
export interface ListWriter {
  readonly empty: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  readonly item: Writer;
}

/** Bounds of what a reader takes, whatever the schema says. */
export interface ReadLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Elements, members or fields in one text. */
  readonly nodes: number;
  /** Different names in one object, element or form; items of a list have none. */
  readonly names: number;
}

/** The bounds that every reader keeps unless it is given others: far above what forms and resources need. */
export const readLimits: ReadLimits = { depth: 100, nodes: 100_000, names: 1000 };

/** What a text with too many names is refused with. */
export const tooManyNames = (limits: ReadLimits): string =>
  `too many names, more than ${limits.names}`;

/** One wire format. */
export interface Codec {
  readonly name: 'json' | 'xml' | 'form' | 'text' | 'lines' | 'csv' | 'yaml';
  /** @param limits `readLimits` unless given */
  reader(shape: Shape, direction: Direction, limits?: ReadLimits): Reader;
  writer(shape: Shape, direction: Direction): Writer;
  /** Undefined where a list of the shape can only be written whole, as in formats that leave this out. */
  listWriter?(shape: Shape, direction: Direction): ListWriter | undefined;
}

/** UTF-8 and its subset. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;

/** Whether a charset is one that decodeText reads. */
export const isUtf8 = (charset: string): boolean => UTF_8.test(charset);

/** Decodes UTF-8, with or without a byte-order mark; any other charset or invalid bytes throw MalformedText. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  if (charset !== undefined && !isUtf8(charset)) {
    throw new MalformedText('The charset must be UTF-8');
  }
  return decodeStrictly(bytes, 'utf-8');
}

/** Decodes without replacing anything: bytes that mean no character throw MalformedText. */
export function decodeStrictly(
  bytes: Uint8Array,
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be',
): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedText(`The text is not valid ${encoding.toUpperCase()}`);
  }
}

/** Why a text can be neither stored nor compared safely; undefined for every other text. */
export function findForbiddenCharacter(text: string): string | undefined {
  if (text.includes('\0')) return 'U+0000 is not allowed';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair is not allowed';
}
