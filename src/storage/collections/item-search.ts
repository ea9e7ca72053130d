/**
 * Finds the ids of the items that fit conditions, in the order of ids or of a sorted field. A statement looks at a bounded number of index
 * entries, so that neither a statement's time nor memory grows with the items, whatever the conditions.
 */

import { setImmediate } from 'node:timers/promises';
import type { Database, Runner } from '../database/database';
import { param, type Statement, type Value, type Values } from '../sql/statement';
import { firstId, type IdRow, lastId } from './item-pages';

/** The values that fit: any of a list, or those of a range. The end of a range of ids fits, too; that of keys does not. */
export type ConditionTest =
  | { readonly anyOf: readonly string[] }
  | { readonly from: string; readonly to: string };

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

interface EntryRow extends EntryPosition {
  readonly fits: number;
}

interface TallyRow {
  readonly seen: number;
  readonly fitting: number;
  readonly last: string | null;
}

/** SQL with a question mark for each value. */
interface Sql {
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
    const text = `${alias}.${column} >= ? and ${alias}.${column} ${end} ?`;
    return { text, values: [test.from, test.to] };
  }
  // Lists of 1, 2, 4, 8 … values, so that there are few statements.
  let size = 1;
  while (size < test.anyOf.length) size *= 2;
  const values = Array.from({ length: size }, (_, at) => test.anyOf[at] ?? test.anyOf[0] ?? '');
  const marks = values.map(() => '?').join(', ');
  return { text: `${alias}.${column} in (${marks})`, values };
};

/** Tests an entry `d` by the index of the condition. */
const fitSql = (condition: Condition): Sql => {
  if (condition.kind === 'id') return testSql('d', condition);
  const { table, owner } = places[condition.kind];
  const test = testSql('m', condition);
  // Not `exists`, of which PostgreSQL may make a table of all entries first.
  const text = `(select 1 from ${table} as m where m.${owner} = ? and m.id = d.id and ${test.text} limit 1) = 1`;
  return { text, values: [condition.owner, ...test.values] };
};

const fitsSql = (conditions: readonly Condition[]): Sql => {
  if (conditions.length === 0) return { text: '1', values: [] };
  const { text, values } = joinSql(conditions.map(fitSql), ' and ');
  return { text: `case when ${text} then 1 else 0 end`, values };
};

/** Entries of an index, the conditions that they still have to fit, and how their order is written. */
interface Entries {
  readonly kind: Condition['kind'];
  readonly where: Sql;
  readonly key: Sql;
  readonly rest: readonly Condition[];
  /** Undefined for any order. */
  readonly order?: string;
}

const entriesSql = ({ kind, where, key, rest, order }: Entries, limit: number): Sql => {
  const fits = fitsSql(rest);
  const end = `${order === undefined ? '' : `order by ${order} `}limit cast(? as integer)`;
  return {
    text: `select cast(d.id as text) as id, ${key.text} as key, ${fits.text} as fits from ${places[kind].table} as d where ${where.text} ${end}`,
    values: [...key.values, ...fits.values, ...where.values, limit],
  };
};

const noKey: Sql = { text: "''", values: [] };

const ownedBy = ({ kind, owner }: Pick<Condition, 'kind' | 'owner'>): Sql => ({
  text: `d.${places[kind].owner} = ?`,
  values: [owner],
});

/** Narrows the ids to those behind a position; undefined where there are none. */
const idsBehind = (
  { from, to }: typeof everyId,
  position: EntryPosition | undefined,
  isDescending: boolean,
): typeof everyId | undefined => {
  if (position === undefined) return { from, to };
  const next = BigInt(position.id) + (isDescending ? -1n : 1n);
  const isBehind = isDescending ? next < BigInt(from) : next > BigInt(to);
  if (isBehind) return undefined;
  return isDescending ? { from, to: String(next) } : { from: String(next), to };
};

