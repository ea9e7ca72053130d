/** Stores authorization codes: their digests, their grants, and the tokens that were issued for them. */

import type { Database } from '../database/database';
import { param, paramsOf } from '../sql/statement';
import {
  expiredRows,
  type ForResources,
  type NewToken,
  type ResourcesRow,
  readResources,
  readScopes,
  tokenRows,
  userRows,
  writeResources,
  writeScopes,
} from './tokens';

/** The grant of a code (RFC 6749 section 4.1.2). Times are milliseconds since 1970. */
export interface CodeGrant extends ForResources {
  readonly clientId: string;
  readonly userKey: string;
  /** The redirect URI of the authorization request; undefined where it was left out. */
  readonly redirectUri: string | undefined;
  /** `code_challenge` by the method S256 (RFC 7636). */
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

interface CodeRow extends ResourcesRow, Pick<CodeGrant, 'clientId' | 'challenge' | 'expiresAt'> {
  readonly userKey: number;
  readonly redirectUri: string | null;
  readonly scopes: string;
}

const grantColumns = [
  'client as clientId',
  'user_key as userKey',
  'redirect_uri as redirectUri',
  'challenge',
  'scopes',
  'resources',
  'expires_at as expiresAt',
];

const codeValues = (hash: string, grant: CodeGrant) => ({
  ...grant,
  hash,
  redirectUri: grant.redirectUri ?? null,
  scopes: writeScopes(grant.scopes),
  resources: writeResources(grant),
});

/** The authorization codes of one service, in the table `oauth_codes`. A user's codes are deleted with the user. */
export const knexOAuthCodes = (db: Database, service: string) => {
  const { knex, prepare, transaction } = db;
  const named = () => knex('oauth_codes').where({ service, hash: param('hash') });
  const addToUser = userRows(db, service);
  const addToken = tokenRows(db, service);
  const columns = paramsOf(['hash', ...grantColumns]);
  const insert = prepare<ReturnType<typeof codeValues>, never>(
    knex('oauth_codes').insert({ ...columns, forget_at: param('expiresAt'), service }),
    ['oauth_codes'],
  );
  // One statement claims a code, so that one of two concurrent requests is the second.
  const claim = prepare<{ hash: string; forgetAt: number }, CodeRow>(
    named()
      .whereNull('token_hash')
      .update({
        // The mark of a used code for which no token was issued: no digest is empty.
        token_hash: '',
        forget_at: param('forgetAt'),
      })
      .returning(grantColumns),
    ['oauth_codes'],
  );
  const remember = prepare<{ hash: string; tokenHash: string }, never>(
    named().update({ token_hash: param('tokenHash') }),
    ['oauth_codes'],
  );
  const endToken = prepare<{ hash: string }, never>(
    knex('tokens')
      .whereIn('hash', named().whereNotNull('token_hash').select('token_hash'))
      .delete(),
    ['tokens'],
  );

  return {
    /** Adds a code under its digest; false where its user was deleted. */
    add: (hash: string, grant: CodeGrant): Promise<boolean> =>
      transaction((trx) => addToUser(trx, grant.userKey, insert, codeValues(hash, grant))),

    /**
     * Marks the code as used, and adds the token that `tokenFor` makes of its grant, both or neither. Resolves to that token;
     * undefined where `tokenFor` makes none or the code is unknown. A second use ends the token of the first.
     *
     * @param forgetAt - the time from which the used code may be deleted
     */
    exchange: (
      hash: string,
      forgetAt: number,
      tokenFor: (grant: CodeGrant) => NewToken | undefined,
    ): Promise<NewToken | undefined> =>
      transaction(async (trx) => {
        const [row] = await trx.all(claim, { hash, forgetAt });
        if (row === undefined) {
          // RFC 6749 section 4.1.2: the token of a code is revoked when the code is used a second time.
          await trx.run(endToken, { hash });
          return undefined;
        }
        const token = tokenFor({
          ...row,
          userKey: String(row.userKey),
          redirectUri: row.redirectUri ?? undefined,
          scopes: readScopes(row.scopes),
          resources: readResources(row),
        });
        if (token === undefined || !(await addToken(trx, token))) return undefined;
        await trx.send(remember, { hash, tokenHash: token.hash });
        return token;
      }),

    deleteExpired: expiredRows(db, 'oauth_codes', 'forget_at'),
  };
};

export type CodeStorage = ReturnType<typeof knexOAuthCodes>;
