/** Composes the queries of index entries by which items are found: in the order of ids, of a sorted field, or of a condition. */

import type { Value } from '../sql/statement';
import { firstId, type IdRow, lastId } from './item-pages';

/** The values that fit: any of a list, or those of a range. The end of a range of ids fits, too; that of keys does not. */
export type ConditionTest = { readonly anyOf: readonly string[] } | Range;

type Range = { readonly from: string; readonly to: string };

/** A condition on the ids of items, on the values of a lookup, or on the keys of a sorted field. */
export interface Condition {
  readonly kind: 'id' | 'lookup' | 'sort';
  /** The key of the index; of the collection for ids. */
  readonly owner: number;
  readonly test: ConditionTest;
}

/** The conditions that items must fit, all of them, and their order. */
export interface ItemSearch {
  readonly conditions: readonly Condition[];
  /** The key of the index of the sorted field; undefined for the order of ids. */
  readonly sort: number | undefined;
  readonly isDescending: boolean;
}

/** A place in the order: of a sorted field by the key and then the id, else by the id alone. */
export interface EntryPosition extends IdRow {
  readonly key: string;
}

/** An entry of an index, and whether its item fits. */
export interface EntryRow extends EntryPosition {
  readonly fits: number;
}

/** SQL with a question mark for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

const places = {
  id: { table: 'items', owner: 'collection', column: 'id', end: '<=' },
  lookup: { table: 'item_index', owner: 'index_key', column: 'value', end: '<' },
  sort: { table: 'item_sort_keys', owner: 'index_key', column: 'key', end: '<' },
} as const;

/** In front of and behind all keys, those of items without a value included. */
const everyKey = { from: '', to: '\u007f' };
const everyId = { from: firstId, to: lastId };

const joinSql = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  values: parts.flatMap(({ values }) => values),
});

const testSql = (alias: string, { kind, test }: Condition): Sql => {
  const { column, end } = places[kind];
  if ('from' in test) {
    return {
      text: `${alias}.${column} >= ? and ${alias}.${column} ${end} ?`,
      values: [test.from, test.to],
    };
  }
  // Lists of 1, 2, 4, 8 … values, so that there are few statements.
  let size = 1;
  while (size < test.anyOf.length) size *= 2;
  const values = Array.from({ length: size }, (_, at) => test.anyOf[at] ?? test.anyOf[0] ?? '');
  const marks = values.map(() => '?').join(', ');
  return { text: `${alias}.${column} in (${marks})`, values };
};

/** Tests an entry `d` by the indexes of the conditions. */
const fitsSql = (conditions: readonly Condition[]): Sql => {
  if (conditions.length === 0) return { text: '1', values: [] };
  const tests = conditions.map((condition): Sql => {
    if (condition.kind === 'id') return testSql('d', condition);
    const { table, owner } = places[condition.kind];
    const test = testSql('m', condition);
    // Not `exists`, of which PostgreSQL may make a table of all entries first.
    const text = `(select 1 from ${table} as m where m.${owner} = ? and m.id = d.id and ${test.text} limit 1) = 1`;
    return { text, values: [condition.owner, ...test.values] };
  });
  const { text, values } = joinSql(tests, ' and ');
  return { text: `case when ${text} then 1 else 0 end`, values };
};

/** Entries of an index, the conditions that they still have to fit, and how their order is written. */
export interface Entries {
  readonly kind: Condition['kind'];
  readonly where: Sql;
  readonly key: Sql;
  readonly rest: readonly Condition[];
  /** Undefined for any order. */
  readonly order?: string;
}

/** Writes the query of the first entries, and whether their items fit. */
export const entriesSql = ({ kind, where, key, rest, order }: Entries, limit: number): Sql => {
  const fits = fitsSql(rest);
  const end = `${order === undefined ? '' : `order by ${order} `}limit cast(? as integer)`;
  return {
    text: `select cast(d.id as text) as id, ${key.text} as key, ${fits.text} as fits from ${places[kind].table} as d where ${where.text} ${end}`,
    values: [...key.values, ...fits.values, ...where.values, limit],
  };
};

