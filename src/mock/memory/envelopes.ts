/** Bodies and headers that hold the items of a page, and say what is true of it by the names of their members. */

import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { BodyForm } from '../../document/resources/body-forms';
import { plain } from '../../document/resources/item-paths';
import type { Parameter } from '../../model/operation';
import { fitted, type ItemValues, type ValuesOf } from './items';
import type { Page, PageLink, PlaceName } from './lists';

/** The meaning of members and headers of some names: a value, a page that they lead to, or as their schema has it one of these. */
interface Fact {
  /** In lower case and without separators. */
  readonly names: RegExp;
  /** @param hasTotal true where another member counts the items of all pages */
  tell?(page: Page, hasTotal: boolean): unknown;
  readonly leads?: PlaceName;
}

const isLast = (page: Page): boolean => page.link('next') === undefined;

/** The facts; the first that has a name counts. */
const facts: readonly Fact[] = [
  {
    names: /^(?:totalpages?|pages?count|pages|num(?:berof)?pages)$/,
    tell: ({ total, size }) => Math.ceil(total / Math.max(1, size)),
  },
  {
    names:
      /^(?:numberof(?:elements|items|results)|(?:items)?returned(?:count)?|current(?:item)?count)$/,
    tell: ({ items }) => items.length,
  },
  {
    names: /^(?:(?:item|result)s?)?count$/,
    tell: ({ items, total }, hasTotal) => (hasTotal ? items.length : total),
  },
  { names: /^total|(?<!dis|ac)count$/, tell: ({ total }) => total },
  {
    names: /^(?:limit|(?:items|results)?perpage|page(?:size|limit)|size|maxresults|take|top)$/,
    tell: ({ size }) => size,
  },
  {
    names: /^(?:current)?page(?:number|num|no|index)?$|^number$/,
    tell: ({ number }) => number,
  },
  { names: /^(?:page)?(?:offset|skip|start(?:index|at)?|from)$/, tell: ({ start }) => start },
  {
    names: /^(?:has|is)?more(?:items|results|pages|data|available)?$|^hasnext|^(?:is)?truncated$/,
    tell: (page) => !isLast(page),
  },
  { names: /^hasprev/, tell: ({ offset }) => offset > 0 },
  { names: /^(?:is)?empty$/, tell: ({ items }) => items.length === 0 },
  { names: /^firstid$/, tell: ({ items, identity }) => items[0]?.[identity] },
  { names: /^lastid$/, tell: ({ items, identity }) => items.at(-1)?.[identity] },
  {
    names: /^(?:is)?first(?:page)?(?:ur[il]|link|href)?$/,
    tell: ({ offset }) => offset === 0,
    leads: 'first',
  },
  { names: /^(?:is)?last(?:page)?(?:ur[il]|link|href)?$/, tell: isLast, leads: 'last' },
  { names: /^self(?:ur[il]|link|href)?$/, leads: 'self' },
  { names: /^(?:odata)?prev|^before|^startcursor$/, leads: 'previous' },
  {
    names: /^(?:odata)?next|cursor$|^after|^(?:continuation|page|skip|pagination)token$|marker$/,
    leads: 'next',
  },
];

const factOf = (name: string): Fact | undefined => facts.find(({ names }) => names.test(name));

/** The roles of the query parameters whose values members have, by their names. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/before|startcursor/, 'before'],
  [/cursor|token|after|marker/, 'cursor'],
  [/offset|skip|start/, 'offset'],
  [/page/, 'page'],
];

const spelled = (value: unknown): unknown[] =>
  typeof value === 'number' ? [value, BigInt(value)] : [value];

/** Lists the spellings of a link, best first: a URL where the name or the format is one's, else what asks for the page. */
const linkSpellings = ({ values, url }: PageLink, name: string, { shape }: ItemValues) => {
  const hint = hints.find(([pattern]) => pattern.test(name))?.[1];
  const sorted = values.toSorted(
    (one, other) => Number(other.role === hint) - Number(one.role === hint),
  );
  const asking = sorted.flatMap(({ value }) => [...spelled(value), String(value)]);
  const isUrl = /ur[il]|link|href/.test(name) || /^[ui]ri|^url/.test(shape.format ?? '');
  return isUrl ? [url, ...asking] : [...asking, url];
};

/** Lists what a member may say, best first; a member that leads nowhere is null or false. */
const sayingsOf = (fact: Fact, name: string, of: ItemValues, page: Page, hasTotal: boolean) => {
  const told = fact.tell === undefined ? [] : spelled(fact.tell(page, hasTotal));
  if (fact.leads === undefined) return told;
  const link = page.link(fact.leads);
  const spellings = link === undefined ? [null, false] : [...linkSpellings(link, name, of), true];
  return [...told, ...spellings];
};

