/** Stores the tokens that were issued to users: their digests, never the tokens. */

import type { Knex } from 'knex';
import type { Database, Transaction } from '../database/database';
import { param, paramsOf, type Statement, type Values } from '../sql/statement';

export const writeScopes = (scopes: readonly string[]): string => scopes.join(' ');

export const readScopes = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** The resources that a token, or a code for one, is for (RFC 8707). */
export interface ForResources {
  /** URLs; undefined: whatever the service has. */
  readonly resources?: readonly string[] | undefined;
}

/** The column of resources. No URL contains a blank. */
export type ResourcesRow = Readonly<Record<'resources', string | null>>;

export const writeResources = ({ resources }: ForResources): string | null =>
  resources?.join(' ') ?? null;

export const readResources = ({ resources }: ResourcesRow): readonly string[] | undefined =>
  resources?.split(' ');

/** Makes the function that adds a row of a user of the service; it resolves to false where the user was deleted or disabled. */
export const userRows = ({ knex, prepare }: Database, service: string) => {
  // Nothing is added to one who is deleted or disabled meanwhile.
  const lockUser = prepare<{ key: string }, { key: unknown }>(
    knex('users')
      .where({ service, key: param('key'), disabled_at: null })
      .forUpdate()
      .select('key'),
  );
  return async <Row extends Values>(
    trx: Transaction,
    key: string,
    insert: Statement<Row, never>,
    row: Row,
  ): Promise<boolean> => {
    const isThere = (await trx.all(lockUser, { key })).length > 0;
    if (isThere) await trx.send(insert, row);
    return isThere;
  };
};

/** Makes the function that deletes the rows of a table whose time has come; milliseconds since 1970. */
export const expiredRows = (
  { knex, prepare, transaction }: Database,
  table: string,
  column: string,
) => {
  const rows = knex(table).where(column, '<=', param('now'));
  const remove = prepare<{ now: number }, never>(rows.delete(), [table]);
  return (now: number): Promise<void> => transaction((trx) => trx.send(remove, { now }));
};

/** A `login` is for operations and pages; a `page-login` for the OAuth pages alone; an `access-token` has scopes and is not a login. */
export type TokenKind = 'login' | 'page-login' | 'access-token';

/** A token to be stored. Times are milliseconds since 1970. */
export interface NewToken extends ForResources {
  readonly kind: TokenKind;
  /** The SHA-256 of the token. */
  readonly hash: string;
  readonly userKey: string;
  /** Granted scopes (RFC 6749 section 3.3). */
  readonly scopes: readonly string[];
  /** The OAuth client to which it was issued; undefined for a login, and where an operator issued it. */
  readonly client: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A stored token with its user. */
export interface StoredToken extends NewToken {
  /** The key of the row, which identifies the token without revealing it. */
  readonly key: string;
  readonly username: string;
}

interface TokenRow
  extends ResourcesRow,
    Pick<NewToken, 'kind' | 'hash' | 'createdAt' | 'expiresAt'> {
  readonly key: number;
  readonly userKey: number;
  readonly username: string | null;
  readonly scopes: string;
  readonly client: string | null;
}

const toToken = (row: TokenRow): StoredToken => ({
  ...row,
  key: String(row.key),
  userKey: String(row.userKey),
  username: row.username ?? '',
  scopes: readScopes(row.scopes),
  client: row.client ?? undefined,
  resources: readResources(row),
});

const columns = [
  'kind',
  'hash',
  'user_key as userKey',
  'scopes',
  'client',
  'resources',
  'created_at as createdAt',
  'expires_at as expiresAt',
];

const tokenValues = (token: NewToken) => ({
  ...token,
  scopes: writeScopes(token.scopes),
  client: token.client ?? null,
  resources: writeResources(token),
});

/** Makes the function that adds a token; it resolves to false where the user was deleted or disabled. */
export const tokenRows = (db: Database, service: string) => {
  const addToUser = userRows(db, service);
  const insert = db.prepare<ReturnType<typeof tokenValues>, never>(
    db.knex('tokens').insert(paramsOf(columns)),
    ['tokens'],
  );
  return (trx: Transaction, token: NewToken): Promise<boolean> =>
    addToUser(trx, token.userKey, insert, tokenValues(token));
};

/** The tokens of one service's users, in the table `tokens`. A user's tokens are deleted with the user. */
export const knexTokens = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  const add = tokenRows(db, service);
  // Version 0.2.0, which may still run beside this one, gives tokens to disabled users.
  const joined = (given: Readonly<Record<string, Knex.Value>>) =>
    knex('tokens')
      .join('users', 'users.key', 'tokens.user_key')
      .where({ 'users.service': service, 'users.disabled_at': null, ...given })
      .select('tokens.key', 'users.username', ...columns.map((column) => `tokens.${column}`));
  const find = prepare<{ hash: string }, TokenRow>(joined({ 'tokens.hash': param('hash') }), [
    'tokens',
    'users',
  ]);
  // Looks up the one user, so that the keys of all users are not read.
  const owner = knex('users').where({ service }).where('users.key', knex.ref('tokens.user_key'));
  const revoke = prepare<{ key: string }, never>(
    knex('tokens')
      .where('tokens.key', param('key'))
      .whereExists(owner.select('users.key'))
      .delete(),
    ['tokens'],
  );

