/** JSON as the engine reads and writes it: exact integers, no repeated keys, types strict. */

import type { Codec } from './codec';
import { compileConversion } from './conversion';
import { parseJson } from './json-text';
import { jsonListWriter, jsonWriter } from './json-writer';

/** The codec of application/json and every `+json` type (RFC 8259, RFC 6839). */
export const jsonCodec: Codec = {
  name: 'json',
  reader(shape, direction) {
    const convert = compileConversion(shape, direction);
    return (text) => convert(parseJson(text));
  },
  writer: (shape, direction) => jsonWriter(shape, direction),
  listWriter: jsonListWriter,
};
