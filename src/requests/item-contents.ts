/** Contents that are sent item by item (OAS 3.2.0, Sequential Media Types): a test takes each as the list of its items. */

import { writeJson } from '../base/json/write-json';
import type { ParsedMediaType } from '../base/media-type';
import { memoize } from '../base/memoize';
import { readLimits } from '../base/read-limits';
import { itemsOf, type SchemaContext } from '../engine';
import type { MediaType } from '../model/operation';
import { anySchema, type Schema, schemaOf } from '../model/schema';
import type { Direction } from '../schema/shape';
import type { BodyCase } from './request-case';

/** Returns the schema of a content's value: of items that of their list. Undefined where the document gives none. */
export const valueSchema = memoize((content: MediaType): Schema | undefined => {
  const items = itemsOf(content);
  return items === undefined ? content.schema : schemaOf({ types: ['array'], items: items.schema });
});

/** Returns the schema whose properties are the fields of a content: of items that of each. */
export const fieldSchema = (content: MediaType): Schema =>
  itemsOf(content)?.schema ?? content.schema ?? anySchema;

/** Returns the format of a content that is read and written item by item, or is the list of its parts; undefined of all others. */
export const listFormat = (content: MediaType, { shapeOf }: SchemaContext): Format | undefined => {
  const { key, schema = anySchema } = content;
  const isParts = /^multipart\/(?!form-data)/i.test(key) && shapeOf(schema).type === 'array';
  return itemsOf(isParts ? { ...content, itemSchema: anySchema } : content)?.format;
};

type Format = NonNullable<ReturnType<typeof itemsOf>>['format'];

/** The same in each run of a test; a part that holds it is not written. */
const boundary = 'boundary-of-a-written-request-7f3a';

/** Writes items; undefined for what the media type cannot carry. */
export const writeItemList = (
  format: Format,
  { content, mediaType, value }: BodyCase,
  tools: SchemaContext,
): { readonly bytes: Uint8Array; readonly contentType: string } | undefined => {
  if (!Array.isArray(value)) return undefined;
  const key = `${mediaType}; boundary=${boundary}`;
  const writer = format.compileWriter({ ...content, key }, tools)();
  // JSON is also written of what a schema does not allow.
  const before = { lines: '', 'json-seq': '\u001e' }[format.name];
  const write = (item: unknown): string | Uint8Array =>
    before === undefined ? writer.write(item) : `${before}${writeJson(item)}\n`;
  try {
    const texts = [writer.open, ...value.map(write), writer.close];
    const bytes = Buffer.concat(texts.map((text) => Buffer.from(text)));
    return { bytes, contentType: writer.contentType ?? mediaType };
  } catch {
    // A writer throws what its format cannot carry, such as an event that is no object.
    return undefined;
  }
};

/** Makes the reader of one message of items; undefined where the content is whole. */
export const itemReader = (
  content: MediaType,
  type: ParsedMediaType,
  direction: Direction,
  tools: SchemaContext,
) => {
  const limits = { itemBytes: Number.POSITIVE_INFINITY, values: readLimits };
  return listFormat(content, tools)?.compileReader(content, limits, tools, direction)(type);
};
