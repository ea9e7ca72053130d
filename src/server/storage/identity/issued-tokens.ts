/** Looks up what an access token was issued for, and to whom: more than a call with it needs to know. */

import type { Database } from '../database/database';
import { param } from '../sql/statement';
import { readScopes } from './scopes-text';

/** An access token that is good now. Times are milliseconds since 1970. */
export interface IssuedToken {
  /** The row's number, by which the token can be ended. */
  readonly key: string;
  readonly username: string;
  readonly scopes: readonly string[];
  /** The OAuth client that it was issued to; undefined where an operator issued it. */
  readonly client: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Finds the access token with that digest, unless it has expired or was ended; logins are none. */
export type FindIssuedToken = (hash: string, now: number) => Promise<IssuedToken | undefined>;

interface IssuedRow {
  readonly key: number | string;
  readonly username: string | null;
  readonly scopes: string;
  readonly client: string | null;
  readonly created_at: number | string;
  readonly expires_at: number | string;
}

const toIssuedToken = (row: IssuedRow): IssuedToken => ({
  key: String(row.key),
  username: row.username ?? '',
  scopes: readScopes(row.scopes),
  client: row.client ?? undefined,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
});

/** Looks tokens up in the table `tokens`; `service` is the one whose users they belong to. */
export const knexIssuedTokens = (
  { knex, prepare, all }: Database,
  service: string,
): FindIssuedToken => {
  const find = prepare<{ hash: string; now: number }, IssuedRow>(
    knex('tokens')
      .join('users', 'users.key', 'tokens.user_key')
      .where({
        'tokens.hash': param('hash'),
        'tokens.kind': 'access-token',
        'users.service': service,
      })
      .where('tokens.expires_at', '>', param('now'))
      .select(
        'tokens.key',
        'users.username',
        'tokens.scopes',
        'tokens.client',
        'tokens.created_at',
        'tokens.expires_at',
      ),
  );
  return async (hash, now) => {
    const [row] = await all(find, { hash, now });
    return row && toIssuedToken(row);
  };
};
