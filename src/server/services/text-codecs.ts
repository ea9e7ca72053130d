/** Lends storage the engine's own JSON reader and writer for the schemas it keeps as text. */

import { createHash } from 'node:crypto';
import {
  type ApiDocument,
  jsonWriter,
  type SchemaContext,
  type Shape,
  serialized,
  serializedItems,
  writtenJsonReader,
} from '../../engine';
import type { TextCodec } from '../storage/collections/text-codec';
import type { TextCodecOf } from '../storage/storage';

/** Changes with what the writer makes of the same value under the same schema. */
const writerVersion = 1;

/** The same for documents that describe the same schemas, whatever else they say. */
const formatOf = ({ definition }: ApiDocument): string =>
  createHash('sha256')
    .update(JSON.stringify([writerVersion, definition.components?.schemas]))
    .digest('base64url');

/** The codec of one shape; undeclared properties are not stored. */
export const textCodecOf = (shape: Shape, document: ApiDocument): TextCodec<unknown> => {
  const { read, readItems } = writtenJsonReader(shape);
  const write = jsonWriter(shape, 'storage', 'dropped');
  const format = formatOf(document);
  return {
    format,
    read,
    write,
    kept(text, writtenIn) {
      const current = writtenIn === format ? text : write(read(text));
      return serialized(shape, current, read);
    },
    keptItems: (texts) => serializedItems(shape, texts, readItems),
  };
};

/** The codecs of several services' component schemas. */
export const textCodecs =
  (documents: readonly ApiDocument[], tools: ReadonlyMap<string, SchemaContext>): TextCodecOf =>
  (service, schema) => {
    const document = documents.find(({ name }) => name === service);
    const shapeOf = tools.get(service)?.shapeOf;
    if (document === undefined || shapeOf === undefined) {
      throw new Error(`There is no service ${service}`);
    }
    return textCodecOf(shapeOf({ $ref: `#/components/schemas/${schema}` }), document);
  };
