/** Lists of items: filtered and sorted by query parameters, cut into pages, and put into the envelopes that documents declare. */

import { compareExactly, isNumeric } from '../../base/exact-number';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { BodyForm } from '../../document/resources/body-forms';
import { plain } from '../../document/resources/item-paths';
import type { Operation } from '../../model/operation';
import { writeScalar } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import { fitted, type ItemValues, type ValuesOf } from './items';

/** A page of a list. */
export interface Page {
  readonly items: readonly PlainObject[];
  /** The number of items on all pages. */
  readonly total: number;
  readonly size: number;
  readonly offset: number;
  /** As `page` asks for it. */
  readonly number: number;
  /** The links to the pages beside it; undefined where there is none. */
  readonly next: PageLink | undefined;
  readonly previous: PageLink | undefined;
}

/** The value of the query parameter that asks for a page: of its number or offset, or a cursor; and the URL that does. */
interface PageLink {
  readonly value: number | string;
  readonly url: string;
}

/** Makes the page of one item. */
export const pageOf = (item: PlainObject): Page => ({
  items: [item],
  total: 1,
  size: 1,
  offset: 0,
  number: 1,
  next: undefined,
  previous: undefined,
});

type Query = Readonly<Record<string, unknown>>;

/** The number of items on a page where a page is asked for, and its size is not. */
const USUAL_SIZE = 20;

/** Compares members of items; those that are missing come last in either direction. */
const compare = (one: unknown, other: unknown, factor: number): number => {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  if (isNumeric(one) && isNumeric(other)) return factor * compareExactly(one, other);
  return factor * (Number(String(one) > String(other)) - Number(String(one) < String(other)));
};

/** Sorts by fields such as `name` and `-created`; those that items do not have are passed over. */
const sorted = (
  items: readonly PlainObject[],
  order: unknown,
  properties: Shape['properties'],
): readonly PlainObject[] => {
  const fields = [order].flat().flatMap((field) => {
    const [, sign, name = ''] = /^([+-]?)(.+)$/.exec(String(field).trim()) ?? [];
    return properties.has(name) ? [{ name, factor: sign === '-' ? -1 : 1 }] : [];
  });
  return items.toSorted((one, other) => {
    const differences = fields.map(({ name, factor }) => compare(one[name], other[name], factor));
    return differences.find((difference) => difference !== 0) ?? 0;
  });
};

const encodeCursor = (identity: unknown): string =>
  Buffer.from(String(identity)).toString('base64url');

/** The beginning of a page. */
interface Place extends Pick<Page, 'offset' | 'number'> {
  /** Names the last item before it. */
  readonly cursor?: string;
}

/** A way to ask for a page: by a query parameter with one of the names, in lower case and without separators. */
interface Way {
  readonly names: readonly string[];
  /** Finds the offset of the page that a value asks for; the first page has the number 0 or 1. */
  find(
    value: unknown,
    list: { items: readonly PlainObject[]; identity: string; size: number; first: number },
  ): number;
  /** Returns the value that asks for a page; undefined where none does. */
  ask(place: Place): number | string | undefined;
}

/** The ways, best first. */
const ways: readonly Way[] = [
  {
    names: ['cursor', 'after', 'startingafter', 'pagetoken'],
    find: (cursor, { items, identity }) => {
      const index = items.findIndex((item) =>
        [String(item[identity]), encodeCursor(item[identity])].includes(String(cursor)),
      );
      // What is gone is behind all.
      return index < 0 ? items.length : index + 1;
    },
    ask: ({ cursor }) => cursor,
  },
  {
    names: ['page'],
    find: (page, { size, first }) => (Number(page) - first) * size,
    ask: ({ number }) => number,
  },
  { names: ['offset', 'skip'], find: Number, ask: ({ offset }) => offset },
];
const sizes = ['limit', 'perpage', 'pagesize', 'size', 'maxresults', 'top'];
const orders = ['sort', 'sortby', 'orderby'];

