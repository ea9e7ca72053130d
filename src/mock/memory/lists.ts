/** Lists of items: filtered and sorted by query parameters, and cut into pages that lead to one another. */

import { memoize } from '../../base/memoize';
import type { PlainObject } from '../../base/plain-object';
import { plain } from '../../document/resources/item-paths';
import type { SchemaContext } from '../../engine';
import type { Operation } from '../../model/operation';
import { encodeParameters } from '../../requests/encode-parameters';
import { writeScalar } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import type { ValuesOf } from './items';
import {
  askedOf,
  askingFields,
  type Given,
  givenTo,
  type PagingRole,
  type QueryField,
  queryFields,
  type Selection,
  withGiven,
} from './paging';

/** The pages that a page leads to. */
export type PlaceName = 'self' | 'first' | 'previous' | 'next' | 'last';

/** A page to ask for: the values of query parameters that do, by their roles, the best first, and the URL. */
export interface PageLink {
  readonly values: readonly { readonly role: PagingRole['role']; readonly value: unknown }[];
  readonly url: string;
}

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
  /** Leads to another page; undefined where there is none. */
  link(place: PlaceName): PageLink | undefined;
}

/** Makes the page of one item. */
export const pageOf = (item: PlainObject): Page => ({
  items: [item],
  identity: '',
  total: 1,
  size: 1,
  offset: 0,
  number: 1,
  start: 0,
  link: () => undefined,
});

/** The number of items on a page where pages have numbers, and their size is not asked for. */
const USUAL_SIZE = 20;

/** Finds the scalar properties that fields of the query are called after. */
const filtersIn = (fields: readonly QueryField[], { properties }: Shape) => {
  const scalars = [...properties].filter(([, { type }]) => type !== 'object' && type !== 'array');
  return fields.flatMap((field) => {
    const name = field.name.replace(/^filter(?=.)/, '');
    const property = scalars.find(([scalar]) => plain(scalar) === name)?.[0];
    return property === undefined ? [] : [{ field, property }];
  });
};

/** Tells whether an item has the values that are asked for. */
const matches = (item: PlainObject, filters: ReturnType<typeof filtersIn>, given: Given) =>
  filters.every(({ field, property }) => {
    const wanted = givenTo(field, given);
    const texts = [wanted].flat().map(writeScalar);
    return wanted === undefined || texts.includes(writeScalar(item[property]));
  });

/** Finds the offsets of the pages that the one at an offset leads to. */
const placesOf = (
  total: number,
  size: number,
  offset: number,
  behind: number,
): Readonly<Record<PlaceName, number | undefined>> => {
  const last = Math.max(0, Math.ceil(total / Math.max(1, size)) - 1) * size;
  // A page without items leads nowhere, as following it has no end.
  return {
    self: offset,
    first: 0,
    last,
    next: size > 0 && behind < total ? behind : undefined,
    previous: size > 0 && offset > 0 ? Math.min(Math.max(0, offset - size), last) : undefined,
  };
};

/** The items of a list. */
interface Listed {
  readonly shape: Shape;
  /** The property that names one. */
  readonly identity: string;
  /** The number of them that a body may hold. */
  readonly most: number;
}

/** Compiles the selection of items by the query parameters that an operation declares. */
export const compileSelection = (
  operation: Operation,
  { shape, identity, most }: Listed,
  valuesOf: ValuesOf,
  tools: SchemaContext,
): ((all: readonly PlainObject[], given: Given, url: string) => Page) => {
  const fields = queryFields(operation, valuesOf);
  const named = filtersIn(fields, shape);
  const { order, size, ways } = askingFields(
    fields,
    named.map(({ field }) => field),
  );
  const paging = new Set([...size, ...ways].map(({ field }) => field));
  const filters = named.filter(({ field }) => !paging.has(field));
  const firstOf = (role: PagingRole['role']) => ways.find((way) => way.role.role === role)?.first;

  const linkTo = (list: Selection, offset: number, given: Given, url: string) => {
    const able = [askedOf(ways, given) ?? [], ways].flat().flatMap(({ field, role, first }) => {
      const value = role.ask?.(list, offset, first).find(field.values.accepts);
      return value === undefined ? [] : [{ field, role: role.role, value }];
    });
    const [way] = able;
    // The first page is what is asked for without a way.
    if (way === undefined && offset > 0) return undefined;
    const anywhere = ways.reduce((rest, { field }) => withGiven(field, undefined, rest), given);
    const asked = way === undefined ? anywhere : withGiven(way.field, way.value, anywhere);
    const { query } = encodeParameters(operation, asked, tools);
    return { values: able, url: query === '' ? url : `${url}?${query}` };
  };

  return (all, given, url) => {
    const matching = all.filter((item) => matches(item, filters, given));
    const usual = firstOf('page') === undefined ? matching.length : USUAL_SIZE;
    const found = {
      items: ways.length > 0 ? matching : matching.slice(0, most),
      identity,
      most,
      size: Math.min(usual, most),
      offset: 0,
    };
    const list = [order, size, ways].reduce<Selection>((selection, asking) => {
      const asked = askedOf(asking, given);
      if (asked === undefined) return selection;
      return asked.role.apply(selection, givenTo(asked.field, given), asked.first);
    }, found);
    const total = list.items.length;
    const offset = Math.max(0, list.offset || 0);
    const items = list.items.slice(offset, list.end ?? offset + list.size);
    const places = placesOf(total, list.size, offset, offset + items.length);
    return {
      items,
      identity,
      total,
      size: list.size,
      offset,
      number: (firstOf('page') ?? 1) + Math.floor(offset / Math.max(1, list.size)),
      start: (firstOf('offset') ?? 0) + offset,
      link: memoize(
        (place: PlaceName) => {
          const at = places[place];
          return at === undefined ? undefined : linkTo({ ...list, offset }, at, given, url);
        },
        { max: 5 },
      ),
    };
  };
};
