/** Lists of any size, read page by page in the order of ids, so that neither memory nor a connection is held meanwhile. */

/** A row and its id in decimal digits. */
export interface IdRow {
  readonly id: string;
}

/** The rows from an id on, in the order of ids, `limit` of them at most. */
export type RowsFrom<Row> = (from: string, limit: number) => Promise<readonly Row[]>;

const firstId = (-(2n ** 63n)).toString();
const lastId = 2n ** 63n - 1n;

/** Few at first, for those who list a few; then as many as a statement gives in about a millisecond. */
const firstPage = 128;
const laterPage = 512;

/** Ids that one round of a merge reads, all lists together, and of each list at least. */
const idsInRound = 2048;
const leastOfList = 16;

/** Pages of rows, each read when it is asked for. What is changed meanwhile may or may not be among them. */
export async function* pagesOf<Row extends IdRow>(
  rowsFrom: RowsFrom<Row>,
): AsyncGenerator<readonly Row[]> {
  let from = firstId;
  let limit = firstPage;
  while (true) {
    const rows = await rowsFrom(from, limit);
    if (rows.length > 0) yield rows;
    const last = BigInt(rows.at(-1)?.id ?? lastId);
    if (rows.length < limit || last === lastId) return;
    from = (last + 1n).toString();
    limit = laterPage;
  }
}

const ascending = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);

/** Up to here nothing is missing: the last id of the list that was cut off first; undefined where none was. */
const completeUntil = (lists: readonly (readonly IdRow[])[], limit: number): bigint | undefined => {
  const cuts = lists
    .filter(({ length }) => length === limit)
    .map((list) => BigInt(list.at(-1)?.id ?? lastId));
  return cuts.sort(ascending)[0];
};

/**
 * Merges lists of ids into pages of ids, each id once. A round reads a little of every list; what lies behind the place where
 * the first of them was cut off is read again in the next.
 */
export async function* mergedIds(
  lists: readonly RowsFrom<IdRow>[],
): AsyncGenerator<readonly string[]> {
  const limit = Math.max(leastOfList, Math.floor(idsInRound / lists.length));
  let rest = lists;
  let from = firstId;
  while (rest.length > 0) {
    const read: (readonly IdRow[])[] = [];
    for (const rowsFrom of rest) read.push(await rowsFrom(from, limit));
    const end = completeUntil(read, limit);
    const ids = new Set(read.flat().map(({ id }) => BigInt(id)));
    const page = [...ids].filter((id) => end === undefined || id <= end).sort(ascending);
    if (page.length > 0) yield page.map(String);
    if (end === undefined || end === lastId) return;
    from = (end + 1n).toString();
    rest = rest.filter((_, at) => (read[at]?.length ?? 0) > 0);
  }
}
