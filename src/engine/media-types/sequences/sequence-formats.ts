/** Sequential media types (OAS 3.2.0, Sequential Media Types): formats whose contents the engine reads and writes item by item. */

import type { ParsedMediaType } from '../../../base/media-type';
import { memoize } from '../../../base/memoize';
import type { MediaType } from '../../../model/operation';
import { anySchema, type Schema, schemaOf } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import type { Direction } from '../../../schema/shape';
import { limitsFor } from '../codec/codec';
import { finderOf, itemFormats } from '../codecs';
import { eventStream } from '../items/event-stream';
import type { ItemFormat, ItemLimits, ItemReader, ItemWriter } from '../items/item-format';
import type { SchemaContext } from '../schema-context';
import { eventReader, eventSchema, eventWriter } from './event-data';
import { isMultipart, multipartSequence } from './multipart-sequence';

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

function* each(items: Iterable<unknown>, read: (item: never) => unknown): Iterable<unknown> {
  for (const item of items) yield read(item as never);
}

/** Makes the sequential media type of a format whose items are texts; those of event streams may have values in them. */
const textSequence = memoize((format: ItemFormat): SequenceFormat => {
  const { name, heartbeat, failure } = format;
  const itemSchema = format === eventStream ? eventSchema : (schema: Schema) => schema;
  return {
    name,
    itemSchema,
    compileReader({ itemSchema: schema = anySchema }, given, { shapeOf }, direction = 'request') {
      const shape = shapeOf(itemSchema(schema));
      const limits = { ...given, values: limitsFor(shape, given.values) };
      const read =
        itemSchema(schema) === schema
          ? compileCoercion(shape, direction)
          : eventReader(shape, limits.values, direction);
      return () => {
        const reader = format.reader(limits);
        return {
          get pendingBytes() {
            return reader.pendingBytes;
          },
          read: (bytes) => each(reader.read(bytes), read),
          end: () => each(reader.end(), read),
        };
      };
    },
    compileWriter({ itemSchema: schema = anySchema }, { shapeOf }) {
      const list = schemaOf({ types: ['array'], items: schema });
      const write =
        itemSchema(schema) === schema
          ? format.writer(shapeOf(list), 'response')
          : eventWriter(shapeOf(itemSchema(schema)));
      const writeItem = (item: unknown) => write(item, 0);
      const writer: ItemWriter = { open: '', write: writeItem, close: '', heartbeat, failure };
      return () => writer;
    },
  };
});

const itemFormatOf = finderOf(itemFormats);

/** Returns the format of a media type, which may have parameters; undefined where it is not sequential. */
export const sequenceFormatOf = (mediaType: string): SequenceFormat | undefined => {
  if (isMultipart(mediaType)) return multipartSequence;
  const format = itemFormatOf(mediaType);
  return format && textSequence(format);
};

/**
 * Returns how a content is read and written item by item, with the schema of the items as handlers give and get them; undefined where it
 * is whole.
 * @example const items = itemsOf(response.content[0]);
 */
export const itemsOf = ({ key, itemSchema }: MediaType) => {
  const format = itemSchema === undefined ? undefined : sequenceFormatOf(key);
  if (format === undefined || itemSchema === undefined) return undefined;
  return { format, schema: format.itemSchema?.(itemSchema) ?? itemSchema };
};
