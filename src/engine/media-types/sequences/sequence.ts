/** Sequential media types (OAS 3.2.0, Sequential Media Types): formats whose contents are read and written item by item. */

import type { ParsedMediaType } from '../../../base/media-type';
import type { ReadLimits } from '../../../base/read-limits';
import type { MediaType } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import type { SchemaContext } from '../schema-context';

/** Reads the items of one content from its bytes. They have their exact types and defaults, and are not validated. */
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
  /** A text that readers ignore, sent while no item comes, so that the connection is seen to live; undefined if the format has none. */
  readonly heartbeat?: string;
  /** A text by which readers learn that the server failed, and no more items come; undefined if the format has none. */
  readonly failure?: string;
}

/** Bounds of reading items. */
export interface ItemLimits {
  /** Bytes that one item may have. */
  readonly itemBytes: number;
  /** Of the values of one item. */
  readonly values: ReadLimits;
}

/** A sequential media type. Compiling is done once for each content of a document, the rest for each message. */
export interface SequenceFormat {
  readonly name: string;
  /** Returns the schema of the items as handlers give and get them, where it is not the one that describes them; see event streams. */
  itemSchema?(schema: Schema): Schema;
  /** Compiles the readers of messages in a media type, which may have parameters. */
  compileReader(
    content: MediaType,
    limits: ItemLimits,
    tools: SchemaContext,
  ): (type: ParsedMediaType) => ItemReader;
  compileWriter(content: MediaType, tools: SchemaContext): () => ItemWriter;
}
