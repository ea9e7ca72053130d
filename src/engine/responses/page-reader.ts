/** Takes the pages of a listing one by one, and lets go of it at once when no more are wanted. */

import type { Page, Pages } from '../media-types/codec/pages';
import { isSerializedItems } from '../media-types/codec/serialized-json';

/** The pages that are still to come. */
export interface PageReader {
  /** The next page; undefined behind the last one. Rejects where the source fails, and is over then. */
  next(): Promise<Page<unknown> | undefined>;
  /** See TextStream. */
  end(): Promise<void>;
}

const isPage = (value: unknown): value is Page<unknown> =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || isSerializedItems(value));

/** Begins to read at the first call of `next`. */
export const pageReader = (listing: Pages<unknown>): PageReader => {
  let source: AsyncIterator<unknown> | undefined;
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await source?.return?.();
  };
  const ask = async (): Promise<IteratorResult<unknown>> => {
    try {
      source ??= listing[Symbol.asyncIterator]();
      return await source.next();
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  return {
    async next() {
      if (isOver) return undefined;
      const { done, value } = await ask();
      if (done) isOver = true;
      if (isOver) return undefined;
      if (isPage(value)) return value;
      end().catch(() => undefined);
      throw new Error('A page of a listing must be a list');
    },
    end,
  };
};