export const hasRange = (condition: Condition): condition is Condition & { readonly test: Range } =>
  'from' in condition.test;

const noKey: Sql = { text: "''", values: [] };

const ownedBy = ({ kind, owner }: Pick<Condition, 'kind' | 'owner'>): Sql => ({
  text: `d.${places[kind].owner} = ?`,
  values: [owner],
});

/** Narrows the ids to those behind a position; undefined where there are none. */
const idsBehind = (
  { from, to }: Range,
  position: EntryPosition | undefined,
  isDescending: boolean,
): Range | undefined => {
  if (position === undefined) return { from, to };
  const next = BigInt(position.id) + (isDescending ? -1n : 1n);
  const isBehind = isDescending ? next < BigInt(from) : next > BigInt(to);
  if (isBehind) return undefined;
  return isDescending ? { from, to: String(next) } : { from: String(next), to };
};

/** Composes the entries in the order of ids: those of a value of a lookup where one is asked for, else all items. */
export const scanById = (
  collection: number,
  { conditions, isDescending }: ItemSearch,
  position: EntryPosition | undefined,
): Entries | undefined => {
  const range = conditions.filter(hasRange).find(({ kind }) => kind === 'id');
  const exact = conditions.find(
    ({ kind, test }) => kind === 'lookup' && 'anyOf' in test && test.anyOf.length === 1,
  );
  const ids = idsBehind(range?.test ?? everyId, position, isDescending);
  if (ids === undefined) return undefined;
  const byId: Sql = { text: 'd.id >= ? and d.id <= ?', values: [ids.from, ids.to] };
  const source = exact ?? { kind: 'id', owner: collection };
  const value: readonly Sql[] =
    exact && 'anyOf' in exact.test ? [{ text: 'd.value = ?', values: exact.test.anyOf }] : [];
  return {
    kind: source.kind,
    where: joinSql([ownedBy(source), ...value, byId], ' and '),
    key: noKey,
    rest: conditions.filter((condition) => condition !== range && condition !== exact),
    order: `d.id ${isDescending ? 'desc' : 'asc'}`,
  };
};

/** Composes the entries in the order of a sorted field, within the range of a condition on it. */
export const scanByKey = (
  index: number,
  { conditions, isDescending }: ItemSearch,
  position: EntryPosition | undefined,
): Entries => {
  const ofKeys = conditions.filter(({ owner, kind }) => kind === 'sort' && owner === index);
  const range = ofKeys.find(hasRange);
  const { from, to } = range?.test ?? everyKey;
  const start: Sql = { text: 'd.key >= ?', values: [from] };
  const end: Sql = { text: 'd.key < ?', values: [to] };
  const [near, far] = isDescending ? [end, start] : [start, end];
  const behind = `(d.key, d.id) ${isDescending ? '<' : '>'} (?, ?)`;
  const first = position ? { text: behind, values: [position.key, position.id] } : near;
  const owned = ownedBy({ kind: 'sort', owner: index });
  const direction = isDescending ? 'desc' : 'asc';
  return {
    kind: 'sort',
    // One bound at each side: SQLite looks up by one alone.
    where: joinSql([owned, first, far], ' and '),
    key: { text: 'd.key', values: [] },
    rest: conditions.filter((condition) => condition !== range),
    order: `d.key ${direction}, d.id ${direction}`,
  };
};

/** Composes the entries of a condition, in any order; `rest` are the other conditions. */
export const scanCondition = ({ conditions, sort }: ItemSearch, condition: Condition): Entries => ({
  kind: condition.kind,
  where: joinSql([ownedBy(condition), testSql('d', condition)], ' and '),
  key:
    sort === undefined
      ? noKey
      : {
          text: '(select k.key from item_sort_keys as k where k.index_key = ? and k.id = d.id)',
          values: [sort],
        },
  rest: conditions.filter((other) => other !== condition),
});