/** The relations of a Link header (RFC 8288), by the pages that they lead to. */
const relations = [
  ['first', 'first'],
  ['previous', 'prev'],
  ['next', 'next'],
  ['last', 'last'],
] as const;

/**
 * Returns the value of a header of a list; undefined leaves it out.
 * @param given what a sample has
 */
export const filledHeader = (
  { name, required }: Pick<Parameter, 'name' | 'required'>,
  given: unknown,
  of: ItemValues,
  page: Page,
): unknown => {
  const bare = plain(name.replace(/^(?:x-)?(?:pagination-)?/i, ''));
  if (bare === 'link') {
    const links = relations.flatMap(([place, relation]) => {
      const link = page.link(place);
      return link === undefined ? [] : [`<${link.url}>; rel="${relation}"`];
    });
    return [links.join(', '), given].find(of.accepts);
  }
  const fact = factOf(bare);
  if (fact === undefined) return given;
  const isNowhere = fact.leads !== undefined && page.link(fact.leads) === undefined;
  if (isNowhere && !required) return undefined;
  const said = sayingsOf(fact, bare, of, page, false).map((one) => one ?? '');
  return [...said, ...said.map(String), given].find(of.accepts);
};

/** Objects that are about pages: where a sample has none, there are some nonetheless. */
const aboutPages = /^(?:links?|meta|pag(?:e|ing|ination)(?:info)?|cursors?)$/;

/**
 * Lists what a member of an envelope may be, best first; undefined leaves it out.
 * @param above the name of the object that it is a member of
 */
const memberValues = (
  name: string,
  value: unknown,
  of: ItemValues,
  page: Page,
  { above, hasTotal }: { readonly above: string; readonly hasTotal: boolean },
): readonly unknown[] => {
  const isAddress = /^(?:href|ur[il]|link)$/.test(name);
  const fact = factOf(isAddress ? above + name : name);
  const isNowhere = fact?.leads !== undefined && page.link(fact.leads) === undefined;
  const isObject = isPlainObject(value);
  const inner = isObject ? filledEnvelope(value, of, page, name) : value;
  if (fact === undefined || Array.isArray(value) || (isObject && !isNowhere)) return [inner];
  const said = sayingsOf(fact, above + name, of, page, hasTotal);
  // A caller who follows what must be there shall not begin again.
  if (fact.leads !== undefined) return [...said, undefined, '', 0, 0n, inner];
  const isAlike = said.some((one) => typeof one === typeof value);
  return isAlike ? [...said, undefined, inner] : [...said, inner];
};

/** Fills in the members of an envelope by their names, also in objects within it. */
const filledEnvelope = (
  envelope: PlainObject,
  values: ItemValues,
  page: Page,
  above = '',
): PlainObject => {
  const names = [...new Set([...Object.keys(envelope), ...values.shape.properties.keys()])];
  const hasTotal = names.some((name) => /^total(?!pages)/.test(plain(name)));
  const members = names.flatMap((name): [string, unknown][] => {
    const of = values.property(name);
    const isWanted = aboutPages.test(plain(name)) && of?.shape.type === 'object';
    const value = envelope[name] ?? (isWanted ? of.sample() : undefined);
    if (of === undefined) return [[name, value]];
    const made = memberValues(plain(name), value, of, page, { above, hasTotal }).find((one) =>
      one === undefined ? !values.required.has(name) : of.accepts(one),
    );
    return made === undefined ? [] : [[name, made]];
  });
  const given = Object.fromEntries(members);
  return values.accepts(given) ? given : envelope;
};

/** Returns the number of items that a body of the form may hold. */
export const mostItems = (values: ItemValues, form: BodyForm): number => {
  if (form.kind !== 'member') return values.maxItems;
  const inner = values.property(form.name);
  return inner === undefined ? Number.POSITIVE_INFINITY : mostItems(inner, form.inner);
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
      return page.items.flatMap((item) => fitted(of, item, identity) ?? []);
    }
    default: {
      const [envelope, inner] = [values.sample(), values.property(form.name)];
      const held = inner && bodyOf(inner, form.inner, page, identity, valuesOf);
      if (!isPlainObject(envelope) || held === undefined) return undefined;
      return { ...filledEnvelope(envelope, values, page), [form.name]: held };
    }
  }
};
