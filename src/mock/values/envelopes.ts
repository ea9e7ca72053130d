/** Bodies and headers that hold the items of a page, and say what is true of it by the names of their members. */

import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { BodyForm } from '../../document/resources/body-forms';
import { plain } from '../../document/resources/item-paths';
import type { Parameter } from '../../model/operation';
import { exemplaryValues, planOf } from '../../schema/samples/sample-plan';
import { fitted, type ItemValues, type ValuesOf } from './items';
import { type Page, type PlaceName, pageOf } from './lists';

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
    names: /^(?:total)?pages?(?:count)?$|^numberofpages$/,
    tell: ({ total, size }) => Math.ceil(total / Math.max(1, size)),
  },
  {
    names: /^numberof(?:elements|items|results)$|^(?:items)?returned(?:count)?$|^currentcount$/,
    tell: ({ items }) => items.length,
  },
  {
    names:
      /^total(?:items?|elements|results?|records?|hits|rows|size|number|entries)?(?:count)?$|^(?:odata|records?|hits?|rows?|all)count$/,
    tell: ({ total }) => total,
  },
  {
    names: /^(?:has|is)?more(?:items|results|pages|data)?$|^hasnext|^(?:is)?truncated$/,
    tell: (page) => !isLast(page),
  },
  { names: /^hasprev/, tell: ({ offset }) => offset > 0 },
  { names: /^firstid$/, tell: ({ items, identity }) => items[0]?.[identity] },
  { names: /^lastid$/, tell: ({ items, identity }) => items.at(-1)?.[identity] },
  {
    names: /^(?:odata)?prev(?:ious)?(?:page|cursor|token|link|ur[il]|href|offset|start|number)*$/,
    leads: 'previous',
  },
  {
    names:
      /^(?:odata)?next(?:page|cursor|token|link|ur[il]|href|offset|start|skip|marker|id|key|number|records)*$|(?<!start)cursor$|^(?:continuation|page|skip)token$/,
    leads: 'next',
  },
];

/** Facts whose names mean something else beside what is about pages. */
const pageFacts: readonly Fact[] = [
  ...facts,
  {
    names: /^(?:(?:item|result)s?)?count$/,
    tell: ({ items, total }, hasTotal) => (hasTotal ? items.length : total),
  },
  {
    names: /^(?:limit|(?:items|results)?perpage|page(?:size|limit)|size|maxresults|take|top)$/,
    tell: ({ size }) => size,
  },
  { names: /^(?:current)?page(?:number|num|no|index)?$|^number$/, tell: ({ number }) => number },
  { names: /^(?:page)?(?:offset|skip|start(?:index|at)?|from)$/, tell: ({ start }) => start },
  { names: /^(?:is)?empty$/, tell: ({ items }) => items.length === 0 },
  {
    names: /^(?:is)?first(?:page)?(?:ur[il]|link|href)?$/,
    tell: ({ offset }) => offset === 0,
    leads: 'first',
  },
  { names: /^(?:is)?last(?:page)?(?:ur[il]|link|href)?$/, tell: isLast, leads: 'last' },
  { names: /^self(?:ur[il]|link|href)?$/, leads: 'self' },
  { names: /^(?:before(?:cursor|id)?|startcursor)$/, leads: 'previous' },
  { names: /^after(?:id)?$|marker$/, leads: 'next' },
];

/** @param isPaging true for members of what is about pages */
const factOf = (name: string, isPaging: boolean): Fact | undefined =>
  (isPaging ? pageFacts : facts).find(({ names }) => names.test(name));

const spelled = (value: unknown): unknown[] =>
  typeof value === 'number' ? [value, BigInt(value)] : [value];

/** Lists what a member may say, best first: of a page a URL where the name or the format is one's, else what asks for it. */
const sayingsOf = (fact: Fact, name: string, of: ItemValues, page: Page, hasTotal: boolean) => {
  const told = fact.tell === undefined ? [] : spelled(fact.tell(page, hasTotal));
  if (fact.leads === undefined) return told;
  const link = page.link(fact.leads);
  if (link === undefined) return [...told, null, false];
  const asking = link.values.flatMap((value) => [value, String(value)]);
  const isUrl = /ur[il]|link|href/.test(name) || /^[ui]ri|^url/.test(of.shape.format ?? '');
  return [...told, ...(isUrl ? [link.url, ...asking] : [...asking, link.url]), true];
};

/** The links to other pages, by their relations (RFC 8288). */
const linksOf = (page: Page): { readonly rel: string; readonly href: string }[] =>
  (['self', 'first', 'previous', 'next', 'last'] as const).flatMap((place) => {
    const href = page.link(place)?.url;
    return href === undefined ? [] : [{ rel: place.replace('ious', ''), href }];
  });

