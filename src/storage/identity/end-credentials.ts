/** Ends what a user has signed in by: logins, access tokens and authorization codes; and forgets from where. */

import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';

const idPrefix = 'token:';

/** The credential id under which a caller's token can be ended. */
export const tokenIdOf = (key: string): string => `${idPrefix}${key}`;

/** The token's key; undefined where the credential is none of our tokens. */
export const tokenKeyOf = (id: string): string | undefined =>
  id.startsWith(idPrefix) ? id.slice(idPrefix.length) : undefined;

/** No row has it. */
const noKey = '0';

/**
 * Makes the function that ends all credentials of a user, but for the one with that credential id, and forgets the networks that
 * the user has signed in from: whoever knew the old password may have been there.
 */
export const credentialsEnder = ({ knex, prepare }: Pick<Database, 'knex' | 'prepare'>) => {
  const ofUser = (table: string) => knex(table).where({ user_key: param('userKey') });
  const endTokens = prepare<{ userKey: string; kept: string }, never>(
    ofUser('tokens')
      .whereNot({ key: param('kept') })
      .delete(),
  );
  const endCodes = prepare<{ userKey: string }, never>(ofUser('oauth_codes').delete());
  const forgetNetworks = prepare<{ userKey: string }, never>(ofUser('sign_in_networks').delete());
  return async (
    trx: Transaction,
    userKey: string,
    keptCredential: string | undefined,
  ): Promise<void> => {
    const kept = (keptCredential === undefined ? undefined : tokenKeyOf(keptCredential)) ?? noKey;
    await trx.send(endTokens, { userKey, kept });
    await trx.send(endCodes, { userKey });
    await trx.send(forgetNetworks, { userKey });
  };
};