/** Compiles the selection of items by the query parameters that an operation declares. */
export const compileSelection = (
  { parameters }: Operation,
  { properties }: Shape,
  identity: string,
): ((all: readonly PlainObject[], query: Query, url: string) => Page) => {
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const fields = [...properties].flatMap(([name, { type }]) =>
    type === 'object' || type === 'array' ? [] : [name],
  );
  const filters = queried.flatMap(({ name }) => {
    const field = fields.find((field) => plain(field) === plain(name));
    return field === undefined ? [] : [{ name, field }];
  });
  const others = queried.filter(({ name }) => filters.every((filter) => filter.name !== name));
  const called = (names: readonly string[]) =>
    others.filter(({ name }) => names.includes(plain(name)));
  const paging = ways.flatMap((way) => called(way.names).map(({ name }) => ({ ...way, name })));
  const first = Number(called(['page'])[0]?.schema.minimum ?? 1) === 0 ? 0 : 1;
  const asked = (query: Query, names: readonly string[]): unknown =>
    called(names)
      .map(({ name }) => query[name])
      .find((value) => value !== undefined);
  const matches = (item: PlainObject, query: Query): boolean =>
    filters.every(({ name, field }) => {
      const wanted = query[name];
      return (
        wanted === undefined || [wanted].flat().map(writeScalar).includes(writeScalar(item[field]))
      );
    });
  /** Names a page by the parameter that the caller pages by, else by the first one that can. */
  const linkTo = (place: Place, query: Query, url: string): PageLink | undefined => {
    const able = paging.filter(({ ask }) => ask(place) !== undefined);
    const way = able.find(({ name }) => query[name] !== undefined) ?? able[0];
    const value = way?.ask(place);
    if (way === undefined || value === undefined) return undefined;
    const asking = Object.entries({ ...query, [way.name]: value }).flatMap(([name, given]) =>
      [given].flat().map((item): [string, string] => [name, String(item)]),
    );
    return { value, url: `${url}?${new URLSearchParams(asking)}` };
  };
  return (all, query, url) => {
    const found = all.filter((item) => matches(item, query));
    const items = sorted(found, asked(query, orders) ?? [], properties);
    const usual = asked(query, ['page']) === undefined ? items.length : USUAL_SIZE;
    const given = Number(asked(query, sizes) ?? usual);
    const size = Math.max(0, Number.isNaN(given) ? items.length : given);
    const way = paging.find(({ name }) => query[name] !== undefined);
    const begin = way?.find(query[way.name], { items, identity, size, first });
    const offset = Math.max(0, begin || 0);
    const page = items.slice(offset, offset + size);
    const placeAt = (at: number): Place => {
      return { offset: at, number: first + Math.floor(at / Math.max(1, size)) };
    };
    const behind = { ...placeAt(offset + size), cursor: encodeCursor(page.at(-1)?.[identity]) };
    const isLast = offset + page.length >= items.length;
    const next = isLast ? undefined : linkTo(behind, query, url);
    const before = placeAt(Math.max(0, offset - size));
    const previous = offset === 0 ? undefined : linkTo(before, query, url);
    return { items: page, total: items.length, size, ...placeAt(offset), next, previous };
  };
};

/** The values of envelopes and headers by their names, in lower case and without separators; undefined leaves one out. */
const envelopeFields: readonly (readonly [
  RegExp,
  (page: Page) => number | boolean | PageLink | undefined,
])[] = [
  [/^(?:totalpages|pagecount|pages)$/, ({ total, size }) => Math.ceil(total / Math.max(1, size))],
  [/^(?:total.*|count|.*count)$/, ({ total }) => total],
  [/^(?:limit|perpage|pagesize|size)$/, ({ size }) => size],
  [/^(?:page|currentpage|pagenumber)$/, ({ number }) => number],
  [/^(?:offset|skip)$/, ({ offset }) => offset],
  [/^(?:hasmore|hasnext.*)$/, ({ offset, items, total }) => offset + items.length < total],
  [/^(?:prev.*|before)$/, ({ previous }) => previous],
  [/^(?:.*cursor|next.*|after)$/, ({ next }) => next],
];

/** Lists the spellings of a value for a member, best first: of a page a URL where its name or its format is one's, else what asks for it. */
const spellingsOf = (
  name: string,
  made: ReturnType<(typeof envelopeFields)[number][1]>,
  of: ItemValues,
) => {
  if (typeof made !== 'object')
    return typeof made === 'number' ? [made, BigInt(made)] : [made ?? null];
  const { value, url } = made;
  const numbers = typeof value === 'number' ? [value, BigInt(value)] : [];
  const isUrl = /ur[il]|link|href/.test(name) || /^[ui]ri|^url/.test(of.shape.format ?? '');
  return isUrl ? [url] : [...numbers, String(value), url];
};

/** Returns the value of a member of an envelope, or of a header, by its name; undefined where it is left out. */
export const filledMember = (name: string, value: unknown, of: ItemValues, page: Page): unknown => {
  if (isPlainObject(value)) return filledEnvelope(value, of, page);
  const field = envelopeFields.find(([pattern]) => pattern.test(plain(name)));
  if (field === undefined || Array.isArray(value)) return value;
  return spellingsOf(plain(name), field[1](page), of).find(of.accepts);
};

/** Fills in the members of an envelope by their names, also in objects within it. */
const filledEnvelope = (envelope: PlainObject, values: ItemValues, page: Page): PlainObject => {
  const members = Object.entries(envelope).map(([name, value]): [string, unknown] => {
    const of = values.property(name);
    const made = of === undefined ? value : filledMember(name, value, of, page);
    // A caller who follows what must be there shall not begin again.
    const isNeeded = made === undefined && values.required.has(name);
    return [name, isNeeded ? ['', 0, 0n, value].find((candidate) => of?.accepts(candidate)) : made];
  });
  const given = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  return values.accepts(given) ? given : envelope;
};

/**
 * Makes a body of the form that holds the item, or the items of a page; undefined where none can be made.
 * @param valuesOf of responses
 */
export const bodyOf = (
  values: ItemValues,
  form: BodyForm,
  page: Page,
  identity: string,
  valuesOf: ValuesOf,
): unknown => {
  switch (form.kind) {
    case 'item': {
      const [item] = page.items;
      return item && fitted(values, item, identity);
    }
    case 'list': {
      const of = valuesOf(form.schema);
      return page.items
        .slice(0, values.maxItems)
        .flatMap((item) => fitted(of, item, identity) ?? []);
    }
    default: {
      const [envelope, inner] = [values.sample(), values.property(form.name)];
      const held = inner && bodyOf(inner, form.inner, page, identity, valuesOf);
      if (!isPlainObject(envelope) || held === undefined) return undefined;
      return { ...filledEnvelope(envelope, values, page), [form.name]: held };
    }
  }
};
