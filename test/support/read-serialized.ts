/** Reads what storage gives: values kept as texts, and lists of values. */

import type { SerializedJson } from '../../src/engine/media-types/json/json';

/** Reads the value from its text; undefined without a text. */
export const readSerialized = async <Value>(
  kept: SerializedJson<Value> | undefined | Promise<SerializedJson<Value> | undefined>,
): Promise<Value | undefined> => (await kept)?.read();

/** The values of a list, in order. */
export const readPages = async <Value>(list: AsyncIterable<Value>): Promise<Value[]> => {
  const values: Value[] = [];
  for await (const value of list) values.push(value);
  return values;
};
