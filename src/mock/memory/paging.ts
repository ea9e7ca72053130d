/** The query parameters that order a list and cut it into pages, told by their names. */

import { compareExactly, isNumeric } from '../../base/exact-number';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { plain } from '../../document/resources/item-paths';
import type { Operation, Parameter } from '../../model/operation';
import { withBranches } from '../../schema/schema-parts';
import { SchemaView } from '../../schema/schema-view';
import type { ItemValues, ValuesOf } from './items';

/** A query parameter, or a member of one that is an object. */
export interface QueryField {
  readonly parameter: Parameter;
  /** Undefined for a parameter itself. */
  readonly member: string | undefined;
  /** In lower case and without separators: `pagenumber` for `page[number]`. */
  readonly name: string;
  readonly values: ItemValues;
  /** All branches of its schema. */
  readonly view: SchemaView;
}

/** Gives the value of a parameter. */
export type Given = (parameter: Parameter) => unknown;

/** Lists the fields of an operation's query. */
export const queryFields = (
  { parameters }: Operation,
  valuesOf: ValuesOf,
): readonly QueryField[] => {
  const fieldOf = (parameter: Parameter, values: ItemValues, member?: string): QueryField => {
    // The members of other objects are keys of the query themselves.
    const above = member === undefined || parameter.style === 'deepObject' ? parameter.name : '';
    const view = new SchemaView(withBranches([values.schema]));
    return { parameter, member, name: plain(above + (member ?? '')), values, view };
  };
  return parameters
    .filter((parameter) => parameter.in.startsWith('query'))
    .flatMap((parameter) => {
      const values = valuesOf(parameter.schema);
      const members = [...values.shape.properties.keys()].flatMap((name) => {
        const member = values.property(name);
        return member === undefined ? [] : [fieldOf(parameter, member, name)];
      });
      return members.length > 0 ? members : [fieldOf(parameter, values)];
    });
};

/** Returns the value that a field is given; undefined where there is none. */
export const givenTo = ({ parameter, member }: QueryField, given: Given): unknown => {
  const value = given(parameter);
  if (member === undefined) return value;
  return isPlainObject(value) ? value[member] : undefined;
};

/** A list on the way to its page, which ends `size` items behind its beginning, or before that. */
export interface Selection {
  readonly items: readonly PlainObject[];
  /** The property that names an item. */
  readonly identity: string;
  readonly size: number;
  /** The most items that a body may hold. */
  readonly most: number;
  readonly offset: number;
  readonly end?: number;
}

/** Compares members of items; those that are missing come last in either direction. */
const compare = (one: unknown, other: unknown, factor: number): number => {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  if (isNumeric(one) && isNumeric(other)) return factor * compareExactly(one, other);
  return factor * (Number(String(one) > String(other)) - Number(String(one) < String(other)));
};

/** Sorts by fields such as `name` and `-created`; those that items do not have are passed over. */
const sorted = (items: readonly PlainObject[], order: unknown): readonly PlainObject[] => {
  const fields = [order].flat().map((field) => {
    const [, sign, name = ''] = /^([+-]?)(.*)$/.exec(String(field).trim()) ?? [];
    return { name, factor: sign === '-' ? -1 : 1 };
  });
  return items.toSorted((one, other) => {
    const differences = fields.map(({ name, factor }) => compare(one[name], other[name], factor));
    return differences.find((difference) => difference !== 0) ?? 0;
  });
};

/** Names the place before all items. */
const beginning = '-';

/** Spells the cursor of the place at an offset: a text of ours, else the identity of the item before it. */
const cursorsAt = ({ items, identity }: Selection, offset: number): unknown[] => {
  const last = items[offset - 1]?.[identity];
  if (offset === 0) return [beginning];
  if (last === undefined) return [];
  return [Buffer.from(String(last)).toString('base64url'), last, String(last)];
};

/** Finds the place that a cursor names; what is gone is behind all. */
const placeOf = (list: Selection, cursor: unknown): number => {
  const places = [...list.items.keys()].map((index) => index + 1);
  const names = (place: number) => cursorsAt(list, place).map(String).includes(String(cursor));
  return cursor === beginning ? 0 : (places.find(names) ?? list.items.length);
};

/** The part that query parameters of some names have in the choice of a page. */
export interface PagingRole {
  readonly role: 'order' | 'size' | 'cursor' | 'before' | 'page' | 'offset';
  readonly names: RegExp;
  /** The first page or offset: of a page 1, of an offset 0, unless the document begins at the other. */
  readonly first?: number;
  /** Selects what a value asks for. */
  apply(list: Selection, value: unknown, first: number): Selection;
  /** Lists the values that ask for the page that begins at an offset, best first; `offset` of the list is where the page begins that leads to it. */
  ask?(list: Selection, offset: number, first: number): readonly unknown[];
}

const numbered = (number: number): unknown[] => [number, BigInt(number), String(number)];

