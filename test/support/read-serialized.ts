/** Reads what storage gives: values kept as texts, one by one or page by page. */

import type { SerializedItems, SerializedJson } from '../../src/engine/media-types/json/json';

/** Reads the value from its text; undefined without a text. */
export const readSerialized = async <Value>(
  kept: SerializedJson<Value> | undefined | Promise<SerializedJson<Value> | undefined>,
): Promise<Value | undefined> => (await kept)?.read();

/** The values of all pages, in order. */
export const readPages = async <Value>(
  pages: AsyncIterable<readonly SerializedJson<Value>[] | SerializedItems<Value>>,
): Promise<Value[]> => {
  const values: Value[] = [];
  for await (const page of pages) {
    values.push(...('texts' in page ? page.read() : page.map((kept) => kept.read())));
  }
  return values;
};
