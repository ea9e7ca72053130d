/**
 * Lists of any size, read page by page in the order of ids, so that neither memory nor a connection is held meanwhile: pages of
 * items as a response carries them, whatever the length of their texts.
 */

import type { Knex } from 'knex';
import type { SerializedItems, SerializedJson } from '../../engine';
import type { Database, Runner } from '../database/database';
import { isPostgres } from '../sql/dialect';
import { listStatement, orderAndLimit, param, type Values } from '../sql/statement';
import type { DocumentRow, TextCodec } from './item-schema';

/** A row and its id in decimal digits. */
export interface IdRow {
  readonly id: string;
}

/** The least and the greatest int64, in decimal digits. */
export const firstId = (-(2n ** 63n)).toString();
export const lastId = (2n ** 63n - 1n).toString();

/** Gives the id behind another one, null standing for the start; undefined behind the greatest. */
export const idBehind = (id: string | null): string | undefined => {
  if (id === null) return firstId;
  return id === lastId ? undefined : (BigInt(id) + 1n).toString();
};

/** The end of a page. */
interface PageEnd {
  /** Of its rows. */
  readonly count: number;
  /** The id of its last row; null where it has none. */
  readonly last: string | null;
}

/** A page, and its rows. */
export interface RowPage<Row> extends PageEnd {
  readonly rows: readonly Row[];
}

/** Reads the page from an id on, in the order of ids, of `limit` rows at most. */
export type PageFrom<Page extends PageEnd> = (from: string, limit: number) => Promise<Page>;

/** Makes a page of its rows. */
export const rowPage = <Row extends IdRow>(rows: readonly Row[]): RowPage<Row> => ({
  rows,
  count: rows.length,
  last: rows.at(-1)?.id ?? null,
});

/**
 * Pages that are not empty, each read when it is asked for. What is changed meanwhile may or may not be among their rows.
 *
 * @param start - the id behind which they begin; null for all
 */
export async function* pagesOf<Page extends PageEnd>(
  pageFrom: PageFrom<Page>,
  // Few at first, for those who list a few; then as many as a statement gives in about half a millisecond.
  [first, later]: readonly [number, number] = [128, 256],
  start: string | null = null,
): AsyncGenerator<Page> {
  let from = idBehind(start);
  let limit = first;
  while (from !== undefined) {
    const page = await pageFrom(from, limit);
    if (page.count > 0) yield page;
    from = page.count < limit ? undefined : idBehind(page.last);
    limit = later;
  }
}

const ascending = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);

/**
 * Merges lists of ids into pages of ids, each id once. It keeps a few ids of every list in memory, and reads more when those are
 * used up.
 */
export async function* mergedIds(
  lists: readonly PageFrom<RowPage<IdRow>>[],
): AsyncGenerator<readonly string[]> {
  // Ids that a merge keeps in memory, of all lists together, and that it reads of each list at least.
  const [idsInRound, leastOfList] = [2048, 16];
  const limit = Math.max(leastOfList, Math.floor(idsInRound / lists.length));
  // The ids of each list that were read and not yet given, and the id to read on from; undefined at its end.
  const cursors = lists.map((pageFrom) => {
    const start: { ids: readonly bigint[]; next: string | undefined } = { ids: [], next: firstId };
    return Object.assign(start, { pageFrom });
  });
  while (true) {
    await Promise.all(
      cursors.map(async (cursor) => {
        if (cursor.ids.length > 0 || cursor.next === undefined) return;
        const { rows, count, last } = await cursor.pageFrom(cursor.next, limit);
        cursor.ids = rows.map(({ id }) => BigInt(id));
        cursor.next = count < limit ? undefined : idBehind(last);
      }),
    );
    // Up to the first of the ids at which a list that goes on was cut off nothing is missing.
    const cuts = cursors.flatMap(({ ids, next }) => (next === undefined ? [] : ids.slice(-1)));
    const [end = BigInt(lastId)] = cuts.sort(ascending);
    const taken = new Set<bigint>();
    for (const cursor of cursors) {
      for (const id of cursor.ids) if (id <= end) taken.add(id);
      cursor.ids = cursor.ids.filter((id) => id > end);
    }
    if (taken.size === 0) return;
    yield [...taken].sort(ascending).map(String);
  }
}

