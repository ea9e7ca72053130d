/** The sequential media types that contents can be read and written in, item by item. */

import { parseMediaType } from '../../../base/media-type';
import type { MediaType } from '../../../model/operation';
import { anySchema, schemaOf } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { compileItems } from '../../../schema/compile-per-shape';
import type { Shape } from '../../../schema/shape';
import type { ItemFormat } from '../items/item-format';
import { jsonLines } from '../items/json-lines';
import type { SchemaContext } from '../schema-context';
import type { SequenceFormat } from './sequence';

/** Returns the shape of the list of a content's items. */
const listShape = ({ schema, itemSchema }: MediaType, { shapeOf }: SchemaContext): Shape =>
  shapeOf(
    itemSchema === undefined
      ? (schema ?? anySchema)
      : schemaOf({ types: ['array'], items: itemSchema }),
  );

/** Gives items their exact types and defaults; the index is that of an item in its content. */
function* coerced(items: Iterable<unknown>, coerce: (item: unknown) => unknown): Iterable<unknown> {
  for (const item of items) yield coerce(item);
}

/** Makes the sequential media type of a format whose items are texts. */
const textSequence = (format: ItemFormat): SequenceFormat => ({
  name: format.name,
  compileReader(content, limits, tools) {
    const list = listShape(content, tools);
    const coercionAt = compileItems(
      list,
      (item) => compileCoercion(item, 'request'),
      (item: unknown) => item,
    );
    return () => {
      const reader = format.reader(limits);
      let index = 0;
      const coerce = (item: unknown): unknown => {
        index += 1;
        return coercionAt(index - 1)(item);
      };
      return {
        get pendingBytes() {
          return reader.pendingBytes;
        },
        read: (bytes) => coerced(reader.read(bytes), coerce),
        end: () => coerced(reader.end(), coerce),
      };
    };
  },
  compileWriter(content, tools) {
    const write = format.writer(listShape(content, tools), 'response');
    const { heartbeat, failure } = format;
    return () => {
      let index = 0;
      return {
        open: '',
        close: '',
        ...(heartbeat === undefined ? {} : { heartbeat }),
        ...(failure === undefined ? {} : { failure }),
        write(item) {
          index += 1;
          return write(item, index - 1);
        },
      };
    };
  },
});

const lines = textSequence(jsonLines);

const byMediaType: ReadonlyMap<string, SequenceFormat> = new Map(
  jsonLines.mediaTypes.map((type) => [type, lines]),
);

/** Finds the sequential media type of a media type; parameters and case do not count. */
export const sequenceFormatOf = (mediaType: string): SequenceFormat | undefined =>
  byMediaType.get(parseMediaType(mediaType)?.essence ?? '');
