/** Lends storage the engine's own JSON reader and writer for the schemas it keeps as text. */

import { jsonCodec } from './codecs/json';
import { jsonWriter } from './codecs/json-writer';
import type { Shape } from './codecs/shape';
import type { SchemaTools } from './openapi/schema-tools';
import type { TextCodecOf } from './storage/storage';
import type { TextCodec } from './storage/text-codec';

/** The codec of one shape; undeclared properties are not stored. */
export const textCodecOf = (shape: Shape): TextCodec<unknown> => ({
  read: jsonCodec.reader(shape, 'whole'),
  write: jsonWriter(shape, 'whole', 'dropped'),
});

/** The codecs of several services' component schemas. */
export const textCodecs =
  (tools: ReadonlyMap<string, SchemaTools>): TextCodecOf =>
  (service, schema) => {
    const shapeOf = tools.get(service)?.shapeOf;
    if (shapeOf === undefined) throw new Error(`There is no service ${service}`);
    return textCodecOf(shapeOf({ $ref: `#/components/schemas/${schema}` }));
  };
