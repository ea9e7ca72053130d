/** Issues tokens for tests straight into the database, access tokens as the admin program does. */

import { digest, newSecret } from '../../src/server/identity/token';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../src/server/storage/database/database';
import { knexAccounts } from '../../src/server/storage/identity/accounts';
import { knexTokens, type TokenKind } from '../../src/server/storage/identity/tokens';

/** Whose token, and what for. */
export interface Grant {
  readonly service: string;
  readonly user?: string;
  readonly scopes?: readonly string[];
  readonly kind?: TokenKind;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

const hour = 60 * 60 * 1000;

/** A bearer token with the scopes, good for an hour; an access token unless the kind is given. */
export const issueToken = async (
  db: Database,
  { service, user = 'demo', scopes = [], kind = 'access-token', now = Date.now() }: Grant,
): Promise<string> => {
  const account = await knexAccounts(db, service).find(user);
  if (account === undefined) throw new Error(`${service} has no user ${user}`);
  const token = newSecret();
  await knexTokens(db, service).add({
    kind,
    hash: digest(token),
    userKey: account.key,
    scopes,
    client: undefined,
    createdAt: now,
    expiresAt: now + hour,
  });
  return token;
};

/** The same in the database of a server that runs elsewhere, over a connection that is closed afterwards. */
export const issueTokenAt = async (databaseUrl: string, grant: Grant): Promise<string> => {
  const db = await openDatabase(databaseUrl, { connections: 2 });
  return issueToken(db, grant).finally(() => closeDatabase(db));
};
