/** A list that comes page by page, so that its length costs no memory. */

import type { Kept, KeptItems } from './kept';

/** The kept form of a type, or of a member of the union that it is. */
export type KeptAs<Value> = Kept<Value> | (Value extends unknown ? Kept<Value> : never);

/** Some items of a list, in order. */
export type ListingPage<Item> = readonly (Item | KeptAs<Item>)[] | KeptItems<Item>;

/**
 * Pages of a list, in order. The next one is asked for when the last has been sent; `return` is called as soon as no more are
 * wanted, even while a page is awaited.
 */
export type Listing<Item> = AsyncIterable<ListingPage<Item>>;

/** Whether a value comes page by page; no value of a schema does. */
export const isListing = (value: unknown): value is Listing<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
