/** A list that comes page by page, so that its length costs no memory. */

import type { SerializedItems, SerializedJson } from './serialized-json';

/** The serialized form of a type, or of a member of the union that it is. */
export type SerializedAs<Value> =
  | SerializedJson<Value>
  | (Value extends unknown ? SerializedJson<Value> : never);

/** Some items of a list, in order. */
export type Page<Item> = readonly (Item | SerializedAs<Item>)[] | SerializedItems<Item>;

/**
 * Pages of a list, in order. The next one is asked for when the last has been sent; `return` is called as soon as no more are
 * wanted, even while a page is awaited.
 */
export type Pages<Item> = AsyncIterable<Page<Item>>;

/** Whether a value comes page by page; no value of a schema does. */
export const isPages = (value: unknown): value is Pages<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