  return {
    /** Adds the token; false where its user was deleted or disabled. */
    add: (token: NewToken): Promise<boolean> => transaction((trx) => add(trx, token)),

    /** Finds the token of that digest, unless it has expired or was revoked, or its user is disabled. */
    async findActive(hash: string, now: number): Promise<StoredToken | undefined> {
      const [row] = await all(find, { hash });
      return row && row.expiresAt > now ? toToken(row) : undefined;
    },

    /** Lists the tokens that have not expired, or those of them with these values; the oldest first. */
    async list(now: number, values: Partial<Record<'key' | 'hash' | 'user_key', string>> = {}) {
      const given = Object.entries(values).map(([column, value]) => [`tokens.${column}`, value]);
      const query = joined(Object.fromEntries(given));
      const tokens = (await all(prepare<Values, TokenRow>(query), {})).map(toToken);
      return tokens
        .filter(({ expiresAt }) => expiresAt > now)
        .sort((one, other) => one.createdAt - other.createdAt);
    },

    /** Revokes the tokens of these keys, all or none, and resolves to their number. */
    revoke: (keys: readonly string[]): Promise<number> =>
      transaction(async (trx) => {
        let revoked = 0;
        for (const key of keys) revoked += await trx.run(revoke, { key });
        return revoked;
      }),

    deleteExpired: expiredRows(db, 'tokens', 'expires_at'),
  };
};

export type TokenStorage = ReturnType<typeof knexTokens>;

const idPrefix = 'token:';

/** Makes the credential id of a token. */
export const tokenIdOf = (key: string): string => `${idPrefix}${key}`;

/** Finds the key of the token with that credential id; undefined for the id of another kind of credential. */
export const tokenKeyOf = (id: string): string | undefined =>
  id.startsWith(idPrefix) ? id.slice(idPrefix.length) : undefined;

/** The key of no row. */
export const noKey = '0';

/**
 * Makes the function that ends all tokens and codes of a user, except the token with that credential id, and forgets
 * the networks of the user's sign-ins: a thief of the old password may have used one of them.
 */
export const credentialsEnder = ({ knex, prepare }: Pick<Database, 'knex' | 'prepare'>) => {
  const ofUser = (table: string) => knex(table).where('user_key', param('userKey'));
  const endTokens = prepare<{ userKey: string; kept: string }, never>(
    ofUser('tokens').whereNot('key', param('kept')).delete(),
    ['tokens'],
  );
  const others = ['oauth_codes', 'device_codes', 'sign_in_networks'].map((table) =>
    prepare<{ userKey: string }, never>(ofUser(table).delete(), [table]),
  );
  return async (
    trx: Transaction,
    userKey: string,
    keptCredential: string | undefined,
  ): Promise<void> => {
    const kept = tokenKeyOf(keptCredential ?? '') ?? noKey;
    await trx.send(endTokens, { userKey, kept });
    for (const end of others) await trx.send(end, { userKey });
  };
};