/** Composes the entries in the order of ids: those of a value of a lookup where one is asked for, else all items. */
const entriesById = (
  collection: number,
  { conditions, isDescending }: ItemSearch,
  position: EntryPosition | undefined,
): Entries | undefined => {
  const range = conditions.find(({ kind, test }) => kind === 'id' && 'from' in test);
  const one = conditions.find(
    ({ kind, test }) => kind === 'lookup' && 'anyOf' in test && test.anyOf.length === 1,
  );
  const bounds = range && 'from' in range.test ? range.test : everyId;
  const ids = idsBehind(bounds, position, isDescending);
  if (ids === undefined) return undefined;
  const byId: Sql = { text: 'd.id >= ? and d.id <= ?', values: [ids.from, ids.to] };
  const source = one ?? { kind: 'id', owner: collection };
  const value: readonly Sql[] =
    one && 'anyOf' in one.test ? [{ text: 'd.value = ?', values: one.test.anyOf }] : [];
  return {
    kind: source.kind,
    where: joinSql([ownedBy(source), ...value, byId], ' and '),
    key: noKey,
    rest: conditions.filter((condition) => condition !== range && condition !== one),
    order: `d.id ${isDescending ? 'desc' : 'asc'}`,
  };
};

/** Composes the entries in the order of a sorted field, within the range of a condition on it. */
const entriesByKey = (
  index: number,
  { conditions, isDescending }: ItemSearch,
  position: EntryPosition | undefined,
): Entries => {
  const range = conditions.find(({ owner, kind, test }) => {
    return kind === 'sort' && owner === index && 'from' in test;
  });
  const { from, to } = range && 'from' in range.test ? range.test : everyKey;
  const start: Sql = { text: 'd.key >= ?', values: [from] };
  const end: Sql = { text: 'd.key < ?', values: [to] };
  const behind: readonly Sql[] = position
    ? [
        {
          text: `(d.key, d.id) ${isDescending ? '<' : '>'} (?, ?)`,
          values: [position.key, position.id],
        },
      ]
    : [isDescending ? end : start];
  const owned = ownedBy({ kind: 'sort', owner: index });
  const direction = isDescending ? 'desc' : 'asc';
  return {
    kind: 'sort',
    // One bound at each side: SQLite looks up by one alone.
    where: joinSql([owned, ...behind, isDescending ? start : end], ' and '),
    key: { text: 'd.key', values: [] },
    rest: conditions.filter((condition) => condition !== range),
    order: `d.key ${direction}, d.id ${direction}`,
  };
};

/** Composes the entries of a condition, in any order; `rest` are the other conditions. */
const entriesOfCondition = ({ conditions, sort }: ItemSearch, condition: Condition): Entries => ({
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

/** Compares keys by their code points, as databases do; JavaScript compares halves of characters. */
const comparePositions = (one: EntryPosition, other: EntryPosition): number =>
  Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)) ||
  Number(BigInt(one.id) > BigInt(other.id)) - Number(BigInt(one.id) < BigInt(other.id));

/** Puts entries into the order of a search: those behind a position, each item once. */
const inOrder = (
  rows: readonly EntryRow[],
  { isDescending }: ItemSearch,
  position: EntryPosition | undefined,
): EntryPosition[] => {
  const sign = isDescending ? -1 : 1;
  const fitting = new Map(rows.filter(({ fits }) => fits === 1).map((row) => [row.id, row]));
  return [...fitting.values()]
    .filter((row) => position === undefined || sign * comparePositions(row, position) > 0)
    .sort((one, other) => sign * comparePositions(one, other));
};