/** A list that is read as it is asked for: item by item, or by pages as a response carries them. */
export interface ItemPages<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<SerializedItems<Item>>;
}

/** Makes the list of pages, which are read from the start whenever they are asked for. */
export const pagedList = <Item>(pages: ItemPages<Item>['pages']): ItemPages<Item> => ({
  pages,
  async *[Symbol.asyncIterator]() {
    for await (const page of pages()) yield* page.read();
  },
});

/** Reads outside of any transaction, or inside of one. */
type All = Runner['all'];

/** Characters, or bytes of texts that are joined; a page of longer texts would take too much memory at once. */
const longestInPage = 4096;

/**
 * The id in decimal digits: the drivers read integers as doubles or as text, and only text keeps the digits above 2^53. Where
 * it is selected, `order by id` means the text; what is to be ordered by the number names the table, too.
 */
export const idAsText = (knex: Knex, column = 'id'): Knex.Raw =>
  knex.raw('cast(?? as text) as ??', [column, 'id']);

/** A row of a page: a long text is left out, and fetched by itself. */
interface PageRow extends IdRow {
  readonly document: string | null;
  readonly format: string;
}

const pageColumns = (knex: Knex): Knex.Raw[] => [
  idAsText(knex, 'items.id'),
  knex.raw('case when length(??) <= ? then ?? end as ??', [
    'document',
    longestInPage,
    'document',
    'document',
  ]),
  knex.raw('??', ['format']),
];

/** A page as it was read. */
interface ReadPage extends PageEnd {
  /**
   * The texts of its rows, joined by commas in the order of ids: to transfer each of them takes longer than to read it. Null without
   * rows, or where one may not be joined.
   */
  readonly texts: string | null;
  /** Its rows, where they have to be looked at one by one. */
  readonly rows?: readonly PageRow[];
}

/**
 * Composes the query that joins the texts of rows. Texts of another format than that in the slot `format` may not be joined, nor
 * may long ones.
 *
 * @param rows - gives `id`, `document` and `format`, in the order of ids
 */
const aggregateRows = (knex: Knex, rows: Knex.QueryBuilder): Knex.QueryBuilder => {
  const fits = knex.raw('octet_length(??) <= ? and ?? = ?', [
    'document',
    longestInPage,
    'format',
    param('format'),
  ]);
  // SQLite joins rows as they come, and they come in the order of the query within.
  const joined = isPostgres(knex)
    ? knex.raw(`string_agg(??, ',' order by ??)`, ['document', 'id'])
    : knex.raw(`group_concat(??, ',')`, ['document']);
  return knex.from(rows.as('page')).select(
    knex.raw('count(*) as ??', ['count']),
    knex.raw('cast(max(??) as text) as ??', ['id', 'last']),
    // What may not be joined is left out of the joining, too: it may be of any length.
    knex.raw(
      'case when count(case when ? then 1 end) = count(*) then ? filter (where ?) end as ??',
      [fits, joined, fits, 'texts'],
    ),
  );
};

