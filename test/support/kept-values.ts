/** Reads what storage gives: values kept as texts, one by one or page by page. */

import type { Kept, KeptItems } from '../../src/engine/media-types/codec/kept';

/** The value, read from its text; undefined where there is none. */
export const readKept = async <Value>(
  kept: Kept<Value> | undefined | Promise<Kept<Value> | undefined>,
): Promise<Value | undefined> => (await kept)?.read();

/** The values of all pages, in order. */
export const readPages = async <Value>(
  pages: AsyncIterable<readonly Kept<Value>[] | KeptItems<Value>>,
): Promise<Value[]> => {
  const values: Value[] = [];
  for await (const page of pages) {
    values.push(...('texts' in page ? page.read() : page.map((kept) => kept.read())));
  }
  return values;
};
