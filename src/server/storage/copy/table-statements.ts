/** The statements that read, find and add rows of any table exactly, whatever its columns are. */

import type { Knex } from 'knex';
import type { Database } from '../database/database';
import { param, type Statement, type Value, type Values } from '../sql/statement';
import type { Column } from './table-columns';
import type { KeyedTable } from './table-list';

/** What a column holds: integers are decimal text. */
export type Cell = string | Buffer | null;

/** A row: its cells in the order of the table's columns. */
export type Row = readonly Cell[];

/** A row as the drivers give it. */
export type Found = Readonly<Record<string, Cell>>;

/** How many bytes the texts and blobs of a row have. */
export type Sized = Readonly<{ size: number | string }>;

/** A page in the order of the key; takes `limit`. */
interface PageStatements {
  readonly sizes: Statement<Values, Sized>;
  readonly rows: Statement<Values, Found>;
}

/** Rows are named by their number: `parametersOf` fills the slots. */
export interface TableStatements {
  readonly first: PageStatements;
  /** Of the rows behind row 0. */
  readonly next: PageStatements;
  /** Takes exactly `statementRows` rows. */
  readonly find: Statement<Values, Found>;
  /** Takes exactly `statementRows` rows; leaves alone what is there already, as the next one does. */
  readonly insertMany: Statement<Values, never>;
  readonly insertOne: Statement<Values, never>;
}

/** Databases bound how many values one statement may have (SQLite: 32,766; PostgreSQL: 65,535). */
export const statementRows = 64;

const slotName = (row: number, column: number): string => `${row}.${column}`;

/** Names the cells of the rows as the slots are named. */
export const parametersOf = (rows: readonly Row[]): Record<string, Value> =>
  Object.fromEntries(
    rows.flatMap((row, at) => row.map((cell, column) => [slotName(at, column), cell])),
  );

/** Where the columns of the key stand among the columns. */
export const keyPlaces = ({ name, key }: KeyedTable, columns: readonly Column[]): number[] =>
  key.map((keyName) => {
    const at = columns.findIndex((column) => column.name === keyName);
    if (at === -1) throw new Error(`The table "${name}" has no column "${keyName}".`);
    return at;
  });

const exactly = (knex: Knex, { name, kind }: Column): Knex.Raw | string =>
  kind === 'integer' ? knex.raw('cast(?? as text) as ??', [name, name]) : name;

const sizeOf = (knex: Knex, columns: readonly Column[]): Knex.Raw => {
  const names = columns.flatMap(({ name, kind }) => (kind === 'integer' ? [] : [name]));
  const lengths = names.map(() => 'coalesce(octet_length(??), 0)');
  return knex.raw(`${['0', ...lengths].join(' + ')} as size`, names);
};

/** Composes the statements. */
export const tableStatements = (
  { knex, prepare }: Database,
  table: KeyedTable,
  columns: readonly Column[],
): TableStatements => {
  const { name } = table;
  const places = keyPlaces(table, columns);
  // Without the table's name `order by` would take the text that a number is read as.
  const keyNames = table.key.map((keyName) => `${name}.${keyName}`);
  const marks = places.map((at) => (columns[at]?.kind === 'integer' ? 'cast(? as bigint)' : '?'));
  const keySlots = (row: number) => places.map((at) => param(slotName(row, at)));

  const inOrder = <Answer>(
    query: Knex.QueryBuilder,
    what: readonly (Knex.Raw | string)[],
  ): Statement<Values, Answer> => {
    const order = `${keyNames.map(() => '??').join(', ')} limit ?`;
    return prepare(query.select(what).orderByRaw(order, [...keyNames, param('limit')]));
  };

  const pages = (from: () => Knex.QueryBuilder): PageStatements => ({
    sizes: inOrder(from(), [sizeOf(knex, columns)]),
    rows: inOrder(
      from(),
      columns.map((column) => exactly(knex, column)),
    ),
  });

  const behind = () => {
    // With casts SQLite would look up nothing but the first column, and read all rows that share it.
    const slots = keyNames.map(() => '?').join(', ');
    const isBehind = `(${keyNames.map(() => '??').join(', ')}) > (${slots})`;
    return knex(name).whereRaw(isBehind, [...keyNames, ...keySlots(0)]);
  };

  // Written as alternatives, PostgreSQL would read all rows that share the first column of the key.
  const find = () => {
    const row = `(${marks.join(', ')})`;
    const rows = Array.from({ length: statementRows }, () => row).join(', ');
    const bindings = Array.from({ length: statementRows }, (_, at) => keySlots(at)).flat();
    const isOneOfThem = `(${keyNames.map(() => '??').join(', ')}) in (values ${rows})`;
    return knex(name)
      .select(columns.map((column) => exactly(knex, column)))
      .whereRaw(isOneOfThem, [...keyNames, ...bindings]);
  };

  const insert = (count: number) => {
    const rows = Array.from({ length: count }, (_, row) =>
      columns.map((column, at) => [column.name, param(slotName(row, at))]),
    );
    return knex(name)
      .insert(rows.map((row) => Object.fromEntries(row)))
      .onConflict()
      .ignore();
  };

  return {
    first: pages(() => knex(name)),
    next: pages(behind),
    find: prepare(find()),
    insertMany: prepare(insert(statementRows)),
    insertOne: prepare(insert(1)),
  };
};
