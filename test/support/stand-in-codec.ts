/** A text codec that stands in for the schema's own. */

import { SerializedItems, SerializedJson } from '../../src/engine/media-types/json/json';
import { anySchema } from '../../src/model/schema';
import { compileShapes } from '../../src/schema/compile-shapes';
import type { TextCodec } from '../../src/storage/collections/item-schema';

const shape = compileShapes(() => () => true)(anySchema);

/** Keeps bigints exactly, as text that ends in n, and leaves out properties that start with an x. */
export const standInCodec: TextCodec<unknown> = {
  format: 'stand-in',
  write: (value) =>
    JSON.stringify(value, (name, item: unknown) => {
      if (name.startsWith('x')) return undefined;
      return typeof item === 'bigint' ? `${item}n` : item;
    }),
  fill: (value) => value,
  store: (value) => standInCodec.write(value),
  read: (text) =>
    JSON.parse(text, (_, item: unknown) =>
      typeof item === 'string' && /^-?\d+n$/.test(item) ? BigInt(item.slice(0, -1)) : item,
    ),
  readCurrent: (text) => standInCodec.read(text),
  convert: (document) => ({ document, problems: [] }),
  serialized: (text) => new SerializedJson(shape, text, standInCodec.read),
  listed: (text) => new SerializedJson(shape, text, standInCodec.read),
  serializedItems: (texts) => new SerializedItems(shape, texts, readItems),
};

const readItems = (texts: string): unknown[] => standInCodec.read(`[${texts}]`) as unknown[];

/** The same for values that are known to be of a type; `read` makes them of what was written. */
export const standInCodecOf = <Value>(
  read: (written: unknown) => Value = (written) => written as Value,
): TextCodec<Value> => {
  const readText = (text: string): Value => read(standInCodec.read(text));
  return {
    format: standInCodec.format,
    write: standInCodec.write,
    fill: (value) => value,
    store: standInCodec.store,
    read: readText,
    readCurrent: readText,
    convert: standInCodec.convert,
    serialized: (text) => new SerializedJson(shape, text, readText),
    listed: (text) => new SerializedJson(shape, text, readText),
    serializedItems: (texts) =>
      new SerializedItems(shape, texts, (all) => readItems(all).map(read)),
  };
};
