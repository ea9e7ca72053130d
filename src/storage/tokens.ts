/** Keeps the tokens that were issued to users: their digests, never the tokens. */

import type { Database } from './database';

/** A `login` is its user's; an `access-token` carries scopes and nothing else. */
export type TokenKind = 'login' | 'access-token';

/** A token to be kept. Times are milliseconds since 1970. */
export interface NewToken {
  readonly kind: TokenKind;
  /** The SHA-256 of the token. */
  readonly hash: string;
  readonly userKey: number;
  /** Granted scopes (RFC 6749 section 3.3). */
  readonly scopes: readonly string[];
  /** The OAuth client that it was issued to, if any. */
  readonly client: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A token that is good now, with its user. */
export interface LiveToken {
  /** The row's number: names the token without giving it away. */
  readonly key: number;
  readonly kind: TokenKind;
  readonly hash: string;
  readonly userKey: number;
  /** The user's present name. */
  readonly username: string;
  readonly scopes: readonly string[];
}

/** The tokens of one service's users. A deleted user's tokens go with the user. */
export interface TokenStorage {
  /** Keeps the token; false where its user is gone. */
  add(token: NewToken): Promise<boolean>;
  /** The token with that digest, unless it has expired or was ended. */
  findLive(hash: string, now: number): Promise<LiveToken | undefined>;
  /** Ends one token; false where there is none with that number. */
  end(key: number): Promise<boolean>;
  /** Ends all tokens of a user and resolves to how many there were. */
  endAllOf(userKey: number): Promise<number>;
  forgetExpired(now: number): Promise<void>;
}

interface TokenRow {
  readonly key: number;
  readonly kind: TokenKind;
  readonly hash: string;
  readonly user_key: number;
  readonly username: string | null;
  readonly scopes: string;
}

const toLiveToken = (row: TokenRow): LiveToken => ({
  key: row.key,
  kind: row.kind,
  hash: row.hash,
  userKey: row.user_key,
  username: row.username ?? '',
  scopes: row.scopes === '' ? [] : row.scopes.split(' '),
});

/** Keeps tokens in the table `tokens`; `service` is the one whose users they belong to. */
export const knexTokens = (db: Database, service: string): TokenStorage => {
  const ofService = db('users').where({ service }).select('key');
  return {
    add: (token) =>
      // The user stays locked, so that no token outlives a user who is deleted meanwhile.
      db.transaction(async (trx) => {
        const user = await trx('users')
          .where({ service, key: token.userKey })
          .forUpdate()
          .first('key');
        if (!user) return false;
        await trx('tokens').insert({
          kind: token.kind,
          hash: token.hash,
          user_key: token.userKey,
          scopes: token.scopes.join(' '),
          client: token.client ?? null,
          created_at: token.createdAt,
          expires_at: token.expiresAt,
        });
        return true;
      }),

    async findLive(hash, now) {
      const row: TokenRow | undefined = await db('tokens')
        .join('users', 'users.key', 'tokens.user_key')
        .where({ 'tokens.hash': hash, 'users.service': service })
        .where('tokens.expires_at', '>', now)
        .first(
          'tokens.key',
          'tokens.kind',
          'tokens.hash',
          'tokens.user_key',
          'users.username',
          'tokens.scopes',
        );
      return row && toLiveToken(row);
    },

    async end(key) {
      return (await db('tokens').where({ key }).whereIn('user_key', ofService).delete()) > 0;
    },

    async endAllOf(userKey) {
      return db('tokens').where({ user_key: userKey }).whereIn('user_key', ofService).delete();
    },

    async forgetExpired(now) {
      await db('tokens').where('expires_at', '<=', now).delete();
    },
  };
};
