/** The rows of any table: read in pages, found by their keys, added where they are missing. */

import type { Database } from '../database/database';
import type { Column } from './table-columns';
import type { KeyedTable } from './table-list';
import {
  keyPlaces,
  parametersOf,
  type Row,
  type Sized,
  statementRows,
  tableStatements,
} from './table-statements';

/** One table of one database. */
export interface TableRows {
  /** All rows in the order of the key, as this database sorts it; a page is bounded in rows and in bytes. */
  pages(): AsyncGenerator<readonly Row[]>;
  /** Those rows that have the keys of the given ones, in any order. */
  find(like: readonly Row[]): Promise<readonly Row[]>;
  /** Adds the rows in one transaction; leaves alone what is there already. */
  add(rows: readonly Row[]): Promise<void>;
  /** Names a row among those of its table. */
  keyOf(row: Row): string;
}

/** Bounds of a page. The bytes are those of its texts and blobs; a single row may have more. */
const pageRows = 512;
const pageBytes = 4 * 1024 * 1024;

/** How many rows from the first on make a page: one at least, where there is one. */
const rowsWithin = (sized: readonly Sized[]): number => {
  let bytes = 0;
  const tooMany = sized.findIndex(({ size }) => {
    bytes += Number(size);
    return bytes > pageBytes;
  });
  return tooMany === -1 ? sized.length : Math.max(1, tooMany);
};

function* chunksOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += statementRows) yield rows.slice(at, at + statementRows);
}

/** A key that comes twice finds its row once. */
const filledUp = (rows: readonly Row[]): Row[] =>
  Array.from({ length: statementRows }, (_, at) => rows[at] ?? rows[0] ?? []);

/** Reads and writes a table by the columns that it has. */
export const tableRows = (
  db: Database,
  table: KeyedTable,
  columns: readonly Column[],
): TableRows => {
  const { first, next, find, insertMany, insertOne } = tableStatements(db, table, columns);
  const places = keyPlaces(table, columns);
  const toRow = (found: Readonly<Record<string, Row[number]>>): Row =>
    columns.map(({ name }) => found[name] ?? null);

  const pageBehind = async (last: Row | undefined): Promise<Row[]> => {
    const { sizes, rows } = last === undefined ? first : next;
    const from = parametersOf(last === undefined ? [] : [last]);
    const limit = rowsWithin(await db.all(sizes, { ...from, limit: pageRows }));
    return (await db.all(rows, { ...from, limit })).map(toRow);
  };

  return {
    keyOf: (row) => JSON.stringify(places.map((at) => row[at])),

    async *pages() {
      let page = await pageBehind(undefined);
      while (page.length > 0) {
        yield page;
        page = await pageBehind(page.at(-1));
      }
    },

    async find(like) {
      const found: Row[] = [];
      for (const chunk of chunksOf(like)) {
        found.push(...(await db.all(find, parametersOf(filledUp(chunk)))).map(toRow));
      }
      return found;
    },

    add: (rows) =>
      db.transaction(async (trx) => {
        const single = rows.length % statementRows;
        for (const chunk of chunksOf(rows.slice(0, rows.length - single))) {
          await trx.run(insertMany, parametersOf(chunk));
        }
        for (const row of rows.slice(rows.length - single)) {
          await trx.run(insertOne, parametersOf([row]));
        }
      }),
  };
};
