/**
 * Finds the ids of the items that fit conditions, in the order of ids or of a sorted field. A statement looks at a bounded number of index
 * entries, so that neither a statement's time nor memory grows with the items, whatever the conditions.
 */

import { setImmediate } from 'node:timers/promises';
import type { Database, Runner } from '../database/database';
import { param, type Statement, type Values } from '../sql/statement';
import {
  type Condition,
  type EntryPosition,
  type EntryRow,
  entriesSql,
  hasRange,
  type ItemSearch,
  type Sql,
  scanById,
  scanByKey,
  scanCondition,
} from './item-entries';

/** Puts entries into the order of a search: those behind a position, each item once. */
const sortEntries = (
  rows: readonly EntryRow[],
  { isDescending }: ItemSearch,
  position: EntryPosition | undefined,
): EntryPosition[] => {
  // By the bytes of keys, as databases do: JavaScript compares halves of characters.
  const placed = (at: EntryPosition) => ({ at, bytes: Buffer.from(at.key), id: BigInt(at.id) });
  type Placed = ReturnType<typeof placed>;
  const sign = isDescending ? -1 : 1;
  const compare = (left: Placed, right: Placed): number =>
    sign *
    (Buffer.compare(left.bytes, right.bytes) ||
      Number(left.id > right.id) - Number(left.id < right.id));
  const start = position && placed(position);
  const fitting = new Map(rows.filter(({ fits }) => fits === 1).map((row) => [row.id, row]));
  return [...fitting.values()]
    .map(placed)
    .filter((entry) => start === undefined || compare(entry, start) > 0)
    .sort(compare)
    .map(({ at }) => at);
};

/** Makes the searches of one collection. */
export const itemSearches = ({ knex, prepare }: Database, collection: number) => {
  const tables = ['items', 'item_index', 'item_sort_keys'];
  // More of them are forgotten: which there are depends on what handlers ask for.
  const mostStatements = 256;
  const statements = new Map<string, Statement<Values, unknown>>();
  const readRows = <Row>(all: Runner['all'], { text, values }: Sql): Promise<Row[]> => {
    let statement = statements.get(text);
    if (statement === undefined) {
      if (statements.size === mostStatements) statements.clear();
      const slots = values.map((_, at) => param(String(at)));
      statement = prepare(knex.raw(text, slots), tables);
      statements.set(text, statement);
    }
    const parameters = Object.fromEntries(values.map((value, at) => [at, value]));
    return all(statement as Statement<Values, Row>, parameters);
  };

  /** Finds all that fit by the entries of one condition, where a condition has few, as many as `few`; undefined where none has. */
  const findByFew = async (
    all: Runner['all'],
    search: ItemSearch,
    position: EntryPosition | undefined,
    conditions: readonly Condition[],
    few: number,
  ): Promise<EntryPosition[] | undefined> => {
    for (const condition of conditions) {
      const sql = entriesSql(scanCondition(search, condition), few + 1);
      const rows = await readRows<EntryRow>(all, sql);
      if (rows.length <= few) return sortEntries(rows, search, position);
    }
    return undefined;
  };

  /** Looks at the next entries in the order of a search; `last` is the last of them, undefined at the end. */
  const lookAt = async (
    all: Runner['all'],
    search: ItemSearch,
    position: EntryPosition | undefined,
    limits: { readonly fitting: number; readonly unsure: number },
  ) => {
    const entries =
      search.sort === undefined
        ? scanById(collection, search, position)
        : scanByKey(search.sort, search, position);
    if (entries === undefined) return { found: [], last: undefined, rest: [] };
    const { rest } = entries;
    const limit = rest.length === 0 ? limits.fitting : limits.unsure;
    const rows = await readRows<EntryRow>(all, entriesSql(entries, limit));
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { found: rows.filter(({ fits }) => fits === 1), last, rest };
  };

  /** Entries of a condition that are few enough to sort them in memory, by the number of steps after which they are asked for. */
  const few = 4096;
  const fewAfter = new Map([
    [0, few],
    [4, 8 * few],
  ]);
  const byId = { sort: undefined, isDescending: false };
  const countStep = 8192;

  /** Counts within a range of keys, where there may be fewer than there are items. */
  const countByKey = async (all: Runner['all'], search: ItemSearch): Promise<number> => {
    let total = 0;
    let last: EntryPosition | undefined;
    do {
      const next = await lookAt(all, search, last, { fitting: countStep, unsure: countStep });
      total += next.found.length;
      last = next.last;
      await setImmediate();
    } while (last !== undefined);
    return total;
  };

  /** Counts among all items, or those of a value; the database sums up. */
  const countById = async (
    all: Runner['all'],
    conditions: readonly Condition[],
  ): Promise<number> => {
    let total = 0;
    let position: EntryPosition | undefined;
    while (true) {
      const entries = scanById(collection, { conditions, ...byId }, position);
      if (entries === undefined) return total;
      const { text, values } = entriesSql(entries, countStep);
      const tally = `select cast(count(*) as integer) as seen, cast(coalesce(sum(c.fits), 0) as integer) as fitting, cast(max(cast(c.id as bigint)) as text) as last from (${text}) as c`;
      type Tally = Readonly<{ seen: number; fitting: number; last: string | null }>;
      const [row] = await readRows<Tally>(all, { text: tally, values });
      total += row?.fitting ?? 0;
      if (row === undefined || row.last === null || row.seen < countStep) return total;
      position = { id: row.last, key: '' };
      await setImmediate();
    }
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
      for (let steps = 0; last !== undefined && found.length < count; steps += 1) {
        const most = fewAfter.get(steps);
        const others = most && (await findByFew(all, search, last, first.rest, most));
        if (others) return [...found, ...others].slice(0, count);
        // Requests go on between two steps.
        await setImmediate();
        const next = await lookAt(all, search, last, { fitting: count, unsure: laterStep });
        found.push(...next.found);
        last = next.last;
      }
      return found.slice(0, count);
    },

    async count(all: Runner['all'], conditions: readonly Condition[]): Promise<number> {
      const search = { conditions, ...byId };
      const found = await findByFew(all, search, undefined, conditions, few);
      if (found !== undefined) return found.length;
      const range = conditions.filter(hasRange).find(({ kind }) => kind === 'sort');
      return range === undefined
        ? countById(all, conditions)
        : countByKey(all, { conditions, sort: range.owner, isDescending: false });
    },
  };
};
