/** Reads what handlers ask of pages and counts: conditions by the names of fields, an order and a limit. */

import { isPlainObject } from '../../base/plain-object';
import { searchKey } from '../sql/dialect';
import { type CollectionIndex, isSorted, type SortedIndex } from './collection-indexes';
import { InvalidPage } from './cursors';
import type { Condition, ConditionTest, ItemSearch } from './item-entries';
import { firstId, lastId } from './item-pages';
import { keyBehind, longestSorted, prefixEnd, sortKey } from './sort-keys';

/** Conditions by fields: a value, a list of values, a range or a prefix. One that is undefined is none. */
export type Where = Readonly<Record<string, unknown>>;

/** A page as a handler asks for it; the limit is 50 by default, and 200 at most. */
export interface PageOptions {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
  /** `id` or a sorted field, behind a minus from the greatest to the least; by `id` by default. */
  readonly order?: string | undefined;
  readonly where?: Where | undefined;
}

/** The declarations that a query may name. */
export interface QueryFields {
  /** The service and the collection, for messages. */
  readonly name: string;
  readonly key: number;
  readonly hasId: boolean;
  readonly indexes: readonly CollectionIndex[];
}

/** More would make a statement too long. */
const mostValues = 256;

const refuseValue = (path: string): InvalidPage =>
  new InvalidPage(`The value for ${path} is none that it can have`);

const rangeOperators = ['gt', 'gte', 'lt', 'lte'] as const;

type Range = Readonly<Partial<Record<(typeof rangeOperators)[number], unknown>>>;

/** Gives the bounds of a range; throws where it has anything else. */
const readRange = (path: string, given: object): Range => {
  const other = Object.keys(given).find((name) => !rangeOperators.some((known) => known === name));
  if (other === undefined) return given;
  const known = rangeOperators.join(', ');
  throw new Error(`${path} has no condition "${other}" beside others; there are: ${known}`);
};

const readList = (path: string, value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return [value];
  if (value.length <= mostValues) return value;
  throw new InvalidPage(`${path} is compared with ${mostValues} values at most`);
};

const idTest = (value: unknown): ConditionTest => {
  const readId = (id: unknown): bigint => {
    if (typeof id === 'bigint') return id;
    if (typeof id === 'number' && Number.isSafeInteger(id)) return BigInt(id);
    throw refuseValue('id');
  };
  const isInt64 = (id: bigint): boolean => BigInt.asIntN(64, id) === id;
  if (!isPlainObject(value)) {
    const ids = readList('id', value).map(readId);
    return { anyOf: ids.filter(isInt64).map(String) };
  }
  const { gt, gte, lt, lte } = readRange('id', value);
  const least = [BigInt(firstId)];
  if (gte !== undefined) least.push(readId(gte));
  if (gt !== undefined) least.push(readId(gt) + 1n);
  const greatest = [BigInt(lastId)];
  if (lte !== undefined) greatest.push(readId(lte));
  if (lt !== undefined) greatest.push(readId(lt) - 1n);
  const from = least.reduce((id, other) => (id > other ? id : other));
  const to = greatest.reduce((id, other) => (id < other ? id : other));
  return from > to ? { anyOf: [] } : { from: String(from), to: String(to) };
};

/** Makes the range of keys between bounds, which have the type of the values that fit. */
const rangeTest = (path: string, value: object, { kind }: SortedIndex): ConditionTest => {
  const { gt, gte, lt, lte } = readRange(path, value);
  const makeKey = (bound: unknown): string => {
    const key = sortKey(bound, kind);
    // Texts that are longer are sorted by their beginning.
    if (key === undefined || String(bound).length > longestSorted) throw refuseValue(path);
    return key;
  };
  const least: string[] = [];
  if (gte !== undefined) least.push(makeKey(gte));
  if (gt !== undefined) least.push(keyBehind(makeKey(gt)));
  const behind: string[] = [];
  if (lt !== undefined) behind.push(makeKey(lt));
  if (lte !== undefined) behind.push(keyBehind(makeKey(lte)));
  const [type = ''] = least[0] ?? behind[0] ?? '';
  // By their bytes; keys of one type begin with the same character.
  const compare = (left: string, right: string): number =>
    Buffer.compare(Buffer.from(left), Buffer.from(right));
  return {
    from: least.sort(compare).at(-1) ?? type,
    to: behind.sort(compare)[0] ?? prefixEnd(type),
  };
};

