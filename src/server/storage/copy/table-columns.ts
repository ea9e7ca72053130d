/** The columns that a table has now, and how their values travel between kinds of databases. */

import type { Knex } from 'knex';

/** Integers travel as decimal text, which every digit survives. */
export type ColumnKind = 'text' | 'integer' | 'bytes';

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

// A type that is missing here must stop the copy, not be copied inexactly.
const kinds: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  blob: 'bytes',
  bytea: 'bytes',
};

const byName = (one: Column, other: Column): number => (one.name < other.name ? -1 : 1);

/**
 * Reads the columns from the database, ordered by name: alike on every kind of database.
 *
 * @throws Error where a column has a type that cannot be copied exactly
 */
export const columnsOf = async (knex: Knex, table: string): Promise<Column[]> => {
  const found = Object.entries(await knex(table).columnInfo());
  const columns = found.map(([name, { type }]) => {
    const kind = kinds[type];
    if (kind === undefined) {
      throw new Error(`The column "${name}" of "${table}" has the unknown type "${type}".`);
    }
    return { name, kind };
  });
  return columns.sort(byName);
};
