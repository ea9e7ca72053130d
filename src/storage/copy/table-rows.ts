/** Reads and inserts the rows of any table exactly, whatever its columns are. */

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database/database';
import type { Values } from '../sql/statement';
import type { Column, KeyedTable } from './tables';

/** What a column holds: integers are decimal text. */
type Cell = string | Buffer | null;

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, Cell>>;

/** A table of a database. */
export interface Table extends KeyedTable {
  readonly columns: readonly Column[];
}

/** How many bytes the texts and blobs of a row have. */
type Sized = Readonly<{ size: number | string }>;

/** Bounds of a page. The bytes are those of its texts and blobs; a single row may have more. */
const pageRows = 512;
const pageBytes = 4 * 1024 * 1024;

/** Databases bound how many values one statement may have (SQLite: 32,766; PostgreSQL: 65,535). */
const statementRows = 64;

const exactly = (knex: Knex, { name, kind }: Column): Knex.Raw | string =>
  kind === 'integer' ? knex.raw('cast(?? as text) as ??', [name, name]) : name;

const sizeOf = (knex: Knex, columns: readonly Column[]): Knex.Raw => {
  const names = columns.flatMap(({ name, kind }) => (kind === 'integer' ? [] : [name]));
  const lengths = names.map(() => 'coalesce(octet_length(??), 0)');
  return knex.raw(`${['0', ...lengths].join(' + ')} as size`, names);
};

/** The rows after the last one, or all, in the order of the key. */
const rowsAfter = (knex: Knex, { name, key }: Table, last: Row | undefined): Knex.QueryBuilder => {
  // Without the table's name `order by` would take the text that a number is read as.
  const keyNames = key.map((keyName) => `${name}.${keyName}`);
  const rows = knex(name).orderBy(keyNames);
  if (last === undefined) return rows;
  const marks = (mark: string): string => keyNames.map(() => mark).join(', ');
  // With casts SQLite would look up nothing but the first column, and read all rows that share it.
  return rows.whereRaw(`(${marks('??')}) > (${marks('?')})`, [
    ...keyNames,
    ...key.map((keyName) => last[keyName] ?? null),
  ]);
};

/** Queries for the rows after the last one, and for their sizes alone. */
export const pageQueries = (knex: Knex, table: Table, last: Row | undefined) => ({
  sizes: rowsAfter(knex, table, last).select(sizeOf(knex, table.columns)).limit(pageRows),
  rows: (limit: number) =>
    rowsAfter(knex, table, last)
      .select(table.columns.map((column) => exactly(knex, column)))
      .limit(limit),
});

/** How many rows from the first on make a page: one at least, where there is one. */
const rowsWithin = (sized: readonly Sized[]): number => {
  let bytes = 0;
  const tooMany = sized.findIndex(({ size }) => {
    bytes += Number(size);
    return bytes > pageBytes;
  });
  return tooMany === -1 ? sized.length : Math.max(1, tooMany);
};

/** Reads all rows in the order of the key, as this database sorts it; a page is bounded in rows and in bytes. */
export async function* readPages(
  { knex, prepare, all }: Database,
  table: Table,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const { sizes, rows } = pageQueries(knex, table, last);
    const limit = rowsWithin(await all(prepare<Values, Sized>(sizes), {}));
    if (limit === 0) return;
    const page = await all(prepare<Values, Row>(rows(limit)), {});
    yield page;
    last = page.at(-1);
  } while (last !== undefined);
}

/** Inserts the rows in one transaction. */
export const insertRows = (
  { knex, prepare, transaction }: Database,
  table: string,
  rows: readonly Row[],
): Promise<void> =>
  transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += statementRows) {
      const chunk = rows.slice(at, at + statementRows);
      await trx.run(prepare(knex(table).insert(chunk)), {});
    }
  });

/** What a table held. */
export interface Digest {
  readonly rows: number;
  /**
   * Hexadecimal: the sum of the SHA-256 of all rows, modulo 2^256. Databases sort texts in different orders; a sum has none.
   */
  readonly checksum: string;
}

const modulus = 2n ** 256n;

/** Written before a cell: no two cells, nor two rows of cells, are hashed alike. */
const prefixOf = (cell: Cell): string => {
  if (cell === null) return 'null;';
  return typeof cell === 'string' ? `text ${Buffer.byteLength(cell)};` : `bytes ${cell.length};`;
};

const hashOf = (cells: readonly Cell[]): bigint => {
  const hash = createHash('sha256');
  for (const cell of cells) {
    hash.update(prefixOf(cell));
    if (cell !== null) hash.update(cell);
  }
  return BigInt(`0x${hash.digest('hex')}`);
};

/** Starts with no rows. */
export const startDigest = () => {
  let rows = 0;
  let sum = 0n;
  return {
    /** The cells of a row, in the same order of columns each time. */
    add(cells: readonly Cell[]): void {
      rows += 1;
      sum = (sum + hashOf(cells)) % modulus;
    },
    digest: (): Digest => ({ rows, checksum: sum.toString(16).padStart(64, '0') }),
  };
};
