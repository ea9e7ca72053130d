import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type IdRow,
  mergedIds,
  type PageFrom,
  pagesOf,
  type RowPage,
  rowPage,
} from '../../../../src/storage/collections/item-pages';

const FIRST = -(2n ** 63n);
const LAST = 2n ** 63n - 1n;

const ascending = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);

type IdsFrom = PageFrom<RowPage<IdRow>>;

/** A table of ids, and how it was read: the rows that each question gave. */
const tableOf = (ids: Iterable<bigint>) => {
  const sorted = [...new Set(ids)].sort(ascending);
  const given: number[] = [];
  const pageFrom: IdsFrom = async (from, limit) => {
    const least = BigInt(from);
    const start = sorted.findIndex((id) => id >= least);
    const rows = start < 0 ? [] : sorted.slice(start, start + limit);
    given.push(rows.length);
    return rowPage(rows.map((id) => ({ id: String(id) })));
  };
  return { sorted, given, pageFrom };
};

const collect = async <Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[][]> => {
  const collected: Item[][] = [];
  for await (const page of pages) collected.push([...page]);
  return collected;
};

const rowsOf = async (pageFrom: IdsFrom) => {
  const pages: (readonly IdRow[])[] = [];
  for await (const { rows } of pagesOf(pageFrom)) pages.push(rows);
  return pages;
};

const count = (length: number, from = 1n): bigint[] =>
  Array.from({ length }, (_, at) => from + BigInt(at));

const someIds = fc.oneof(
  fc.uniqueArray(fc.bigInt({ min: 0n, max: 300n }), { maxLength: 200 }),
  fc.uniqueArray(fc.bigInt({ min: FIRST, max: LAST }), { maxLength: 50 }),
  fc.uniqueArray(fc.constantFrom(FIRST, FIRST + 1n, -1n, 0n, LAST - 1n, LAST)),
  fc.nat({ max: 1500 }).map((length) => count(length)),
  fc.nat({ max: 1500 }).map((length) => count(length, LAST - BigInt(length) + 1n)),
);

describe('pagesOf', () => {
  test.each<[string, bigint[], number[]]>([
    ['no row', [], []],
    ['one row', [5n], [1]],
    ['a first page that is full', count(128), [128]],
    ['one row more', count(129), [128, 1]],
    ['many rows', count(900), [128, 256, 256, 256, 4]],
    ['the ends of int64', [FIRST, LAST], [2]],
  ])('gives %s', async (_, ids, sizes) => {
    const { pageFrom, sorted } = tableOf(ids);
    const pages = await rowsOf(pageFrom);
    expect(pages.map(({ length }) => length)).toEqual(sizes);
    expect(pages.flat().map(({ id }) => BigInt(id))).toEqual(sorted);
  });

  test('reads no page that is not asked for, nor one after the last id there can be', async () => {
    const many = tableOf(count(5000));
    const pages = pagesOf(many.pageFrom);
    await pages.next();
    await pages.return(undefined);
    const last = tableOf(count(128, LAST - 127n));
    await rowsOf(last.pageFrom);
    expect([many.given, last.given]).toEqual([[128], [128]]);
  });

  test('gives every row once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(someIds, async (ids) => {
        const { pageFrom, sorted } = tableOf(ids);
        const pages = await rowsOf(pageFrom);
        const given = pages.flat().map(({ id }) => id);
        expect(given.join()).toBe(sorted.join());
      }),
      { numRuns: 40 },
    );
  });
});

describe('mergedIds', () => {
  test('gives every id once, in order, and no empty page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someIds, { maxLength: 4 }), async (lists) => {
        const pages = await collect(mergedIds(lists.map((ids) => tableOf(ids).pageFrom)));
        expect(pages.flat().join()).toBe([...new Set(lists.flat())].sort(ascending).join());
        expect(pages.filter(({ length }) => length === 0)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test.each<[string, number, number]>([
    ['one behind the other', 2, 20_000],
    ['that overlap', 100, 400],
    ['that are the same', 20, 0],
  ])('reads every row of lists %s once', async (_, many, distance) => {
    const lists = Array.from({ length: many }, (_, at) =>
      tableOf(count(500, 1n + BigInt(at * distance))),
    );
    const pages = await collect(mergedIds(lists.map(({ pageFrom }) => pageFrom)));
    const read = lists.flatMap(({ given }) => given).reduce((sum, rows) => sum + rows, 0);
    expect(read).toBe(many * 500);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(2048);
  });
});
