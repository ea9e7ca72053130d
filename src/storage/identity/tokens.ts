/** Stores the tokens that were issued to users: their digests, never the tokens. */

import type { Database } from '../database/database';
import { param, paramsOf, type Statement, type Value, type Values } from '../sql/statement';

export const writeScopes = (scopes: readonly string[]): string => scopes.join(' ');

export const readScopes = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** Makes the function that adds a row to a user of the service; false where the user was deleted. */
export const userRows = ({ knex, prepare, transaction }: Database, service: string) => {
  const lockUser = prepare<{ key: string }, { key: unknown }>(
    knex('users')
      .where({ service, key: param('key') })
      .forUpdate()
      .select('key'),
  );
  return <Row extends Values>(key: string, insert: Statement<Row, never>, row: Row) =>
    // The user stays locked, so that no row outlives a user who is deleted meanwhile.
    transaction(async (trx) => {
      const [user] = await trx.all(lockUser, { key });
      if (user !== undefined) await trx.send(insert, row);
      return user !== undefined;
    });
};

/** A `login` is its user's; a `page-login` is that for the OAuth pages alone; an `access-token` carries scopes and nothing else. */
export type TokenKind = 'login' | 'page-login' | 'access-token';

/** A token to be stored. Times are milliseconds since 1970. */
export interface NewToken {
  readonly kind: TokenKind;
  /** The SHA-256 of the token. */
  readonly hash: string;
  readonly userKey: string;
  /** Granted scopes (RFC 6749 section 3.3). */
  readonly scopes: readonly string[];
  /** The OAuth client that it was issued to, if any. */
  readonly client: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A token that is valid now, with its user. */
export interface ActiveToken {
  /** The row's number: identifies the token without revealing it. */
  readonly key: string;
  readonly kind: TokenKind;
  readonly hash: string;
  readonly userKey: string;
  /** The user's present name. */
  readonly username: string;
  readonly scopes: readonly string[];
}

/** What an access token was issued for, and to whom. Times are milliseconds since 1970. */
export interface IssuedToken extends Omit<ActiveToken, 'kind' | 'hash' | 'userKey'> {
  /** The OAuth client that it was issued to; undefined where an operator issued it. */
  readonly client: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

interface TokenRow {
  readonly key: number | string;
  readonly kind: TokenKind;
  readonly hash: string;
  readonly user_key: number | string;
  readonly username: string | null;
  readonly scopes: string;
  readonly client: string | null;
  readonly created_at: number | string;
  readonly expires_at: number | string;
}

const toActiveToken = (row: TokenRow): ActiveToken => ({
  key: String(row.key),
  kind: row.kind,
  hash: row.hash,
  userKey: String(row.user_key),
  username: row.username ?? '',
  scopes: readScopes(row.scopes),
});

/** One for each of a token's properties. */
const columns = [
  ...(['kind', 'hash', 'user_key', 'scopes'] as const),
  ...(['client', 'created_at', 'expires_at'] as const),
];

type TokenValues = Readonly<Record<(typeof columns)[number], Value>>;

const valuesOf = (token: NewToken): TokenValues => ({
  kind: token.kind,
  hash: token.hash,
  user_key: token.userKey,
  scopes: writeScopes(token.scopes),
  client: token.client ?? null,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
});

/** The tokens of one service's users, in the table `tokens`. A deleted user's tokens go with the user. */
export const knexTokens = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  // By the one user, so that the keys of all are not read.
  const tokensOfService = () =>
    knex('tokens').whereExists(
      knex('users')
        .where({ service })
        .where('users.key', knex.ref('tokens.user_key'))
        .select('users.key'),
    );
  const addToUser = userRows(db, service);
  const insert = prepare<TokenValues, never>(knex('tokens').insert(paramsOf(columns)));
  // Whether it has expired is seen without asking again.
  const find = prepare<{ hash: string }, TokenRow>(
    knex('tokens')
      .join('users', 'users.key', 'tokens.user_key')
      .where({ 'tokens.hash': param('hash'), 'users.service': service })
      .select('tokens.key', 'users.username', ...columns.map((column) => `tokens.${column}`)),
  );
  const findActive = async (hash: string, now: number): Promise<TokenRow | undefined> => {
    const [row] = await all(find, { hash });
    return row && Number(row.expires_at) > now ? row : undefined;
  };
  const revoke = prepare<{ key: string }, never>(
    tokensOfService()
      .where({ 'tokens.key': param('key') })
      .delete(),
  );
  const revokeAll = prepare<{ userKey: string }, never>(
    tokensOfService()
      .where({ user_key: param('userKey') })
      .delete(),
  );
  const deleteExpired = prepare<{ now: number }, never>(
    knex('tokens').where('expires_at', '<=', param('now')).delete(),
  );

  return {
    /** Adds the token; false where its user was deleted. */
    add: (token: NewToken): Promise<boolean> => addToUser(token.userKey, insert, valuesOf(token)),

    /** The token with that digest, unless it has expired or was revoked. */
    async findActive(hash: string, now: number): Promise<ActiveToken | undefined> {
      const row = await findActive(hash, now);
      return row && toActiveToken(row);
    },

    /** The access token with that digest, with what calls need not know of it; logins are none. */
    async findIssued(hash: string, now: number): Promise<IssuedToken | undefined> {
      const row = await findActive(hash, now);
      if (row === undefined || row.kind !== 'access-token') return undefined;
      const { key, username, scopes } = toActiveToken(row);
      return {
        ...{ key, username, scopes, client: row.client ?? undefined },
        createdAt: Number(row.created_at),
        expiresAt: Number(row.expires_at),
      };
    },

    /** Revokes one token; false where there is none with that number. */
    revoke: (key: string): Promise<boolean> =>
      transaction(async (trx) => (await trx.run(revoke, { key })) > 0),

    /** Revokes all tokens of a user and resolves to how many there were. */
    revokeAll: (userKey: string): Promise<number> =>
      transaction((trx) => trx.run(revokeAll, { userKey })),

    async deleteExpired(now: number): Promise<void> {
      await transaction((trx) => trx.send(deleteExpired, { now }));
    },
  };
};

export type TokenStorage = ReturnType<typeof knexTokens>;
