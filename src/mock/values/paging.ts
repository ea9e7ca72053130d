/** The query parameters that order a list and cut it into pages, told by their names. */

import { isPlainObject } from '../../base/plain-object';
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
}

/** Gives the value of a parameter. */
export type Given = (parameter: Parameter) => unknown;

/** Lists the fields of an operation's query. */
export const queryFields = ({ parameters }: Operation, valuesOf: ValuesOf): readonly QueryField[] =>
  parameters
    .filter((parameter) => parameter.in.startsWith('query'))
    .flatMap((parameter): QueryField[] => {
      const values = valuesOf(parameter.schema);
      // The members of other objects are keys of the query themselves.
      const above = parameter.style === 'deepObject' ? parameter.name : '';
      const members = [...values.shape.properties.keys()].flatMap((member) => {
        const inner = values.property(member);
        return inner ? [{ parameter, member, name: plain(above + member), values: inner }] : [];
      });
      const whole = { parameter, member: undefined, name: plain(parameter.name), values };
      return members.length > 0 ? members : [whole];
    });

/** Returns the value that a field is given; undefined where there is none. */
export const givenTo = ({ parameter, member }: QueryField, given: Given): unknown => {
  const value = given(parameter);
  if (member === undefined) return value;
  return isPlainObject(value) ? value[member] : undefined;
};

/** Gives a field another value. */
export const withGiven =
  ({ parameter, member }: QueryField, value: unknown, given: Given): Given =>
  (other) => {
    if (other !== parameter) return given(other);
    return member === undefined ? value : { ...Object(given(other)), [member]: value };
  };

/** The parts that fields have in the choice of a page, by their names; the ways to a page behind, best first. */
const roles = {
  order: /^(?:sort|order|sortby|orderby)$/,
  size: /^(?:page|pagination)?(?:limit|size|(?:items|results)?perpage|pagesize|max(?:results|items|keys)|count|top|take|first|rows)$/,
  cursor:
    /^(?:page|pagination)?(?:(?:next|page|after)?cursor|after(?:id)?|(?:next|page|nextpage|continuation|skip)token|start(?:ing)?after|since(?:id)?|(?:next)?marker|continuation|exclusivestartkey)$/,
  page: /^(?:pagination)?(?:page(?:number|num|no|index)?|pagepage|currentpage)$/,
  offset: /^(?:page|pagination)?(?:offset|skip|from|start(?:index|at)?|firstresult)$/,
};

const roleNames = ['order', 'size', 'cursor', 'page', 'offset'] as const;

/** Names that mean something else where their values are no numbers, or there is no size beside a way on. */
const vague = /^(?:count|first|start|from|top|take|rows|since)$/;

/** A field of the query and its role. */
export interface Asking {
  readonly field: QueryField;
  readonly role: keyof typeof roles;
  /** The first page or offset: of a page 1, of an offset 0, unless the default, or the least that is taken, is the other. */
  readonly first: number;
  readonly isNumber: boolean;
}

/** Finds the role of a field by its name and its type: none or one. */
const askingOf = (field: QueryField): readonly Asking[] => {
  const view = new SchemaView(withBranches([field.values.schema]));
  const types = view.values('types').flat();
  const isNumber = types.includes('integer') || types.includes('number');
  const isOther =
    types.includes('boolean') || /date|time|ur[il]/.test(String(view.values('format')));
  const role = roleNames.find((one) => roles[one].test(field.name));
  if (role === undefined || isOther || (vague.test(field.name) && !isNumber)) return [];
  const usual = role === 'page' ? 1 : 0;
  const first = Number(view.values('default')[0] ?? view.values('minimum')[0] ?? usual);
  return [{ field, role, first: first === 0 || first === 1 ? first : usual, isNumber }];
};

/**
 * Sorts the fields that have roles. Without a way on there is no size, as what is cut off could not be reached.
 * @param filters fields called after properties of the items: one of them is a size, or a way, where the document has no other
 */
export const askingFields = (fields: readonly QueryField[], filters: readonly QueryField[]) => {
  const all = fields.flatMap(askingOf);
  const isWay = ({ role }: Asking) => role !== 'order' && role !== 'size';
  const isPair = all.some(isWay) && all.some(({ role }) => role === 'size');
  const others = all.filter(({ field }) => !filters.includes(field));
  const own = all.filter((asking) => {
    const { field, role, isNumber } = asking;
    if (others.includes(asking)) return isPair || !vague.test(field.name);
    return isPair && isNumber && others.every((other) => other.role !== role);
  });
  const ofRole = (role: Asking['role']) => own.filter((asking) => asking.role === role);
  const ways = [...ofRole('cursor'), ...ofRole('page'), ...ofRole('offset')];
  return { order: ofRole('order'), sizes: ways.length > 0 ? ofRole('size') : [], ways };
};

/** Chooses the field that the caller gives a value, or else the document by a default. */
export const askedOf = (asking: readonly Asking[], given: Given) => {
  const told = asking.flatMap((one) => {
    const value = givenTo(one.field, given);
    return value === undefined ? [] : [{ asking: one, value }];
  });
  const isOwn = ({ asking: { field }, value }: (typeof told)[number]) =>
    String(value) !== String(field.values.shape.defaultValue);
  return told.find(isOwn) ?? told[0];
};

/** A list that is cut into pages of a size. */
export interface Cut {
  /** The values that name the items. */
  readonly identities: readonly unknown[];
  readonly size: number;
}

/** Names the place before all items. */
const beginning = '-';

/** Spells the cursor of the place at an offset: a text of ours, else the identity of the item before it. */
const cursorsAt = ({ identities }: Cut, offset: number): unknown[] => {
  const last = identities[offset - 1];
  if (offset === 0) return [beginning];
  if (last === undefined) return [];
  return [Buffer.from(String(last)).toString('base64url'), last, String(last)];
};

/** Finds the offset that a value asks for; that of a cursor which is gone is behind all. */
export const offsetAt = ({ role, first }: Asking, value: unknown, cut: Cut): number => {
  const { identities, size } = cut;
  if (role !== 'cursor') return (Number(value) - first) * (role === 'page' ? size : 1);
  const places = [...identities.keys()].map((index) => index + 1);
  const isNamed = (place: number) => cursorsAt(cut, place).map(String).includes(String(value));
  return value === beginning ? 0 : (places.find(isNamed) ?? identities.length);
};

/** Lists the values that ask for the page at an offset, best first. */
export const valuesAt = ({ role, first }: Asking, offset: number, cut: Cut): unknown[] => {
  if (role === 'cursor') return cursorsAt(cut, offset);
  const number = first + (role === 'page' ? Math.floor(offset / Math.max(1, cut.size)) : offset);
  return [number, BigInt(number), String(number)];
};
