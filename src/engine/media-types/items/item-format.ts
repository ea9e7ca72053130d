/** Formats of lists that are read and written item by item (OAS 3.2.0, Sequential Media Types), and the codecs of whole lists that they make. */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import type { ReadLimits } from '../../../base/read-limits';
import { HttpError } from '../../../http/http-error';
import type { Direction, Shape } from '../../../schema/shape';
import { type Codec, utf8 } from '../codec/codec';

/** Reads the items of one content from its bytes. */
export interface ItemReader {
  /** The bytes of an item that is not complete yet. */
  readonly pendingBytes: number;
  /**
   * Yields the items that the bytes complete.
   * @throws MalformedText, its path relative to the item; HttpError of 413 where an item is larger than `itemBytes`
   */
  read(bytes: Uint8Array): Iterable<unknown>;
  /** Yields what the end completes. Throws MalformedText where the content must not end there. */
  end(): Iterable<unknown>;
}

/** Writes the items of one content. */
export interface ItemWriter {
  /** The media type of the content, with the parameters that it needs; undefined: as the document gives it. */
  readonly contentType?: string;
  /** The text before the first item; empty for none. */
  readonly open: string;
  /** Writes an item; throws an Error with the place if the format cannot carry it. */
  write(item: unknown): string | Uint8Array;
  /** The text behind the last item; empty for none. */
  readonly close: string;
  /**
   * A text that readers ignore, and the time without an item after which it is sent, so that the connection is seen to live; undefined
   * if the format has none.
   */
  readonly heartbeat?: { readonly text: string; readonly milliseconds: number } | undefined;
  /** A text by which readers learn that the server failed, and no more items come; undefined if the format has none. */
  readonly failure?: string | undefined;
}

/** Bounds of reading items. */
export interface ItemLimits {
  /** Bytes that one item may have. */
  readonly itemBytes: number;
  /** Bytes that a part may have whose text is read into a value; as many unless given. */
  readonly textBytes?: number;
  /** Of the values of one item. */
  readonly values: ReadLimits;
}

/** A format whose items are texts. */
export interface ItemFormat
  extends Pick<Codec, 'name' | 'mediaTypes' | 'charsets'>,
    Pick<ItemWriter, 'heartbeat' | 'failure'> {
  /** Makes the reader of one content; the items are as they stand there, without exact types and defaults. */
  reader(limits: ItemLimits): ItemReader;
  writer(list: Shape, direction: Direction): (item: unknown, index: number) => string;
}

/** Returns the error of an item that is too large. */
export const largeItem = (limit: number): HttpError =>
  new HttpError(413, 'body-too-large', `An item of the body is larger than ${limit} bytes`);

/** Bytes of a buffer that is kept for the next item. */
const keptBuffer = 64 * 1024;

/**
 * Makes the store of the bytes of an item that come in pieces, however small these are. What it returns is to be used before the
 * next call.
 */
export const pendingBytes = (limit: number) => {
  let buffer = Buffer.alloc(0);
  let size = 0;
  const add = (bytes: Uint8Array): void => {
    const total = size + bytes.length;
    if (total > limit) throw largeItem(limit);
    if (total > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(total, 2 * buffer.length));
      larger.set(buffer.subarray(0, size));
      buffer = larger;
    }
    buffer.set(bytes, size);
    size = total;
  };
  const clear = (): void => {
    size = 0;
    if (buffer.length > keptBuffer) buffer = Buffer.alloc(0);
  };
  return {
    get size() {
      return size;
    },
    add,
    clear,
    /** Returns the first bytes of the item. */
    head: (length: number): Buffer => buffer.subarray(0, Math.min(length, size)),
    /** Drops the first bytes. */
    drop(length: number): void {
      buffer.copyWithin(0, length, size);
      size -= length;
      if (size === 0) clear();
    },
    /** Returns all bytes of the item, these last, and begins another item. */
    complete(bytes: Uint8Array): Uint8Array {
      if (size === 0 && bytes.length <= limit) return bytes;
      add(bytes);
      const all = buffer.subarray(0, size);
      clear();
      return all;
    },
  };
};

const countValues = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) count += countValues(inner);
  return count;
};

/** Reads all items of a text; the limits are those of the whole. */
const readList = (format: ItemFormat, text: string, limits: ReadLimits): unknown[] => {
  const reader = format.reader({ itemBytes: Number.POSITIVE_INFINITY, values: limits });
  const items: unknown[] = [];
  let values = 0;
  const collect = (read: Iterable<unknown>): void => {
    for (const item of read) {
      values += countValues(item);
      if (values > limits.nodes) {
        throw new MalformedText(`The text has more than ${limits.nodes} values`);
      }
      items.push(item);
    }
  };
  try {
    collect(reader.read(Buffer.from(text)));
    collect(reader.end());
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new MalformedText(error.message, pointerTo('', items.length) + error.path);
  }
  return items;
};

/** Makes the codec of whole lists in a format of items. */
export const listCodec = (format: ItemFormat): Codec => ({
  name: format.name,
  mediaTypes: format.mediaTypes,
  charsets: format.charsets ?? utf8,
  carries: ({ type, alternatives }) => type === 'array' && alternatives.length === 0,
  advice: 'Make it a list',
  reader: (_shape, _direction, limits) => (text) => readList(format, text, limits),
  writer(shape, direction) {
    const write = format.writer(shape, direction);
    return (value) => [value].flat().map(write).join('');
  },
  listWriter(shape, direction) {
    if (shape.type !== 'array' || shape.alternatives.length + shape.prefixItems.length > 0) {
      return undefined;
    }
    const write = format.writer(shape, direction);
    return { empty: '', open: '', separator: '', close: '', item: (item) => write(item, 0) };
  },
});
