/** Every table of the services, and its rows, read exactly whatever its columns are. */

import type { Knex } from 'knex';
import type { Database } from '../database/database';
import { isPostgres } from '../sql/dialect';
import type { Values } from '../sql/statement';

/** A table and the columns of its primary key, in their order. */
export interface Table {
  readonly name: string;
  readonly key: readonly [string, ...string[]];
  /** Rows that are read and inserted at once: fewer where a row may be long. */
  readonly pageRows?: number;
}

/** The tables in an order in which no row refers to a table that comes later. */
export const tables: readonly Table[] = [
  { name: 'collections', key: ['key'] },
  { name: 'collection_indexes', key: ['key'] },
  { name: 'walks', key: ['service', 'collection', 'task'] },
  { name: 'items', key: ['key'] },
  { name: 'item_index', key: ['index_key', 'value', 'id'] },
  { name: 'value_counts', key: ['index_key', 'value', 'shard'] },
  { name: 'item_files', key: ['id'], pageRows: 1 },
  { name: 'id_counters', key: ['name'] },
  { name: 'retired_ids', key: ['kind', 'id'] },
  { name: 'users', key: ['key'] },
  { name: 'sign_in_networks', key: ['user_key', 'network'] },
  { name: 'tokens', key: ['key'] },
  { name: 'api_keys', key: ['key'] },
  { name: 'clients', key: ['key'] },
  { name: 'oauth_codes', key: ['hash'] },
  { name: 'device_codes', key: ['hash'] },
  { name: 'event_counts', key: ['name'] },
];

/** The values of a row by the names of their columns; integers are decimal text. */
export type Row = Readonly<Record<string, string | Buffer | null>>;

interface Column {
  readonly name: string;
  readonly isInteger: boolean;
}

const integerTypes = ['bigint', 'integer'];
const otherTypes = ['text', 'blob', 'bytea'];

/** Reads the columns of a table. Throws Error where a column has a type that cannot be copied exactly. */
export const columnsOf = async (knex: Knex, table: string): Promise<Column[]> => {
  const found = Object.entries(await knex(table).columnInfo());
  return found.map(([name, { type }]) => {
    const isInteger = integerTypes.includes(type);
    if (!isInteger && !otherTypes.includes(type)) {
      throw new Error(`The column "${name}" of "${table}" has the unknown type "${type}".`);
    }
    return { name, isInteger };
  });
};

const usualPageRows = 128;

/** Composes a query of the rows after the last one, or of the first ones, in the order of the key. */
export const pageQuery = (
  knex: Knex,
  { name, key, pageRows = usualPageRows }: Table,
  columns: readonly Column[],
  last: Row | undefined,
): Knex.QueryBuilder => {
  // Without the table's name `order by` would take the text that a number is read as.
  const keyNames = key.map((keyName) => `${name}.${keyName}`);
  const exactly = columns.map((column) =>
    column.isInteger ? knex.raw('cast(?? as text) as ??', [column.name, column.name]) : column.name,
  );
  const rows = knex(name).select(exactly).orderBy(keyNames).limit(pageRows);
  if (last === undefined) return rows;
  const marks = (mark: string): string => keyNames.map(() => mark).join(', ');
  // With casts SQLite would look up nothing but the first column, and read all rows that share it.
  return rows.whereRaw(`(${marks('??')}) > (${marks('?')})`, [
    ...keyNames,
    ...key.map((keyName) => last[keyName] ?? null),
  ]);
};

/** Reads all rows page by page in the order of the key, as this database sorts it. */
export async function* readPages(
  { knex, prepare, all }: Database,
  table: Table,
): AsyncGenerator<readonly Row[]> {
  const columns = await columnsOf(knex, table.name);
  let last: Row | undefined;
  do {
    const page = await all(prepare<Values, Row>(pageQuery(knex, table, columns, last)), {});
    if (page.length > 0) yield page;
    last = page.at(-1);
  } while (last !== undefined);
}

/** Lets PostgreSQL assign keys behind the largest. Keys of one column that is called `key` are the database's own to assign. */
export const setSequences = async ({ knex }: Database): Promise<void> => {
  if (!isPostgres(knex)) return;
  for (const { name } of tables.filter(({ key }) => key.length === 1 && key[0] === 'key')) {
    await knex.raw(
      `select setval(pg_get_serial_sequence(?, 'key'), largest)
        from (select max(key) as largest from ??) as keys`,
      [name, name],
    );
  }
};
