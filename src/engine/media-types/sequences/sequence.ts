/** Sequential media types (OAS 3.2.0, Sequential Media Types): formats whose contents are read and written item by item. */

import type { ParsedMediaType } from '../../../base/media-type';
import type { MediaType } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import type { Direction } from '../../../schema/shape';
import type { ItemLimits, ItemReader, ItemWriter } from '../items/item-format';
import type { SchemaContext } from '../schema-context';

/** A sequential media type. Compiling is done once for each content of a document, the rest for each message. */
export interface SequenceFormat {
  readonly name: string;
  /** Returns the schema of the items as handlers give and get them, where it is not the one that describes them; see event streams. */
  itemSchema?(schema: Schema): Schema;
  /** Compiles the readers of messages in a media type, which may have parameters; those of requests unless the direction is given. */
  compileReader(
    content: MediaType,
    limits: ItemLimits,
    tools: SchemaContext,
    direction?: Direction,
  ): (type: ParsedMediaType) => ItemReader;
  compileWriter(content: MediaType, tools: SchemaContext): () => ItemWriter;
}
