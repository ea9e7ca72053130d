/** Lists that come page by page, as text that goes out while they come. */

import type { TextStream } from '../http/text-stream';
import type { ListWriter } from '../media-types/codec/codec';
import type { Page, Pages } from '../media-types/codec/pages';
import {
  isSerialized,
  isSerializedItems,
  type SerializedItems,
} from '../media-types/codec/serialized-json';
import { type PageReader, pageReader } from './page-reader';

/** Writes a listing; it is read as the text is asked for. */
export type WritePages = (listing: Pages<unknown>) => TextStream;

/** Characters of one piece of text. */
const pieceLength = 64 * 1024;
/** Items of a list that can only be written as a whole: more would take too much memory at once. */
const mostCollected = 100_000;

type WriteItem = (item: unknown, index: number) => string;

/** Gives the texts of a page, where they are what the list's writer would write and may go unchecked. */
export type WriteSerializedItems = (items: SerializedItems<unknown>) => string | undefined;

const itemsOf = (page: Page<unknown>): readonly unknown[] =>
  isSerializedItems(page) ? page.read() : page;

/** Text of a list, page by page. */
interface Pieces {
  /** Whether the page has been written. */
  isDone(): boolean;
  turnTo(page: Page<unknown>): void;
  /** As much of the page as one piece holds. */
  next(): string;
  /** What stands behind the last item. */
  last(): string;
}

const listPieces = (
  list: ListWriter,
  writeItem: WriteItem,
  writeKept: WriteSerializedItems,
): Pieces => {
  let page: readonly unknown[] = [];
  /** The texts of a page that is written as a whole. */
  let whole: string | undefined;
  let taken = 0;
  let index = 0;
  let isEmpty = true;
  const behind = (items: string): string => {
    const text = (isEmpty ? list.open : list.separator) + items;
    isEmpty = false;
    return text;
  };
  return {
    isDone: () => whole === undefined && taken === page.length,
    turnTo(following) {
      whole = isSerializedItems(following) ? writeKept(following) : undefined;
      page = whole === undefined ? itemsOf(following) : [];
      taken = 0;
    },
    next() {
      if (whole !== undefined) {
        const text = behind(whole);
        whole = undefined;
        return text;
      }
      let text = '';
      while (taken < page.length && text.length < pieceLength) {
        text += behind(writeItem(page[taken], index));
        taken += 1;
        index += 1;
      }
      return text;
    },
    last: () => (isEmpty ? list.empty : list.close),
  };
};

/** Writes lists item by item; a piece holds no items of two pages, so that nothing waits for the next one. */
export const listStream =
  (list: ListWriter, writeItem: WriteItem, writeKept: WriteSerializedItems): WritePages =>
  (listing) => {
    const pages = pageReader(listing);
    const pieces = listPieces(list, writeItem, writeKept);
    const nextPage = async (): Promise<boolean> => {
      pieces.turnTo([]);
      const page = await pages.next();
      orEnd(pages, () => pieces.turnTo(page ?? []));
      return page !== undefined;
    };
    return {
      async next() {
        if (pieces.isDone() && !(await nextPage())) return { done: true, value: pieces.last() };
        return { done: false, value: orEnd(pages, pieces.next) };
      },
      end: pages.end,
    };
  };

/** Whoever fails to use a page lets go of the listing. As in `for await`, what that says matters no more. */
const orEnd = <Result>(pages: PageReader, act: () => Result): Result => {
  try {
    return act();
  } catch (error) {
    pages.end().catch(() => undefined);
    throw error;
  }
};

const collect = async (pages: PageReader): Promise<unknown[]> => {
  const items: unknown[] = [];
  const add = (page: Page<unknown>): void => {
    for (const item of itemsOf(page)) items.push(isSerialized(item) ? item.read() : item);
    if (items.length <= mostCollected) return;
    throw new Error(`A list of more than ${mostCollected} items cannot be written as a whole`);
  };
  while (true) {
    const page = await pages.next();
    if (page === undefined) return items;
    orEnd(pages, () => add(page));
  }
};

/** Writes lists as a whole, for formats and schemas that allow no other way. */
export const collectedList =
  (writeItems: (items: readonly unknown[]) => string): WritePages =>
  (listing) => {
    const pages = pageReader(listing);
    return {
      async next() {
        return { done: true, value: writeItems(await collect(pages)) };
      },
      end: pages.end,
    };
  };
