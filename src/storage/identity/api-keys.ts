/** Stores the API keys of a service: their digests under a label, never the keys. */

import type { Database } from '../database/database';
import { param } from '../sql/statement';

/** An API key. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly label: string;
  /** The SHA-256 of the key. */
  readonly hash: string;
  readonly createdAt: number;
  /** Undefined while the key is valid. */
  readonly revokedAt: number | undefined;
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

type NewApiKey = Readonly<{ label: string; hash: string; createdAt: number }>;

/** The API keys of one service, in the table `api_keys`. */
export const knexApiKeys = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  const add = prepare<NewApiKey, never>(
    knex('api_keys')
      .insert({
        service,
        label: param('label'),
        hash: param('hash'),
        created_at: param('createdAt'),
      })
      .onConflict()
      .ignore(),
    ['api_keys'],
  );
  const findByHash = prepare<{ hash: string }, ApiKeyRow>(
    knex('api_keys')
      .where({ service, hash: param('hash'), revoked_at: null })
      .select(columns),
    ['api_keys'],
  );
  const list = prepare<Record<string, never>, ApiKeyRow>(
    knex('api_keys').where({ service }).orderBy('label').select(columns),
  );
  const revoke = prepare<{ label: string; now: number }, never>(
    knex('api_keys')
      .where({ service, label: param('label'), revoked_at: null })
      .update({ revoked_at: param('now') }),
    ['api_keys'],
  );
  return {
    /** Adds a key; false where the label is in use, if only by a revoked key. */
    add: (key: NewApiKey): Promise<boolean> =>
      transaction(async (trx) => (await trx.run(add, key)) > 0),

    /** Finds the key with that digest, unless it was revoked. */
    async findActive(hash: string): Promise<ApiKey | undefined> {
      const [row] = await all(findByHash, { hash });
      return row && toApiKey(row);
    },

    /** Lists all keys, by label. */
    list: async (): Promise<ApiKey[]> => (await all(list, {})).map(toApiKey),

    /** Revokes a key; false where no valid key has the label. */
    revoke: (label: string, now: number): Promise<boolean> =>
      transaction(async (trx) => (await trx.run(revoke, { label, now })) > 0),
  };
};

export type ApiKeyStorage = ReturnType<typeof knexApiKeys>;