/** Lists of the items of one collection, in the order of ids. */
export const itemPages = <Item>(
  { knex, prepare }: Database,
  collection: number,
  codec: TextCodec<Item>,
) => {
  const row = () => knex('items').where({ collection });
  const find = prepare<{ id: string }, DocumentRow>(
    row().where('id', param('id')).select('document', 'format'),
    ['items'],
  );
  const findAll = listStatement<PageRow>((ids) =>
    prepare(row().whereIn('id', ids).orderBy('items.id').select(pageColumns(knex)), ['items']),
  );

  const itemOf = async (all: All, row: PageRow): Promise<SerializedJson<Item> | undefined> => {
    if (row.document !== null) return codec.listed(row.document, row.format);
    const [long] = await all(find, { id: row.id });
    return long && codec.listed(long.document, long.format);
  };

  /** Makes pages of rows. A long text is a page of its own, and gone from memory before the next. */
  async function* ofRows(
    all: All,
    rows: readonly PageRow[],
  ): AsyncGenerator<SerializedItems<Item>> {
    const areShort = rows.every(({ document }) => document !== null);
    for (const page of areShort ? [rows] : rows.map((row) => [row])) {
      const items = await Promise.all(page.map((row) => itemOf(all, row)));
      const texts = items.flatMap((item) => item?.text ?? []);
      if (texts.length > 0) yield codec.serializedItems(texts.join());
    }
  }

  /** Composes a list from a query of rows of `items`, which takes `from` and `limit`, and reads the tables. */
  const listOf = <Parameters extends Values>(
    tables: readonly string[],
    rows: () => Knex.QueryBuilder,
  ) => {
    const findJoined = prepare<Values, ReadPage>(
      aggregateRows(knex, rows().select('items.id', 'document', 'format')),
      tables,
    );
    const findRows = prepare<Values, PageRow>(rows().select(pageColumns(knex)), tables);

    const pageFrom = async (all: All, parameters: Values): Promise<ReadPage> => {
      const [joined] = await all(findJoined, { format: codec.format, ...parameters });
      if (joined !== undefined && (joined.texts !== null || joined.count === 0)) return joined;
      return { texts: null, ...rowPage(await all(findRows, parameters)) };
    };

    // Spread last: V8 makes a hidden class at each call where a property stands behind a spread.
    return async function* (
      all: All,
      parameters: Parameters,
    ): AsyncGenerator<SerializedItems<Item>> {
      const pages = pagesOf((from, limit) => pageFrom(all, { from, limit, ...parameters }));
      for await (const { texts, rows = [] } of pages) {
        if (texts === null) yield* ofRows(all, rows);
        else yield codec.serializedItems(texts);
      }
    };
  };

  const listAll = listOf<Record<string, never>>(['items'], () =>
    row()
      .where('items.id', '>=', param('from'))
      .orderByRaw(...orderAndLimit('items.id')),
  );

  return {
    find,
    list: (all: All): AsyncGenerator<SerializedItems<Item>> => listAll(all, {}),

    /**
     * Composes a list by an index.
     * @param entries - composes a query of index entries from the parameter `from` on, `limit` of them at most
     */
    ofIndex: <Parameters extends Values>(entries: () => Knex.QueryBuilder) =>
      listOf<Parameters>(['items', 'item_index'], () =>
        // PostgreSQL may read all items up to a page, unless the entries are limited first; in SQLite that takes a tenth more time.
        isPostgres(knex)
          ? knex
              .from(entries().select('item_index.id', 'item').as('entries'))
              .join('items', 'items.key', 'entries.item')
              .orderBy('entries.id')
          : entries().join('items', 'items.key', 'item_index.item'),
      ),

    /** Finds the items under the ids; those that are gone, or invalid, are left out. */
    async findEach(all: All, ids: readonly string[]): Promise<readonly SerializedJson<Item>[]> {
      const found = new Map<string, SerializedJson<Item>>();
      for (const [statement, parameters] of findAll(ids)) {
        for (const row of await all(statement, parameters)) {
          const item = await itemOf(all, row);
          if (item !== undefined) found.set(row.id, item);
        }
      }
      return ids.flatMap((id) => found.get(id) ?? []);
    },

    /** Lists the items under the ids; those that are gone are left out. */
    async *ofIds(
      all: All,
      pages: AsyncIterable<readonly string[]>,
    ): AsyncGenerator<SerializedItems<Item>> {
      for await (const ids of pages) {
        for (const [statement, parameters] of findAll(ids)) {
          yield* ofRows(all, await all(statement, parameters));
        }
      }
    },
  };
};

export type ItemPagesOf<Item> = ReturnType<typeof itemPages<Item>>;
