/** Stores authorization codes: their digests, what each was granted for, and the token that it was exchanged for. */

import { type Database, within } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param, paramsOf, type Value } from '../sql/statement';
import { knexTokens, type NewToken, readScopes, userRows, writeScopes } from './tokens';

/** What a code was issued for (RFC 6749 section 4.1.2). Times are milliseconds since 1970. */
export interface CodeGrant {
  readonly clientId: string;
  readonly userKey: string;
  /** As the authorization request gave it; undefined where it did not. */
  readonly redirectUri: string | undefined;
  /** `code_challenge` by the method S256 (RFC 7636). */
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

interface CodeRow {
  readonly client: string;
  readonly user_key: number | string;
  readonly redirect_uri: string | null;
  readonly challenge: string;
  readonly scopes: string;
  readonly expires_at: number | string;
}

const toGrant = (row: CodeRow): CodeGrant => ({
  clientId: row.client,
  userKey: String(row.user_key),
  redirectUri: row.redirect_uri ?? undefined,
  challenge: row.challenge,
  scopes: readScopes(row.scopes),
  expiresAt: Number(row.expires_at),
});

/** What a code was issued for. */
const grantColumns = [
  'client',
  'user_key',
  'redirect_uri',
  'challenge',
  'scopes',
  'expires_at',
] as const;
/** What a new code has beside its service. */
const columns = ['hash', ...grantColumns, 'forget_at'] as const;

type CodeValues = Readonly<Record<(typeof columns)[number], Value>>;

const valuesOf = (hash: string, grant: CodeGrant): CodeValues => ({
  hash,
  client: grant.clientId,
  user_key: grant.userKey,
  redirect_uri: grant.redirectUri ?? null,
  challenge: grant.challenge,
  scopes: writeScopes(grant.scopes),
  expires_at: grant.expiresAt,
  forget_at: grant.expiresAt,
});

/** What stands for the token where a used code was exchanged for none: no digest is empty. */
const noToken = '';

/** The authorization codes of one service, in the table `oauth_codes`. A deleted user's codes go with the user. */
export const knexOAuthCodes = (db: Database, service: string) => {
  const { knex, prepare, transaction } = db;
  const named = () => knex('oauth_codes').where({ service, hash: param('hash') });
  const addToUser = userRows(db, service);
  const insert = prepare<CodeValues, never>(
    knex('oauth_codes').insert({ ...paramsOf(columns), service }),
  );
  // One statement decides who uses a code, so that of two who come together one is the second.
  const claim = prepare<{ hash: string; forgetAt: number }, CodeRow>(
    named()
      .whereNull('token_hash')
      .update({ token_hash: noToken, forget_at: param('forgetAt') })
      .returning([...grantColumns]),
  );
  const remember = prepare<{ hash: string; tokenHash: string }, never>(
    named().update({ token_hash: param('tokenHash') }),
  );
  const endToken = prepare<{ hash: string }, never>(
    knex('tokens')
      .whereIn('hash', named().whereNotNull('token_hash').select('token_hash'))
      .delete(),
  );
  const deleteExpired = prepare<{ now: number }, never>(
    knex('oauth_codes').where('forget_at', '<=', param('now')).delete(),
  );

  const addToken = async (trx: Transaction, hash: string, token: NewToken): Promise<boolean> => {
    if (!(await knexTokens(within(db, trx), service).add(token))) return false;
    await trx.run(remember, { hash, tokenHash: token.hash });
    return true;
  };

  return {
    /** Adds a code under its digest; false where its user was deleted. */
    add: (hash: string, grant: CodeGrant): Promise<boolean> =>
      addToUser(grant.userKey, insert, valuesOf(hash, grant)),

    /**
     * Uses the code up, and adds the token that `tokenFor` makes of what it was issued for, both or neither. Resolves to
     * that token; undefined where `tokenFor` makes none or the code is not known. A code that was used before ends the token
     * that it was exchanged for then.
     *
     * @param forgetAt when a used code may be deleted
     */
    exchange: (
      hash: string,
      forgetAt: number,
      tokenFor: (grant: CodeGrant) => NewToken | undefined,
    ): Promise<NewToken | undefined> =>
      transaction(async (trx) => {
        const [row] = await trx.all(claim, { hash, forgetAt });
        if (row === undefined) {
          // RFC 6749 section 4.1.2: tokens that were issued by a code are revoked when it comes a second time.
          await trx.run(endToken, { hash });
          return undefined;
        }
        const token = tokenFor(toGrant(row));
        return token !== undefined && (await addToken(trx, hash, token)) ? token : undefined;
      }),

    /** Deletes codes that have expired and issued no token that may still be valid. */
    async deleteExpired(now: number): Promise<void> {
      await transaction((trx) => trx.send(deleteExpired, { now }));
    },
  };
};

export type CodeStorage = ReturnType<typeof knexOAuthCodes>;
