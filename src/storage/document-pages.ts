/** Pages of resources as an answer carries them, bounded in memory whatever the length of their texts. */

import type { Knex } from 'knex';
import type { Kept } from '../codecs/kept';
import type { Database } from './database';
import type { DocumentRow } from './documents';
import { listStatement } from './list-statement';
import type { IdRow } from './pages';
import { slot } from './statement';
import type { TextCodec } from './text-codec';

/** A row of a page: a long text is left out, and fetched by itself. */
export interface PageRow extends IdRow {
  readonly document: string | null;
  readonly format: string;
}

/** Lists of the resources of one table. */
export interface DocumentPages<Resource> {
  /** The resources of the rows, in their order. */
  ofRows(pages: AsyncIterable<readonly PageRow[]>): AsyncGenerator<Kept<Resource>[]>;
  /** The resources under the ids, in the order of ids; those that are gone are left out. */
  ofIds(pages: AsyncIterable<readonly string[]>): AsyncGenerator<Kept<Resource>[]>;
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
      .where({ id: slot('id') })
      .select('document', 'format'),
  );
  const findAll = listStatement<PageRow>((ids) =>
    prepare(row().whereIn('id', ids).orderBy(`${table}.id`).select(pageColumns(knex))),
  );

  const keptOf = async (row: PageRow): Promise<Kept<Resource> | undefined> => {
    if (isShort(row)) return codec.kept(row.document, row.format);
    const [long] = await all(find, { id: row.id });
    return long && codec.kept(long.document, long.format);
  };

  /** A long text is a page of its own, and gone from memory before the next. */
  async function* oneByOne(rows: readonly PageRow[]) {
    for (const row of rows) {
      const found = await keptOf(row);
      if (found !== undefined) yield [found];
    }
  }

  async function* ofRows(pages: AsyncIterable<readonly PageRow[]>) {
    for await (const rows of pages) {
      if (rows.every(isShort))
        yield rows.map(({ document, format }) => codec.kept(document, format));
      else yield* oneByOne(rows);
    }
  }

  async function* rowsOf(pages: AsyncIterable<readonly string[]>) {
    for await (const ids of pages) {
      for (const [statement, parameters] of findAll(ids)) yield await all(statement, parameters);
    }
  }

  return { ofRows, ofIds: (pages) => ofRows(rowsOf(pages)) };
};
