/** Lists of items: filtered and sorted by query parameters, and cut into pages that lead to one another. */

import { compareExactly, isNumeric } from '../../base/exact-number';
import { memoize } from '../../base/memoize';
import type { PlainObject } from '../../base/plain-object';
import { plain } from '../../document/resources/item-paths';
import type { Resource } from '../../document/resources/resources';
import type { SchemaContext } from '../../engine';
import type { Operation } from '../../model/operation';
import { encodeParameters } from '../../requests/encode-parameters';
import { writeScalar } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import type { ValuesOf } from './items';
import {
  type Asking,
  askedOf,
  askingFields,
  type Cut,
  type Given,
  givenTo,
  offsetAt,
  queryFields,
  valuesAt,
  withGiven,
} from './paging';

/** The pages that a page leads to. */
export type PlaceName = 'self' | 'first' | 'previous' | 'next' | 'last';

/** A page of a list. */
export interface Page {
  readonly items: readonly PlainObject[];
  /** The property that names an item. */
  readonly identity: string;
  /** The number of items on all pages. */
  readonly total: number;
  readonly size: number;
  readonly offset: number;
  /** The page, and its beginning, as query parameters ask for them. */
  readonly number: number;
  readonly start: number;
  /** Leads to another page by the values of query parameters, the best first, and by a URL; undefined where there is none. */
  link(place: PlaceName): { readonly values: readonly unknown[]; readonly url: string } | undefined;
}

/** Makes the only page of some items. */
export const pageOf = (items: readonly PlainObject[]): Page => ({
  items,
  identity: '',
  total: items.length,
  size: items.length,
  offset: 0,
  number: 1,
  start: 0,
  link: () => undefined,
});

/** Compares members of items; those that are missing come last in either direction. */
const compare = (one: unknown, other: unknown, factor: number): number => {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  if (isNumeric(one) && isNumeric(other)) return factor * compareExactly(one, other);
  return factor * (Number(String(one) > String(other)) - Number(String(one) < String(other)));
};

/** Sorts by fields such as `name` and `-created`; those that items do not have are passed over. */
const sorted = (items: readonly PlainObject[], order: unknown = []): readonly PlainObject[] => {
  const fields = [order].flat().map((field) => {
    const [, sign, name = ''] = /^([+-]?)(.*)$/.exec(String(field).trim()) ?? [];
    return { name, factor: sign === '-' ? -1 : 1 };
  });
  return items.toSorted((one, other) => {
    const differences = fields.map(({ name, factor }) => compare(one[name], other[name], factor));
    return differences.find((difference) => difference !== 0) ?? 0;
  });
};

/** Finds the offsets of the pages that the one at an offset leads to. */
const placesOf = (total: number, size: number, offset: number) => {
  const last = Math.max(0, Math.ceil(total / Math.max(1, size)) - 1) * size;
  // A page without items leads nowhere, as following it has no end.
  return {
    self: offset,
    first: 0,
    last,
    next: size > 0 && offset + size < total ? offset + size : undefined,
    previous: size > 0 && offset > 0 ? Math.min(Math.max(0, offset - size), last) : undefined,
  };
};

/**
 * Compiles the selection of items of a shape by the query parameters that an operation declares.
 * @param most the number of items that a body may hold
 */
export const compileSelection = (
  operation: Operation,
  { properties }: Shape,
  { identity }: Pick<Resource, 'identity'>,
  most: number,
  valuesOf: ValuesOf,
  tools: SchemaContext,
): ((all: readonly PlainObject[], given: Given, url: string) => Page) => {
  const fields = queryFields(operation, valuesOf);
  const scalars = [...properties].filter(([, { type }]) => type !== 'object' && type !== 'array');
  const named = fields.flatMap((field) => {
    const name = field.name.replace(/^filter(?=.)/, '');
    const property = scalars.find(([scalar]) => plain(scalar) === name)?.[0];
    return property === undefined ? [] : [{ field, property }];
  });
  const namedFields = named.map(({ field }) => field);
  const { order, sizes, ways } = askingFields(fields, namedFields);
  const paging = [...sizes, ...ways].map(({ field }) => field);
  const filters = named.filter(({ field }) => !paging.includes(field));
  const firstOf = (role: Asking['role']) => ways.find((way) => way.role === role)?.first;

  const linkTo = (offset: number, cut: Cut, given: Given, url: string) => {
    const asked = askedOf(ways, given);
    const able = [asked?.asking ?? [], ways].flat().flatMap((way) => {
      const value = valuesAt(way, offset, cut).find(way.field.values.accepts);
      return value === undefined ? [] : [{ field: way.field, value }];
    });
    const [best] = able;
    // The first page is what is asked for without a way.
    if (best === undefined && offset > 0) return undefined;
    const anywhere = ways.reduce((rest, { field }) => withGiven(field, undefined, rest), given);
    const there = best === undefined ? anywhere : withGiven(best.field, best.value, anywhere);
    const { query } = encodeParameters(operation, there, tools);
    const values = able.map(({ value }) => value);
    return { values, url: query === '' ? url : `${url}?${query}` };
  };

  // The number of items on a page where pages have numbers, and their size is not asked for.
  const usualSize = 20;
  return (all, given, url) => {
    const matching = all.filter((item) =>
      filters.every(({ field, property }) => {
        const wanted = givenTo(field, given);
        const texts = [wanted].flat().map(writeScalar);
        return wanted === undefined || texts.includes(writeScalar(item[property]));
      }),
    );
    const list = sorted(matching, askedOf(order, given)?.value);
    const total = ways.length > 0 ? list.length : Math.min(list.length, most);
    const wanted = Math.floor(Number(askedOf(sizes, given)?.value));
    const usual = firstOf('page') === undefined ? total : usualSize;
    const size = Math.min(Number.isNaN(wanted) ? usual : Math.max(0, wanted), most);
    const cut = { identities: list.map((item) => item[identity]), size };
    const way = askedOf(ways, given);
    const offset = way ? Math.max(0, offsetAt(way.asking, way.value, cut) || 0) : 0;
    const places = placesOf(total, size, offset);
    return {
      items: list.slice(offset, offset + size),
      identity,
      total,
      size,
      offset,
      number: (firstOf('page') ?? 1) + Math.floor(offset / Math.max(1, size)),
      start: (firstOf('offset') ?? 0) + offset,
      link: memoize(
        (place: PlaceName) => {
          const at = places[place];
          return at === undefined ? undefined : linkTo(at, cut, given, url);
        },
        { max: 5 },
      ),
    };
  };
};
