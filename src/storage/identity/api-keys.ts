/** Stores the API keys of a service: their digests under a label, never the keys. */

import type { Database } from '../database/database';
import { param, paramsOf } from '../sql/statement';

/** An API key. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly label: string;
  /** The SHA-256 of the key. */
  readonly hash: string;
  readonly createdAt: number;
  /** The end of a key that another one has replaced under its label. */
  readonly validUntil?: number | undefined;
  /** Undefined while no key of the label is revoked. */
  readonly revokedAt: number | undefined;
}

interface ApiKeyRow {
  readonly label: string;
  readonly hash: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly previous_hash: string | null;
  readonly previous_created_at: number | null;
  readonly previous_until: number | null;
}

const toApiKeys = (row: ApiKeyRow): ApiKey[] => {
  const { label, hash, previous_hash } = row;
  const revokedAt = row.revoked_at ?? undefined;
  const key = { label, hash, createdAt: row.created_at, revokedAt };
  if (previous_hash === null) return [key];
  const createdAt = Number(row.previous_created_at);
  const validUntil = Number(row.previous_until);
  return [key, { label, hash: previous_hash, createdAt, validUntil, revokedAt }];
};

const columns: readonly (keyof ApiKeyRow)[] = [
  ...(['label', 'hash', 'created_at', 'revoked_at'] as const),
  ...(['previous_hash', 'previous_created_at', 'previous_until'] as const),
];

type NewApiKey = Readonly<{ label: string; hash: string; createdAt: number }>;

/** The API keys of one service, in the table `api_keys`: the key of a label, and the one before it, which is good until a time. */
export const knexApiKeys = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  const add = prepare<NewApiKey, never>(
    knex('api_keys')
      .insert({ service, ...paramsOf(['label', 'hash', 'created_at as createdAt']) })
      .onConflict()
      .ignore(),
    ['api_keys'],
  );
  const valid = () => knex('api_keys').where({ service, revoked_at: null });
  const findByHash = prepare<{ hash: string }, ApiKeyRow>(
    valid()
      .where('hash', param('hash'))
      .select(columns)
      .unionAll(valid().where('previous_hash', param('hash')).select(columns)),
    ['api_keys'],
  );
  const list = prepare<Record<string, never>, ApiKeyRow>(
    knex('api_keys').where({ service }).orderBy('label').select(columns),
  );
  const revoke = prepare<{ label: string; now: number }, never>(
    valid()
      .where('label', param('label'))
      .update({ revoked_at: param('now') }),
    ['api_keys'],
  );
  const rotate = prepare<NewApiKey & { until: number; ended: number }, never>(
    valid()
      .where('label', param('label'))
      .whereRaw('coalesce(previous_until, 0) <= ?', [param('ended')])
      .update({
        ...{ hash: param('hash'), created_at: param('createdAt'), previous_until: param('until') },
        ...{ previous_hash: knex.ref('hash'), previous_created_at: knex.ref('created_at') },
      }),
    ['api_keys'],
  );
  return {
    /** Adds a key; false where the label is in use, if only by a revoked key. */
    add: (key: NewApiKey): Promise<boolean> =>
      transaction(async (trx) => (await trx.run(add, key)) > 0),

    /** Finds the key with that digest, unless it was revoked, or replaced by one that is good alone now. */
    async findActive(hash: string, now: number): Promise<ApiKey | undefined> {
      const keys = (await all(findByHash, { hash })).flatMap(toApiKeys);
      const isGood = ({ validUntil }: ApiKey) => validUntil === undefined || validUntil > now;
      return keys.find((key) => key.hash === hash && isGood(key));
    },

    /** Lists all keys, by label. */
    list: async (): Promise<ApiKey[]> => (await all(list, {})).flatMap(toApiKeys),

    /**
     * Replaces the key of a label, which stays good until a time. False where none is valid, or where the key that it has replaced
     * itself is good still, unless both end at once.
     */
    rotate: (key: NewApiKey, until: number): Promise<boolean> =>
      transaction(async (trx) => {
        const ended = until > key.createdAt ? key.createdAt : Number.MAX_SAFE_INTEGER;
        return (await trx.run(rotate, { ...key, until, ended })) > 0;
      }),

    /** Revokes the keys of a label; false where no valid key has the label. */
    revoke: (label: string, now: number): Promise<boolean> =>
      transaction(async (trx) => (await trx.run(revoke, { label, now })) > 0),
  };
};

export type ApiKeyStorage = ReturnType<typeof knexApiKeys>;
