/** Lists that come page by page, as text that is sent while they come. */

import type { TextStream } from '../../http/send';
import type { ListWriter } from '../media-types/codec/codec';
import { type Pages, SerializedItems, SerializedJson } from '../media-types/json/json';

/** The pages that are still to come, unchecked. */
interface PageReader extends AsyncIterableIterator<unknown, undefined> {
  /** Ends the source, even while a page is awaited; does nothing after its end. */
  return(): Promise<IteratorReturnResult<undefined>>;
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Makes a reader; it begins at the first call of `next`. */
const pageReader = (pages: Pages<unknown>): PageReader => {
  let source: AsyncIterator<unknown> | undefined;
  let isOver = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (isOver) return over;
      try {
        source ??= pages[Symbol.asyncIterator]();
        const result = await source.next();
        if (!isOver && !result.done) return result;
      } catch (error) {
        isOver = true;
        throw error;
      }
      isOver = true;
      return over;
    },
    async return() {
      if (isOver) return over;
      isOver = true;
      await source?.return?.();
      return over;
    },
  };
};

/** Writes the pages of a list; they are read as the text is asked for. */
export type WritePages = (pages: Pages<unknown>) => TextStream;

/** Characters of one chunk of text. */
const chunkLength = 64 * 1024;
/** Items of a list that can only be written as a whole: more would take too much memory at once. */
const mostCollected = 100_000;

const itemsOf = (page: unknown): readonly unknown[] => {
  if (Array.isArray(page)) return page;
  if (page instanceof SerializedItems) return page.read();
  throw new Error('A page of a list must be a list');
};

function* joined(texts: Iterable<string>, separator: string): Generator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += chunk === '' ? text : separator + text;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Makes a stream that ends its pages at once; a generator would first wait for the next page. */
const streamOf = (next: TextStream['next'], pages: PageReader): TextStream => ({
  next,
  return: () => pages.return().then(() => ({ done: true, value: '' })),
});

/**
 * Makes the writer of lists item by item; a chunk holds items of one page, so that it need not wait for the next one.
 * @param writeSerialized returns the texts of a page, if they may be sent as they are
 */
export const listStream = (
  list: ListWriter,
  writeItem: (item: unknown, index: number) => string,
  writeSerialized: (items: SerializedItems<unknown>) => string | undefined,
): WritePages => {
  /** @param position counts the items of the list that were checked */
  function* textsOf(page: unknown, position: { index: number }): Generator<string> {
    const whole = page instanceof SerializedItems ? writeSerialized(page) : undefined;
    if (whole !== undefined) {
      yield whole;
      return;
    }
    for (const item of itemsOf(page)) {
      yield writeItem(item, position.index);
      position.index += 1;
    }
  }
  async function* chunksOf(pages: PageReader): AsyncGenerator<string, string> {
    const position = { index: 0 };
    let isEmpty = true;
    let before = list.open;
    for await (const page of pages) {
      for (const chunk of joined(textsOf(page, position), list.separator)) {
        yield before + chunk;
        isEmpty = false;
        before = list.separator;
      }
    }
    return isEmpty ? list.empty : list.close;
  }
  return (source) => {
    const pages = pageReader(source);
    const chunks = chunksOf(pages);
    return streamOf(() => chunks.next(), pages);
  };
};

const collect = async (pages: PageReader): Promise<unknown[]> => {
  const items: unknown[] = [];
  for await (const page of pages) {
    for (const item of itemsOf(page))
      items.push(item instanceof SerializedJson ? item.read() : item);
    if (items.length <= mostCollected) continue;
    throw new Error(`A list of more than ${mostCollected} items cannot be written as a whole`);
  }
  return items;
};

/** Makes the writer of whole lists, for formats and schemas that allow no other way. */
export const collectedList =
  (writeItems: (items: readonly unknown[]) => string): WritePages =>
  (source) => {
    const pages = pageReader(source);
    return streamOf(async () => ({ done: true, value: writeItems(await collect(pages)) }), pages);
  };