/** Finds the value of a header that counts items or pages, or leads to others; undefined leaves it out. */
export const filledHeader = (
  { name, required }: Pick<Parameter, 'name' | 'required'>,
  given: unknown,
  of: ItemValues,
  page: Page,
): unknown => {
  const bare = plain(name.replace(/^(?:x-)?(?:pagination-)?/i, ''));
  if (bare === 'link') {
    const links = linksOf(page).filter(({ rel }) => rel !== 'self');
    const texts = links.map(({ rel, href }) => `<${href}>; rel="${rel}"`);
    return [texts.join(', '), given].find(of.accepts);
  }
  const fact = factOf(bare, true);
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
 * @param above the object that it belongs to, which is an envelope or about pages where `isPaging`
 */
const memberValues = (
  name: string,
  value: unknown,
  of: ItemValues,
  page: Page,
  above: { readonly name: string; readonly isPaging: boolean; readonly hasTotal: boolean },
): readonly unknown[] => {
  if (Array.isArray(value)) {
    const [link] = value;
    if (name !== 'links' || !isPlainObject(link) || !('rel' in link)) return [value];
    return [linksOf(page).map((other) => ({ ...link, ...other })), [], value];
  }
  const full = /^(?:href|ur[il]|link)$/.test(name) ? above.name + name : name;
  const fact = factOf(full, above.isPaging);
  const isNowhere = fact?.leads !== undefined && page.link(fact.leads) === undefined;
  const isAbout = aboutPages.test(name) || fact?.leads !== undefined;
  const isObject = isPlainObject(value);
  const inner = isObject ? filledEnvelope(value, of, page, name, above.isPaging && isAbout) : value;
  // What has a fraction is no count.
  const isOther = typeof value === 'number' && !Number.isInteger(value);
  if (fact === undefined || isOther || (isObject && !isNowhere)) return [inner];
  const said = sayingsOf(fact, above.name + name, of, page, above.hasTotal);
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
  isPaging = true,
): PlainObject => {
  const names = [...new Set([...Object.keys(envelope), ...values.shape.properties.keys()])];
  const hasTotal = names.some((name) => /^total(?!pages)/.test(plain(name)));
  const members = names.flatMap((name): [string, unknown][] => {
    const of = values.property(name);
    const isWanted = aboutPages.test(plain(name)) && of?.shape.type === 'object';
    const value = envelope[name] ?? (isWanted ? of.sample() : undefined);
    if (of === undefined) return [[name, value]];
    const made = memberValues(plain(name), value, of, page, { name: above, isPaging, hasTotal });
    const fitting = made.find((one) =>
      one === undefined ? !values.required.has(name) : of.accepts(one),
    );
    return fitting === undefined ? [] : [[name, fitting]];
  });
  const given = Object.fromEntries(members);
  return values.accepts(given) ? given : envelope;
};

/** Members that hold lists, or the envelopes of lists. */
const listNames =
  /^(?:data|items?|results?|records?|value|content|entries|hits|rows|elements|nodes|edges|embedded)$/;

/**
 * Finds the list that a body is, or holds as an envelope; undefined where there is none.
 * @param isInside true within an envelope
 */
export const listIn = (body: unknown, isInside = false): readonly PlainObject[] | undefined => {
  if (Array.isArray(body)) return body.map(Object);
  if (!isPlainObject(body)) return undefined;
  const members = Object.entries(body).map(([name, value]) => ({ name: plain(name), value }));
  const lists = members.filter(({ name, value }) => Array.isArray(value) && name !== 'links');
  const isEnvelope = members.some(
    ({ name, value }) =>
      factOf(name, typeof value === 'boolean') || /^(?:pag(?:e|ing|inat)|embedded)/.test(name),
  );
  const named = [...lists, ...members].find(({ name }) => listNames.test(name));
  // What has an identity is an item, whatever lists it has.
  const isItem = members.some(({ name }) => name === 'id');
  const list = named ?? (!isItem && (isEnvelope || isInside) ? lists[0] : undefined);
  return list && listIn(list.value, isEnvelope);
};

/**
 * Says what is true of the lists that a sample holds: each is whole, so that no page is before or behind it. What an author has
 * written stays as it is.
 * @param number of the first page
 */
export const withWholeLists = (sample: unknown, values: ItemValues, number: number): unknown => {
  if (exemplaryValues(planOf([values.schema])).length > 0) return sample;
  if (Array.isArray(sample)) {
    const of = values.items();
    return of === undefined ? sample : sample.map((item) => withWholeLists(item, of, number));
  }
  if (!isPlainObject(sample)) return sample;
  const members = Object.entries(sample).map(([name, value]) => {
    const of = values.property(name);
    return [name, of === undefined ? value : withWholeLists(value, of, number)] as const;
  });
  const [whole, list] = [Object.fromEntries(members), listIn(sample)];
  return list === undefined ? whole : filledEnvelope(whole, values, { ...pageOf(list), number });
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
    case 'list':
      return page.items.flatMap((item) => fitted(valuesOf(form.schema), item, identity) ?? []);
    default: {
      const [envelope, inner] = [values.sample(), values.property(form.name)];
      const held = inner && bodyOf(inner, form.inner, page, identity, valuesOf);
      if (!isPlainObject(envelope) || held === undefined) return undefined;
      return { ...filledEnvelope(envelope, values, page), [form.name]: held };
    }
  }
};