const sortTest = (path: string, value: unknown, index: SortedIndex): ConditionTest => {
  if (isPlainObject(value)) {
    const { prefix, ...others } = value;
    if (!('prefix' in value) || Object.keys(others).length > 0)
      return rangeTest(path, value, index);
    const from = index.kind === 'sort' && typeof prefix === 'string' && sortKey(prefix, 'sort');
    if (!from || String(prefix).length > longestSorted) throw refuseValue(path);
    return { from, to: prefixEnd(from) };
  }
  const keys = readList(path, value).map((wanted) => {
    const key = sortKey(wanted, index.kind);
    if (key === undefined) throw refuseValue(path);
    return key;
  });
  const [only, ...more] = keys;
  return only === undefined || more.length > 0
    ? { anyOf: [...new Set(keys)] }
    : { from: only, to: keyBehind(only) };
};

const readCondition = (fields: QueryFields, path: string, value: unknown): Condition => {
  const { name, key, hasId, indexes } = fields;
  if (path === 'id' && hasId) return { kind: 'id', owner: key, test: idTest(value) };
  const index =
    indexes.find((known): known is SortedIndex => known.path === path && isSorted(known)) ??
    indexes.find(({ path: at, kind }) => at === path && kind === 'lookup');
  if (index === undefined) throw new Error(`${name} declares no sort and no lookup of ${path}`);
  const owner = index.key;
  if (isSorted(index)) return { kind: 'sort', owner, test: sortTest(path, value, index) };
  const values = readList(path, value);
  const scalars = ['string', 'number', 'bigint', 'boolean'];
  if (values.some((wanted) => !scalars.includes(typeof wanted))) {
    throw new Error(`${path} is compared with values alone: it is no field of "sorts"`);
  }
  const anyOf = [...new Set(values.map((wanted) => searchKey(String(wanted))))];
  return { kind: 'lookup', owner, test: { anyOf } };
};

/** Leaves out what is undefined; gives undefined where nothing is left. */
const withoutUndefined = (value: unknown): unknown => {
  if (!isPlainObject(value)) return value;
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
};

/** Reads conditions, in the order of their fields. */
export const readWhere = (fields: QueryFields, where: Where = {}): readonly Condition[] =>
  Object.keys(where)
    .sort()
    .flatMap((path) => {
      const value = withoutUndefined(where[path]);
      return value === undefined ? [] : [readCondition(fields, path, value)];
    });

/**
 * Reads what is asked of a page, and the list that its cursors are of: the same text for the same collection, order and conditions.
 * Throws InvalidPage where a caller may have given it so, and else Error.
 */
export const readPageQuery = (
  fields: QueryFields,
  { limit = 50, order = 'id', where }: PageOptions,
) => {
  const mostItems = 200;
  if (!Number.isInteger(limit) || limit < 1 || limit > mostItems) {
    throw new InvalidPage(`The limit of a page must be from 1 to ${mostItems}`);
  }
  const isDescending = order.startsWith('-');
  const path = isDescending ? order.slice(1) : order;
  const index = fields.indexes.find((known) => known.path === path && isSorted(known));
  if (index === undefined && path !== 'id') {
    throw new Error(`${fields.name} declares no sort of ${path}`);
  }
  const conditions = readWhere(fields, where);
  const tests = conditions.map(({ kind, owner, test }) => [kind, owner, test]);
  const search: ItemSearch = { conditions, sort: index?.key, isDescending };
  return {
    search,
    limit,
    list: JSON.stringify([fields.name, isDescending, path, index?.kind, tests]),
  };
};
