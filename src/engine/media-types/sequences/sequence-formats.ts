/** The sequential media types that the engine reads and writes item by item. */

import type { MediaType } from '../../../model/operation';
import { anySchema, type Schema } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { jsonWriter, parseJson } from '../json/json';
import type { SequenceFormat } from './sequence';

const lines: SequenceFormat = {
  name: 'lines',
  compileReader(content, { values }, { shapeOf }) {
    const coerce = compileCoercion(shapeOf(content.itemSchema ?? anySchema), 'request');
    return () => {
      let rest = '';
      return {
        get pendingBytes() {
          return rest.length;
        },
        *read(bytes) {
          const texts = (rest + Buffer.from(bytes).toString()).split('\n');
          rest = texts.pop() ?? '';
          for (const text of texts) if (text.trim() !== '') yield coerce(parseJson(text, values));
        },
        *end() {
          if (rest.trim() !== '') yield coerce(parseJson(rest, values));
        },
      };
    };
  },
  compileWriter(content, { shapeOf }) {
    const write = jsonWriter(shapeOf(content.itemSchema ?? anySchema), 'response');
    return () => ({ open: '', write: (item) => `${write(item)}\n`, close: '' });
  },
};

const events: SequenceFormat = {
  name: 'events',
  compileReader: (...given) => lines.compileReader(...given),
  compileWriter: () => () => ({
    open: '',
    write: (item) => `data: ${String(Reflect.get(Object(item), 'data'))}\n\n`,
    close: '',
    heartbeat: ':\n\n',
    failure: 'event: error\ndata: The stream failed\n\n',
  }),
};

/** Returns the format of a media type. */
export const sequenceFormatOf = (mediaType: string): SequenceFormat | undefined =>
  /^application\/(?:jsonl|x-ndjson)/.test(mediaType)
    ? lines
    : /^text\/event-stream/.test(mediaType)
      ? events
      : undefined;

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
