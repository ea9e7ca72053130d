/** Every table of the services, in the order in which rows can be inserted. */

import { isNativeError } from 'node:util/types';
import type { Knex } from 'knex';
import type { Database } from '../database/database';
import { isPostgres } from '../sql/dialect';

/** A table and what identifies its rows. */
export interface KeyedTable {
  readonly name: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly [string, ...string[]];
}

/** No row refers to a table that comes later. */
export const tables: readonly KeyedTable[] = [
  { name: 'collections', key: ['key'] },
  { name: 'collection_indexes', key: ['key'] },
  { name: 'walks', key: ['service', 'collection', 'task'] },
  { name: 'items', key: ['key'] },
  { name: 'item_index', key: ['index_key', 'value', 'id'] },
  { name: 'value_counts', key: ['index_key', 'value', 'shard'] },
  { name: 'item_files', key: ['id'] },
  { name: 'id_counters', key: ['name'] },
  { name: 'retired_ids', key: ['kind', 'id'] },
  { name: 'users', key: ['key'] },
  { name: 'sign_in_networks', key: ['user_key', 'network'] },
  { name: 'tokens', key: ['key'] },
  { name: 'api_keys', key: ['key'] },
  { name: 'clients', key: ['key'] },
  { name: 'oauth_codes', key: ['hash'] },
  { name: 'event_counts', key: ['name'] },
];

/** Integers travel as decimal text, which every digit survives. */
type ColumnKind = 'text' | 'integer' | 'bytes';

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

const functionUnknown = '42883';

/** Keys of one column that is called `key` are the database's own to assign. */
const numbered = tables.filter(({ key }) => key.length === 1 && key[0] === 'key');

/** Leaves a table alone that is empty or whose keys come from no sequence, as on some compatible databases. */
export const setSequences = async (db: Database): Promise<void> => {
  if (!isPostgres(db.knex)) return;
  for (const { name } of numbered) {
    try {
      await db.knex.raw(
        `select setval(pg_get_serial_sequence(?, 'key'), largest)
          from (select max(key) as largest from ??) as keys`,
        [name, name],
      );
    } catch (error) {
      if (!isNativeError(error) || Reflect.get(error, 'code') !== functionUnknown) throw error;
    }
  }
};
