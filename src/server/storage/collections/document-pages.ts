/** Pages of resources as an answer carries them, bounded in memory whatever the length of their texts. */

import type { Knex } from 'knex';
import {
  andThen,
  type MaybePromise,
  type SerializedItems,
  type SerializedJson,
} from '../../../engine';
import type { Database } from '../database/database';
import { type AggregatedRow, aggregateRows } from '../sql/aggregate-rows';
import { listStatement } from '../sql/list-statement';
import { param, type Values } from '../sql/statement';
import type { DocumentRow } from './documents';
import { type IdRow, type PageEnd, pagesOf } from './pages';
import type { TextCodec } from './text-codec';

/** A row of a page: a long text is left out, and fetched by itself. */
export interface PageRow extends IdRow {
  readonly document: string | null;
  readonly format: string;
}

/** Some resources of a list. */
export type Page<Resource> = readonly SerializedJson<Resource>[] | SerializedItems<Resource>;

/** Lists of the resources of one table. */
export interface DocumentPages<Resource> {
  /**
   * Composes a list in the order of ids.
   * @param rows - composes a query of the table's rows from the slot `from` on, `limit` of them at most
   */
  listOf<Parameters extends Values>(
    rows: () => Knex.QueryBuilder,
  ): (parameters: Parameters) => AsyncGenerator<Page<Resource>>;
  /** The resources under the ids, in the order of ids; those that are gone are left out. */
  ofIds(pages: AsyncIterable<readonly string[]>): AsyncGenerator<Page<Resource>>;
}

/** Characters; a page of longer texts would take too much memory at once. */
const longestInPage = 4096;

/**
 * The id in decimal digits: the drivers read integers as doubles or as text, and only text keeps the digits above 2^53. Where
 * it is selected, `order by id` means the text; what is to be ordered by the number names the table, too.
 */
export const idAsText = (knex: Knex, column = 'id'): Knex.Raw =>
  knex.raw('cast(?? as text) as ??', [column, 'id']);

/** What a query of page rows selects. */
export const pageColumns = (knex: Knex): Knex.Raw[] => [
  idAsText(knex),
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

/** Makes the lists of a service's table. */
export const documentPages = <Resource>(
  { knex, prepare, all }: Database,
  table: string,
  service: string,
  codec: TextCodec<Resource>,
): DocumentPages<Resource> => {
  const row = () => knex(table).where({ service });
  const find = prepare<{ id: string }, DocumentRow>(
    row()
      .where({ id: param('id') })
      .select('document', 'format'),
  );
  const findAll = listStatement<PageRow>((ids) =>
    prepare(row().whereIn('id', ids).orderBy(`${table}.id`).select(pageColumns(knex))),
  );

  const keptOf = async (row: PageRow): Promise<SerializedJson<Resource> | undefined> => {
    if (isShort(row)) return codec.kept(row.document, row.format);
    const [long] = await all(find, { id: row.id });
    return long && codec.kept(long.document, long.format);
  };

  async function* ofRows(rows: readonly PageRow[]): AsyncGenerator<Page<Resource>> {
    if (rows.every(isShort)) {
      yield rows.map(({ document, format }) => codec.kept(document, format));
      return;
    }
    // A long text is a page of its own, and gone from memory before the next.
    for (const row of rows) {
      const found = await keptOf(row);
      if (found !== undefined) yield [found];
    }
  }

  return {
    listOf<Parameters extends Values>(rows: () => Knex.QueryBuilder) {
      const findJoined = prepare<Values, AggregatedRow>(
        aggregateRows(knex, rows().select(`${table}.id`, 'document', 'format'), longestInPage),
      );
      const findRows = prepare<Values, PageRow>(rows().select(pageColumns(knex)));

      const rowsFrom = async (parameters: Values): Promise<ReadPage> => {
        const found = await all(findRows, parameters);
        return { count: found.length, last: found.at(-1)?.id ?? null, rows: found };
      };
      const pageFrom = (parameters: Values): MaybePromise<ReadPage> =>
        andThen(all(findJoined, { format: codec.format, ...parameters }), ([found]) => {
          const { count = 0, last = null, texts = null } = found ?? {};
          return texts === null && Number(count) > 0
            ? rowsFrom(parameters)
            : { count: Number(count), last, texts: texts ?? '' };
        });

      // Spread last: V8 makes a hidden class at each call where a property stands behind a spread.
      return async function* (parameters: Parameters) {
        const pages = pagesOf((from, limit) => pageFrom({ from, limit, ...parameters }));
        for await (const page of pages) {
          if ('texts' in page) yield codec.keptItems(page.texts);
          else yield* ofRows(page.rows);
        }
      };
    },

    async *ofIds(pages) {
      for await (const ids of pages) {
        for (const [statement, parameters] of findAll(ids)) {
          yield* ofRows(await all(statement, parameters));
        }
      }
    },
  };
};
