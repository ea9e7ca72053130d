/** Takes the pages of a list one by one, and ends their source once, at once when no more are wanted. */

import type { Pages } from '../media-types/codec/pages';

/** The pages that are still to come. What its source gives has not been checked. */
export interface PageReader extends AsyncIterableIterator<unknown, undefined> {
  /** Ends the source, even while a page is awaited; does nothing where it has ended or failed. */
  return(): Promise<IteratorReturnResult<undefined>>;
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Begins to read at the first call of `next`. */
export const pageReader = (pages: Pages<unknown>): PageReader => {
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
