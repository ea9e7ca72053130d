/** The sequential media types that the engine reads and writes item by item. */

import { memoize } from '../../../base/memoize';
import type { MediaType } from '../../../model/operation';
import { anySchema, type Schema, schemaOf } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { finderOf, itemFormats } from '../codecs';
import { eventStream } from '../items/event-stream';
import type { ItemFormat, ItemWriter } from '../items/item-format';
import { eventReader, eventSchema, eventWriter } from './event-data';
import { isMultipart, multipartSequence } from './multipart-sequence';
import type { SequenceFormat } from './sequence';

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
    compileReader({ itemSchema: schema = anySchema }, limits, { shapeOf }, direction = 'request') {
      const shape = shapeOf(itemSchema(schema));
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

/** A content that is read and written item by item. */
export interface ContentItems {
  readonly format: SequenceFormat;
  /** The schema of the items as handlers give and get them. */
  readonly schema: Schema;
}

/**
 * Returns how a content is read and written item by item; undefined where it is whole.
 * @example const items = itemsOf(response.content[0]);
 */
export const itemsOf = ({ key, itemSchema }: MediaType): ContentItems | undefined => {
  const format = itemSchema === undefined ? undefined : sequenceFormatOf(key);
  if (format === undefined || itemSchema === undefined) return undefined;
  return { format, schema: format.itemSchema?.(itemSchema) ?? itemSchema };
};