/** Makes the searches of one collection. */
export const itemSearches = ({ knex, prepare }: Database, collection: number) => {
  const tables = ['items', 'item_index', 'item_sort_keys'];
  // More of them are forgotten: which there are depends on what handlers ask for.
  const mostStatements = 256;
  const statements = new Map<string, Statement<Values, unknown>>();
  const statementFor = ({ text, values }: Sql): Statement<Values, unknown> => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size === mostStatements) statements.clear();
    const slots = values.map((_, at) => param(String(at)));
    const prepared = prepare<Values, unknown>(knex.raw(text, slots), tables);
    statements.set(text, prepared);
    return prepared;
  };
  const rowsOf = <Row>(all: Runner['all'], sql: Sql): Promise<Row[]> =>
    all(
      statementFor(sql) as Statement<Values, Row>,
      Object.fromEntries(sql.values.map((value, at) => [at, value])),
    );

  const entriesFrom = (
    search: ItemSearch,
    position: EntryPosition | undefined,
  ): Entries | undefined =>
    search.sort === undefined
      ? entriesById(collection, search, position)
      : entriesByKey(search.sort, search, position);

  /** Finds all that fit by the entries of one condition, where a condition has few; undefined where none has. */
  const findByFew = async (
    all: Runner['all'],
    search: ItemSearch,
    position: EntryPosition | undefined,
    conditions: readonly Condition[],
  ): Promise<EntryPosition[] | undefined> => {
    const few = 1024;
    for (const condition of conditions) {
      const sql = entriesSql(entriesOfCondition(search, condition), few + 1);
      const rows = await rowsOf<EntryRow>(all, sql);
      if (rows.length <= few) return inOrder(rows, search, position);
    }
    return undefined;
  };

  /** Looks at the next entries in the order of a search; `last` is the last of them, undefined at the end. */
  const lookAt = async (
    all: Runner['all'],
    search: ItemSearch,
    position: EntryPosition | undefined,
    limits: { readonly fitting: number; readonly unsure: number },
  ): Promise<{
    found: readonly EntryPosition[];
    last: EntryPosition | undefined;
    rest: Entries['rest'];
  }> => {
    const entries = entriesFrom(search, position);
    if (entries === undefined) return { found: [], last: undefined, rest: [] };
    const { rest } = entries;
    const limit = rest.length === 0 ? limits.fitting : limits.unsure;
    const rows = await rowsOf<EntryRow>(all, entriesSql(entries, limit));
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { found: rows.filter(({ fits }) => fits === 1), last, rest };
  };

  return {
    /**
     * Finds the first items of a search behind a position.
     * @param count - the most items that it gives
     */
    async find(
      all: Runner['all'],
      search: ItemSearch,
      start: EntryPosition | undefined,
      count: number,
    ): Promise<readonly EntryPosition[]> {
      const [firstStep, laterStep] = [Math.max(256, 2 * count), 4096];
      const first = await lookAt(all, search, start, { fitting: count, unsure: firstStep });
      const found = [...first.found];
      let { last } = first;
      if (last !== undefined && found.length < count) {
        const few = await findByFew(all, search, last, first.rest);
        if (few !== undefined) return [...found, ...few].slice(0, count);
      }
      while (last !== undefined && found.length < count) {
        // Requests go on between two steps.
        await setImmediate();
        const next = await lookAt(all, search, last, { fitting: count, unsure: laterStep });
        found.push(...next.found);
        last = next.last;
      }
      return found.slice(0, count);
    },

    /** Counts the items that fit. */
    async count(all: Runner['all'], conditions: readonly Condition[]): Promise<number> {
      const step = 8192;
      const search: ItemSearch = { conditions, sort: undefined, isDescending: false };
      const few = await findByFew(all, search, undefined, conditions);
      if (few !== undefined) return few.length;
      let position: EntryPosition | undefined;
      let total = 0;
      while (true) {
        const entries = entriesById(collection, search, position);
        if (entries === undefined) return total;
        const { text, values } = entriesSql(entries, step);
        const tally = `select cast(count(*) as integer) as seen, cast(coalesce(sum(c.fits), 0) as integer) as fitting, cast(max(cast(c.id as bigint)) as text) as last from (${text}) as c`;
        const [row] = await rowsOf<TallyRow>(all, { text: tally, values });
        total += row?.fitting ?? 0;
        if (row === undefined || row.last === null || row.seen < step) return total;
        position = { id: row.last, key: '' };
        await setImmediate();
      }
    },
  };
};
