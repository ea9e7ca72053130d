/** Pages of items as a response carries them, bounded in memory whatever the length of their texts. */

import type { Knex } from 'knex';
import type { SerializedItems, SerializedJson } from '../../../engine';
import type { Database } from '../../database/database';
import type { Runner } from '../../database/transaction';
import { type AggregatedRow, aggregateRows } from '../../sql/aggregate-rows';
import { isPostgres } from '../../sql/dialect';
import { listStatement } from '../../sql/list-statement';
import { orderAndLimit, param, type Values } from '../../sql/statement';
import { type IdRow, type PageEnd, pagesOf } from './pages';

export interface TextCodec<Value> {
  /** Names the schema and the way of writing; a text that was written under another name may have to be written anew. */
  readonly format: string;
  /** Exact: what `write` wrote. */
  read(text: string): Value;
  /** Writes the properties that the schema declares and no others. */
  write(value: Value): string;
  /** Writes a value that is to be stored. Throws UnfitItem where responses are checked and none may carry it. */
  store(value: Value): string;
  /**
   * A stored text as a response may carry it: as it is where it is of this format, else serialized anew. Undefined where it does
   * not fit the schema.
   */
  serialized(text: string, format: string): SerializedJson<Value> | undefined;
  /** The same as lists have it: what does not fit is left out, or as it is. */
  listed(text: string, format: string): SerializedJson<Value> | undefined;
  /** What marks items that do not fit the schema, in place of the format. */
  readonly misfit: string;
  /** A text of any format as today's schema has it, which it need not fit. */
  readCurrent(text: string): Value;
  /** Brings a text of any format into this one, and checks it. */
  bring(text: string): BroughtText;
  /** Stored texts of this format, joined by commas. */
  serializedItems(texts: string): SerializedItems<Value>;
}

/** A text brought into another format. */
export interface BroughtText extends DocumentRow {
  /** Why it does not fit; it is then as it was, and marked. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** A text, and the format that it was written in. */
export interface DocumentRow {
  readonly document: string;
  readonly format: string;
}

/** A row of a page: a long text is left out, and fetched by itself. */
interface PageRow extends IdRow {
  readonly document: string | null;
  readonly format: string;
}

/** Some items of a list. */
export type Page<Item> = readonly SerializedJson<Item>[] | SerializedItems<Item>;

/** Pages of items, read as they are asked for. */
export type ItemPages<Item> = AsyncIterable<Page<Item>>;

/** Reads outside of any transaction, or inside of one. */
type All = Runner['all'];

/** Characters; a page of longer texts would take too much memory at once. */
const longestInPage = 4096;

/**
 * The id in decimal digits: the drivers read integers as doubles or as text, and only text keeps the digits above 2^53. Where
 * it is selected, `order by id` means the text; what is to be ordered by the number names the table, too.
 */
export const idAsText = (knex: Knex, column = 'id'): Knex.Raw =>
  knex.raw('cast(?? as text) as ??', [column, 'id']);

/** What a query of page rows selects. */
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

const isShort = (row: PageRow): row is PageRow & DocumentRow => row.document !== null;

/** A page whose texts the database joined, or whose rows had to be looked at one by one. */
type ReadPage = PageEnd & ({ readonly texts: string } | { readonly rows: readonly PageRow[] });

/**
 * Joins index entries to their items. PostgreSQL may read all items up to a page, unless the entries are limited first; in SQLite
 * that takes a tenth more time.
 */
const withItems = (knex: Knex, entries: Knex.QueryBuilder): Knex.QueryBuilder =>
  isPostgres(knex)
    ? knex
        .from(entries.select('item_index.id', 'item').as('entries'))
        .join('items', 'items.key', 'entries.item')
        .orderBy('entries.id')
    : entries.join('items', 'items.key', 'item_index.item');

/** Lists of the items of one collection, in the order of ids. */
export const itemPages = <Item>(
  { knex, prepare }: Database,
  collection: number,
  codec: TextCodec<Item>,
) => {
  const row = () => knex('items').where({ collection });
  const find = prepare<{ id: string }, DocumentRow>(
    row()
      .where({ id: param('id') })
      .select('document', 'format'),
  );
  const findAll = listStatement<PageRow>((ids) =>
    prepare(row().whereIn('id', ids).orderBy('items.id').select(pageColumns(knex))),
  );

  const itemOf = async (all: All, row: PageRow): Promise<SerializedJson<Item> | undefined> => {
    if (isShort(row)) return codec.listed(row.document, row.format);
    const [long] = await all(find, { id: row.id });
    return long && codec.listed(long.document, long.format);
  };

  async function* ofRows(all: All, rows: readonly PageRow[]): AsyncGenerator<Page<Item>> {
    if (rows.every(isShort)) {
      yield rows.flatMap(({ document, format }) => codec.listed(document, format) ?? []);
      return;
    }
    // A long text is a page of its own, and gone from memory before the next.
    for (const row of rows) {
      const found = await itemOf(all, row);
      if (found !== undefined) yield [found];
    }
  }

  /** Composes a list from a query of rows of `items`, which takes `from` and `limit`. */
  const listOf = <Parameters extends Values>(rows: () => Knex.QueryBuilder) => {
    const findJoined = prepare<Values, AggregatedRow>(
      aggregateRows(knex, rows().select('items.id', 'document', 'format'), longestInPage),
    );
    const findRows = prepare<Values, PageRow>(rows().select(pageColumns(knex)));

    const rowsFrom = async (all: All, parameters: Values): Promise<ReadPage> => {
      const found = await all(findRows, parameters);
      return { count: found.length, last: found.at(-1)?.id ?? null, rows: found };
    };
    const pageFrom = async (all: All, parameters: Values): Promise<ReadPage> => {
      const [found] = await all(findJoined, { format: codec.format, ...parameters });
      const { count = 0, last = null, texts = null } = found ?? {};
      return texts === null && Number(count) > 0
        ? rowsFrom(all, parameters)
        : { count: Number(count), last, texts: texts ?? '' };
    };

    // Spread last: V8 makes a hidden class at each call where a property stands behind a spread.
    return async function* (all: All, parameters: Parameters): AsyncGenerator<Page<Item>> {
      const pages = pagesOf((from, limit) => pageFrom(all, { from, limit, ...parameters }));
      for await (const page of pages) {
        if ('texts' in page) yield codec.serializedItems(page.texts);
        else yield* ofRows(all, page.rows);
      }
    };
  };

  const listAll = listOf<Record<string, never>>(() =>
    row()
      .where('items.id', '>=', param('from'))
      .orderByRaw(...orderAndLimit('items.id')),
  );

  return {
    /** Finds one item. */
    find,

    /** All items. */
    list: (all: All): AsyncGenerator<Page<Item>> => listAll(all, {}),

    /**
     * Composes a list by an index.
     * @param entries - composes a query of index entries from the parameter `from` on, `limit` of them at most
     */
    ofIndex: <Parameters extends Values>(entries: () => Knex.QueryBuilder) =>
      listOf<Parameters>(() => withItems(knex, entries())),

    /** The items under the ids; those that are gone are left out. */
    async *ofIds(all: All, pages: AsyncIterable<readonly string[]>): AsyncGenerator<Page<Item>> {
      for await (const ids of pages) {
        for (const [statement, parameters] of findAll(ids)) {
          yield* ofRows(all, await all(statement, parameters));
        }
      }
    },
  };
};

export type ItemPagesOf<Item> = ReturnType<typeof itemPages<Item>>;
