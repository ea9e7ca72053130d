/** Lists of any size, read page by page in the order of ids, so that neither memory nor a connection is held meanwhile. */

/** A row and its id in decimal digits. */
export interface IdRow {
  readonly id: string;
}

/** The rows from an id on, in the order of ids, `limit` of them at most. */
export type RowsFrom<Row> = (from: string, limit: number) => Promise<readonly Row[]>;

/** The least and the greatest int64, in decimal digits. */
export const firstId = (-(2n ** 63n)).toString();
export const lastId = (2n ** 63n - 1n).toString();

const greatest = BigInt(lastId);

/** Few at first, for those who list a few; then as many as a statement gives in about half a millisecond. */
const firstPage = 128;
const laterPage = 256;

/** Ids that a merge keeps at hand, of all lists together, and that it reads of each list at least. */
const idsInRound = 2048;
const leastOfList = 16;

/** How far a page reaches. */
export interface PageEnd {
  /** Of its rows. */
  readonly count: number;
  /** The id of its last row; null where it has none. */
  readonly last: string | null;
}

/** Pages that are not empty, each read when it is asked for. What is changed meanwhile may or may not be among their rows. */
export async function* pagesOf<Page extends PageEnd>(
  pageFrom: (from: string, limit: number) => Promise<Page>,
): AsyncGenerator<Page> {
  let from = firstId;
  let limit = firstPage;
  while (true) {
    const page = await pageFrom(from, limit);
    if (page.count > 0) yield page;
    const last = BigInt(page.last ?? greatest);
    if (page.count < limit || last === greatest) return;
    from = (last + 1n).toString();
    limit = laterPage;
  }
}

const ascending = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);

/** A list of a merge, as far as it was read. */
interface Cursor {
  readonly rowsFrom: RowsFrom<IdRow>;
  /** Read and not yet given, in order. */
  ids: readonly bigint[];
  /** Where to read on; undefined where the list is at its end. */
  next: string | undefined;
}

const readOn = async (cursor: Cursor, from: string, limit: number): Promise<void> => {
  const rows = await cursor.rowsFrom(from, limit);
  cursor.ids = rows.map(({ id }) => BigInt(id));
  const last = cursor.ids.at(-1) ?? greatest;
  cursor.next = rows.length < limit || last === greatest ? undefined : (last + 1n).toString();
};

/** Up to here nothing is missing: the first of the ids at which a list that goes on was cut off. */
const completeUntil = (cursors: readonly Cursor[]): bigint => {
  const cuts = cursors.flatMap(({ ids, next }) => (next === undefined ? [] : ids.slice(-1)));
  return cuts.sort(ascending)[0] ?? greatest;
};

/** Takes the ids up to this one from all lists, in order, each once. */
const takeUntil = (cursors: readonly Cursor[], end: bigint): bigint[] => {
  const taken = new Set<bigint>();
  for (const cursor of cursors) {
    const rest = cursor.ids.findIndex((id) => id > end);
    const count = rest < 0 ? cursor.ids.length : rest;
    for (const id of cursor.ids.slice(0, count)) taken.add(id);
    cursor.ids = cursor.ids.slice(count);
  }
  return [...taken].sort(ascending);
};

/**
 * Merges lists of ids into pages of ids, each id once. Of every list a little is kept at hand, and more is read when that has
 * been given.
 */
export async function* mergedIds(
  lists: readonly RowsFrom<IdRow>[],
): AsyncGenerator<readonly string[]> {
  const limit = Math.max(leastOfList, Math.floor(idsInRound / lists.length));
  const cursors: Cursor[] = lists.map((rowsFrom) => ({ rowsFrom, ids: [], next: firstId }));
  while (true) {
    await Promise.all(
      cursors.map(async (cursor) => {
        const { ids, next } = cursor;
        if (ids.length === 0 && next !== undefined) await readOn(cursor, next, limit);
      }),
    );
    const page = takeUntil(cursors, completeUntil(cursors));
    if (page.length === 0) return;
    yield page.map(String);
  }
}
