/** The sequential media types that the engine reads and writes item by item. */

import { parseMediaType } from '../../../base/media-type';
import { memoize } from '../../../base/memoize';
import type { MediaType } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { eventStream } from './event-stream';
import { jsonLines, jsonTextSequence } from './json-sequences';
import type { SequenceFormat } from './sequence';

const formats: ReadonlyMap<string, SequenceFormat> = new Map([
  ['application/jsonl', jsonLines],
  ['application/x-ndjson', jsonLines],
  ['application/x-jsonlines', jsonLines],
  ['application/json-seq', jsonTextSequence],
  ['text/event-stream', eventStream],
]);

/** Returns the format of a media type, which may have parameters; undefined where it is not sequential. */
export const sequenceFormatOf = memoize((mediaType: string): SequenceFormat | undefined => {
  const { essence = '' } = parseMediaType(mediaType) ?? {};
  return formats.get(essence) ?? (essence.endsWith('+json-seq') ? jsonTextSequence : undefined);
});

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
