/** Issues tokens straight into the database of a server, as the admin program does. */

import { digest, newSecret } from '../../src/identity/token';
import type { Database } from '../../src/storage/database/database';
import { knexTokens, type TokenKind } from '../../src/storage/identity/tokens';
import { knexAccounts } from '../../src/storage/identity/users';

/** The user of a token, and its rights. */
export interface Grant {
  readonly service: string;
  readonly user?: string;
  readonly scopes?: readonly string[];
  readonly kind?: TokenKind;
  /** The OAuth client that it is issued to. */
  readonly client?: string;
  /** The URLs that it is for; undefined: all of the service. */
  readonly resources?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: number;
}

const hour = 60 * 60 * 1000;

/**
 * Issues a bearer token with the scopes; an access token of the user `demo` unless said otherwise. Undefined where there is no such user.
 * @param milliseconds how long it is good
 */
export const issueToken = async (
  db: Database,
  grant: Grant,
  milliseconds = hour,
): Promise<string | undefined> => {
  const { service, user = 'demo', scopes = [], kind = 'access-token', now = Date.now() } = grant;
  const account = await knexAccounts(db, service).find(user);
  if (account === undefined) return undefined;
  const token = newSecret();
  await knexTokens(db, service).add({
    kind,
    hash: digest(token),
    userKey: account.key,
    scopes,
    client: grant.client,
    resources: grant.resources,
    createdAt: now,
    expiresAt: now + milliseconds,
  });
  return token;
};
