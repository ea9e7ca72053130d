/** Keeps the API keys of a service: their digests under a label, never the keys. */

import type { Database } from './database';

/** What is known of an API key. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly label: string;
  /** The SHA-256 of the key. */
  readonly hash: string;
  readonly createdAt: number;
  /** Undefined while the key is good. */
  readonly revokedAt: number | undefined;
}

/** The API keys of one service. */
export interface ApiKeyStorage {
  /** Keeps a key; false where the label was used before, if only by a key since revoked. */
  add(key: { label: string; hash: string; createdAt: number }): Promise<boolean>;
  /** The key with that digest, unless it was revoked. */
  findLive(hash: string): Promise<ApiKey | undefined>;
  /** All keys, by label. */
  list(): Promise<ApiKey[]>;
  /** Ends a key; false where none that is good has the label. */
  revoke(label: string, now: number): Promise<boolean>;
}

interface ApiKeyRow {
  readonly label: string;
  readonly hash: string;
  readonly created_at: number | string;
  readonly revoked_at: number | string | null;
}

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  label: row.label,
  hash: row.hash,
  createdAt: Number(row.created_at),
  revokedAt: row.revoked_at === null ? undefined : Number(row.revoked_at),
});

const columns = ['label', 'hash', 'created_at', 'revoked_at'];

/** Keeps API keys in the table `api_keys`. */
export const knexApiKeys = (db: Database, service: string): ApiKeyStorage => ({
  async add({ label, hash, createdAt }) {
    const rows = await db('api_keys')
      .insert({ service, label, hash, created_at: createdAt })
      .onConflict()
      .ignore()
      .returning('key');
    return rows.length > 0;
  },

  async findLive(hash) {
    const row: ApiKeyRow | undefined = await db('api_keys')
      .where({ service, hash, revoked_at: null })
      .first(columns);
    return row && toApiKey(row);
  },

  async list() {
    const rows: ApiKeyRow[] = await db('api_keys')
      .where({ service })
      .orderBy('label')
      .select(columns);
    return rows.map(toApiKey);
  },

  async revoke(label, now) {
    const count = await db('api_keys')
      .where({ service, label, revoked_at: null })
      .update({ revoked_at: now });
    return count > 0;
  },
});
