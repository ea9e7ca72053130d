/** How values are made, and arbitrary lists. */

import fc from 'fast-check';
import type { SchemaContext } from '../../../engine';
import type { Facets } from './facets';
import type { Alphabet } from './texts';

/** In place of a value: the property is left out. */
export const absent: unique symbol = Symbol('absent');

/** A place in a value, and what stands there instead of what its schema says. */
export interface Replacement {
  /** Names of properties; `*` for the items of a list. */
  readonly path: readonly string[];
  readonly value: fc.Arbitrary<unknown>;
}

/** How values are made. */
export interface ValueOptions {
  readonly tools: SchemaContext;
  readonly alphabet: Alphabet;
  /** Whether optional properties are there: always, sometimes (true) or never (false). */
  readonly optional: boolean | 'always';
  /** Levels that may follow; below, only what is required is made. */
  readonly depth: number;
  readonly replacement?: Replacement | undefined;
}

const MOST_ITEMS = 4;
/** Longer lists are not made, whatever a schema requires. */
const LONGEST_LIST = 500;

/** Lists of the facets with items of an arbitrary; undefined where they would be too long. */
export const listArbitrary = (
  facets: Facets,
  item: fc.Arbitrary<unknown>,
  { optional }: ValueOptions,
): fc.Arbitrary<unknown[]> | undefined => {
  const { minItems, maxItems, uniqueItems } = facets;
  const usual = optional ? minItems + MOST_ITEMS : Math.max(1, minItems);
  const most = Math.min(optional ? (maxItems ?? usual) : usual, maxItems ?? usual, LONGEST_LIST);
  if (minItems > most) return undefined;
  const make = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> =>
    uniqueItems
      ? fc.uniqueArray(item, { minLength, maxLength, comparator: sameText })
      : fc.array(item, { minLength, maxLength, size: 'max' });
  const near = make(minItems, Math.min(most, minItems + MOST_ITEMS));
  return most > MOST_ITEMS && !uniqueItems ? fc.oneof(near, make(most, most)) : near;
};

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}n` : one)) ?? '';

const sameText = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);
