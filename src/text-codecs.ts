/** Lends storage the engine's own JSON reader and writer for the schemas it keeps as text. */

import { jsonCodec } from './codecs/json';
import { jsonWriter } from './codecs/json-writer';
import type { SchemaTools } from './openapi/schema-tools';
import type { TextCodecOf } from './storage/storage';

/** Undeclared properties are not stored. */
export const textCodecs =
  (tools: ReadonlyMap<string, SchemaTools>): TextCodecOf =>
  (service, schema) => {
    const shapeOf = tools.get(service)?.shapeOf;
    if (shapeOf === undefined) throw new Error(`There is no service ${service}`);
    const shape = shapeOf({ $ref: `#/components/schemas/${schema}` });
    return { read: jsonCodec.reader(shape, 'whole'), write: jsonWriter(shape, 'whole', 'dropped') };
  };
