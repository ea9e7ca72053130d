/** Every table of the services, in the order in which rows can be inserted. */

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
  { name: 'items', key: ['key'] },
  { name: 'item_index', key: ['index_key', 'value', 'id'] },
  { name: 'value_counts', key: ['index_key', 'value', 'shard'] },
  { name: 'item_files', key: ['id'] },
  { name: 'id_counters', key: ['name'] },
  { name: 'retired_ids', key: ['kind', 'id'] },
  { name: 'users', key: ['key'] },
  { name: 'tokens', key: ['key'] },
  { name: 'api_keys', key: ['key'] },
  { name: 'clients', key: ['key'] },
  { name: 'oauth_codes', key: ['hash'] },
  { name: 'event_counts', key: ['name'] },
];
