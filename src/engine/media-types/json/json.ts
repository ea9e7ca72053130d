/** JSON as the engine reads and writes it: exact integers, no repeated keys, types strict. */

import { compileCoercion } from '../../schema/coercion';
import type { Shape } from '../../schema/shape';
import type { Codec, Reader } from '../codec/codec';
import { parseJson, parseWrittenJson } from './json-text';
import { jsonListWriter, jsonWriter } from './json-writer';

/** The codec of application/json and every `+json` type (RFC 8259, RFC 6839). */
export const jsonCodec: Codec = {
  name: 'json',
  reader(shape, direction) {
    const coerce = compileCoercion(shape, direction);
    return (text) => coerce(parseJson(text));
  },
  writer: (shape, direction) => jsonWriter(shape, direction),
  listWriter: jsonListWriter,
};

/** Reads what `jsonWriter` wrote. */
interface SerializedJsonReader {
  /** One text. */
  readonly read: Reader;
  /** Texts joined by commas. */
  readItems(texts: string): unknown[];
}

/** Compiles the reader of what `jsonWriter` wrote of values of the shape, all of their properties. */
export const serializedJsonReader = (shape: Shape): SerializedJsonReader => {
  const coerce = compileCoercion(shape, 'storage');
  return {
    read: (text) => coerce(parseWrittenJson(text)),
    readItems: (texts) => (parseWrittenJson(`[${texts}]`) as unknown[]).map((item) => coerce(item)),
  };
};
