/** Reads and writes items for tests. */

import { MalformedText } from '../../../../../src/base/malformed-text';
import { parseMediaType } from '../../../../../src/base/media-type';
import { readLimits } from '../../../../../src/base/read-limits';
import { jsonSchema202012 } from '../../../../../src/document/versions/schema-keywords';
import type {
  ItemReader,
  ItemWriter,
} from '../../../../../src/engine/media-types/items/item-format';
import { schemaContext } from '../../../../../src/engine/media-types/schema-context';
import { sequenceFormatOf } from '../../../../../src/engine/media-types/sequences/sequence-formats';
import { HttpError } from '../../../../../src/http/http-error';
import type { MediaType } from '../../../../../src/model/operation';
import { schemasOf } from '../../../../support/schemas';

/** Makes a content with a schema of its items. */
export const contentOf = (
  key: string,
  itemSchema: unknown = {},
  rest: Partial<MediaType> = {},
): MediaType => ({
  pointer: '',
  key,
  schema: undefined,
  itemSchema: schemasOf({}, jsonSchema202012)(itemSchema),
  encoding: {},
  prefixEncoding: [],
  itemEncoding: undefined,
  examples: [],
  ...rest,
});

const formatOf = (content: MediaType) => {
  const format = sequenceFormatOf(content.key);
  if (format === undefined) throw new Error(`${content.key} is not sequential`);
  return format;
};

/** Makes a reader of a content. */
export const readerOf = (content: MediaType, itemBytes = 1000, sent = content.key): ItemReader => {
  const type = parseMediaType(sent);
  if (type === undefined) throw new Error(`${sent} is not a media type`);
  return formatOf(content).compileReader(
    content,
    { itemBytes, values: readLimits },
    schemaContext(),
  )(type);
};

/** Makes a writer of a content. */
export const writerOf = (content: MediaType): ItemWriter =>
  formatOf(content).compileWriter(content, schemaContext())();

/** Cuts bytes into chunks of a size. */
export const inChunks = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

const faultOf = (error: unknown): string => {
  if (error instanceof MalformedText) return `${error.path} ${error.message}`;
  if (error instanceof HttpError) return `${error.status} ${error.message}`;
  throw error;
};

/** Reads chunks; an error that ends them stands last, as a text. */
export const itemsOf = (reader: ItemReader, chunks: Iterable<Uint8Array>): unknown[] => {
  const items: unknown[] = [];
  try {
    for (const chunk of chunks) for (const item of reader.read(chunk)) items.push(item);
    for (const item of reader.end()) items.push(item);
  } catch (error) {
    items.push(faultOf(error));
  }
  return items;
};

/** Writes items as one content. */
export const written = ({ open, write, close }: ItemWriter, items: readonly unknown[]): Buffer =>
  Buffer.concat(
    [open, ...items.map((item) => write(item)), close].map((piece) => Buffer.from(piece)),
  );