/** The roles, the ways to a page behind, best first. */
const roles: readonly PagingRole[] = [
  {
    role: 'order',
    names: /^(?:sort|order|sortby|orderby)$/,
    apply: (list, order) => ({ ...list, items: sorted(list.items, order) }),
  },
  {
    role: 'size',
    names:
      /^(?:pag(?:e|ing|ination))?(?:limit|size|(?:\w+)?perpage|pagesize|max(?:results|items|records|keys|pagesize)?|count|top|take|first|rows|num|length)$/,
    apply: (list, size) => {
      const asked = Math.floor(Number(size));
      return Number.isNaN(asked)
        ? list
        : { ...list, size: Math.min(Math.max(0, asked), list.most) };
    },
  },
  {
    role: 'cursor',
    names:
      /^(?:pag(?:e|ing|ination))?(?:(?:next|page|nextpage|start|after)?cursor|after|(?:next|page|nextpage|continuation|skip|paging|pagination)token|start(?:ing)?after(?:id)?|afterid|sinceid|lastid|since|next|continuation|(?:next)?marker|(?:exclusive)?startkey|lastevaluatedkey|nextpage|bookmark|scrollid)$/,
    apply: (list, cursor) => ({ ...list, offset: placeOf(list, cursor) }),
    ask: cursorsAt,
  },
  {
    role: 'before',
    names: /^(?:pag(?:e|ing|ination))?(?:before(?:id|cursor)?|(?:end|ending)before)$/,
    apply: (list, cursor) => {
      const end = Math.max(0, placeOf(list, cursor) - 1);
      return { ...list, offset: Math.max(0, end - list.size), end };
    },
    // Of the pages in front only the nearest has its end at the beginning of this one.
    ask: (list, offset) =>
      offset < list.offset && list.offset <= offset + list.size
        ? cursorsAt(list, list.offset + 1)
        : [],
  },
  {
    role: 'page',
    names: /^(?:pag(?:ing|ination))?(?:page(?:number|num|no|nr|index|page)?|currentpage)$/,
    first: 1,
    apply: (list, page, first) => ({ ...list, offset: (Number(page) - first) * list.size }),
    ask: ({ size }, offset, first) => numbered(first + Math.floor(offset / Math.max(1, size))),
  },
  {
    role: 'offset',
    names:
      /^(?:pag(?:e|ing|ination))?(?:offset|skip|start|from|start(?:ing)?(?:index|at|offset|position)|firstresult)$/,
    first: 0,
    apply: (list, offset, first) => ({ ...list, offset: Number(offset) - first }),
    ask: (_, offset, first) => numbered(offset + first),
  },
];

/** Names that mean something else where their values are no numbers, or there is no size beside a way on. */
const vague = /^(?:count|first|start|from|top|take|num|length|rows|max|since)$/;

/** A field of the query and its role. */
export interface Asking {
  readonly field: QueryField;
  readonly role: PagingRole;
  /** The first page or offset: the default, or the least that is taken, says which. */
  readonly first: number;
  readonly isNumber: boolean;
}

/** Finds the role of a field by its name and its type: none or one. */
const roleOf = (field: QueryField): readonly Asking[] => {
  const { name, view } = field;
  const types = view.values('types').flat();
  const isNumber = types.includes('integer') || types.includes('number');
  const isOther =
    types.includes('boolean') || /date|time|ur[il]/.test(String(view.values('format')));
  const role = roles.find(({ names }) => names.test(name));
  if (role === undefined || isOther || (vague.test(name) && !isNumber)) return [];
  const { first: usual = 0 } = role;
  const first = Number(view.values('default')[0] ?? view.values('minimum')[0] ?? usual);
  return [{ field, role, first: first === 0 || first === 1 ? first : usual, isNumber }];
};

/**
 * Sorts the fields that have roles. Without a way on there is no size, as what is cut off could not be reached.
 * @param filters fields called after properties of the items: one of them is a size, or a way, where the document has no other
 */
export const askingFields = (
  fields: readonly QueryField[],
  filters: readonly QueryField[],
): Readonly<Record<'order' | 'size' | 'ways', readonly Asking[]>> => {
  const having = fields.flatMap(roleOf);
  const all = roles.flatMap((role) => having.filter((asking) => asking.role === role));
  const isOrder = ({ role: { role } }: Asking) => role === 'order';
  const isSize = ({ role: { role } }: Asking) => role === 'size';
  const leadsOn = ({ role: { role } }: Asking) => ['cursor', 'page', 'offset'].includes(role);
  const others = all.filter(({ field }) => !filters.includes(field));
  const isPair = all.some(isSize) && all.some(leadsOn);
  const own = all.filter((asking) => {
    const { field, role, isNumber } = asking;
    if (others.includes(asking)) return isPair || !vague.test(field.name);
    return isPair && isNumber && others.every((other) => other.role !== role);
  });
  const isPaged = own.some(leadsOn);
  return {
    order: own.filter(isOrder),
    size: own.filter((asking) => isPaged && isSize(asking)),
    ways: own.filter((asking) => isPaged && !isOrder(asking) && !isSize(asking)),
  };
};

/** Chooses the field that the caller gives a value, or else the document by a default. */
export const askedOf = (asking: readonly Asking[], given: Given): Asking | undefined => {
  const told = asking.filter(({ field }) => givenTo(field, given) !== undefined);
  const isOwn = ({ field }: Asking) =>
    String(givenTo(field, given)) !== String(field.values.shape.defaultValue);
  return told.find(isOwn) ?? told[0];
};

/** Gives a field another value. */
export const withGiven =
  ({ parameter, member }: QueryField, value: unknown, given: Given): Given =>
  (other) => {
    if (other !== parameter) return given(other);
    return member === undefined ? value : { ...Object(given(other)), [member]: value };
  };
