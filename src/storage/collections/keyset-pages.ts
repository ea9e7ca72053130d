/** Pages of a collection that callers turn by cursors: a page begins behind the last item of the page before, whatever was changed since. */

import type { Database, Runner } from '../database/database';
import { type Cursors, InvalidPage } from './cursors';
import type { EntryPosition } from './item-entries';
import type { ItemPagesOf } from './item-pages';
import { itemSearches } from './item-search';
import {
  type PageOptions,
  type QueryFields,
  readPageQuery,
  readWhere,
  type Where,
} from './page-query';

/** A page of a list. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  /** The cursor to give as `after` for the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The cursor to give as `before` for the page before; undefined on the first one. */
  readonly previous: string | undefined;
}

/** Makes the pages of one collection, and the counts of what they can ask for. */
export const keysetPages = <Item>(
  db: Database,
  fields: QueryFields,
  pages: ItemPagesOf<Item>,
  cursors: Cursors,
) => {
  const searches = itemSearches(db, fields.key);
  const isEmpty = (conditions: ReturnType<typeof readWhere>): boolean =>
    conditions.some(({ test }) => 'anyOf' in test && test.anyOf.length === 0);

  const sealed = (list: string, at: EntryPosition | undefined): string =>
    cursors.seal(list, at ? [at.id, at.key] : null);

  /** Reads the place that a page is behind or before; undefined for the start or the end of the list. */
  const readPlace = (list: string, { after, before }: PageOptions): EntryPosition | undefined => {
    if (after !== undefined && before !== undefined) {
      throw new InvalidPage('A page is after a cursor or before one, not both');
    }
    const cursor = after ?? before;
    if (cursor === undefined) return undefined;
    const place = cursors.open(list, cursor) as readonly [id: string, key: string] | null;
    return place === null ? undefined : { id: place[0], key: place[1] };
  };

  return {
    /** Reads a page; throws InvalidPage where there is none such. */
    async page(all: Runner['all'], options: PageOptions): Promise<CursorPage<Item>> {
      const { search, limit, list } = readPageQuery(fields, options);
      const start = readPlace(list, options);
      const isBackward = options.before !== undefined;
      const directed = { ...search, isDescending: search.isDescending !== isBackward };
      const found = isEmpty(search.conditions)
        ? []
        : await searches.find(all, directed, start, limit + 1);
      const shown = found.slice(0, limit);
      if (isBackward) shown.reverse();
      const ids = shown.map(({ id }) => id);
      // Where a caller comes from there are items, as far as this page knows. One that is empty leads to the first or last ones.
      const [hasMore, cameFrom] = [found.length > limit, start !== undefined];
      const [hasNext, hasPrevious] = isBackward ? [cameFrom, hasMore] : [hasMore, cameFrom];
      const items = await pages.findEach(all, ids);
      return {
        items: items.map((item) => item.read()),
        next: hasNext ? sealed(list, shown.at(-1)) : undefined,
        previous: hasPrevious ? sealed(list, shown[0]) : undefined,
      };
    },

    async count(all: Runner['all'], where: Where): Promise<number> {
      const conditions = readWhere(fields, where);
      return isEmpty(conditions) ? 0 : searches.count(all, conditions);
    },
  };
};
