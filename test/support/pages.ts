/** Listings that tell what became of them. */

/** The calls of a listing so far. */
export interface Watched<Item> extends AsyncIterable<readonly Item[]> {
  /** Pages that were asked for. */
  asked: number;
  /** The number of calls of `return`. */
  returned: number;
}

/** A listing whose pages are made when they are asked for; undefined is the end. */
export const watchedPages = <Item>(
  pageAt: (index: number) => readonly Item[] | undefined | Promise<readonly Item[] | undefined>,
): Watched<Item> => {
  const watched: Watched<Item> = {
    asked: 0,
    returned: 0,
    [Symbol.asyncIterator]: () => ({
      async next() {
        watched.asked += 1;
        const page = await pageAt(watched.asked - 1);
        return page === undefined ? { done: true, value: page } : { done: false, value: page };
      },
      async return() {
        watched.returned += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return watched;
};

/** A listing of these pages. */
export const listOf = <Item>(...pages: readonly (readonly Item[])[]): Watched<Item> =>
  watchedPages((index) => pages[index]);
