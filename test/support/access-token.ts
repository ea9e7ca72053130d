/** Issues tokens for tests straight into the database, access tokens as the admin program does. */

import { type Grant, issueToken as issue } from '../../scripts/machine/issue-token';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';

export type { Grant } from '../../scripts/machine/issue-token';

/** A bearer token with the scopes, good for an hour; an access token unless the kind is given. */
export const issueToken = async (db: Database, grant: Grant): Promise<string> => {
  const token = await issue(db, grant);
  if (token === undefined) throw new Error(`${grant.service} has no user ${grant.user ?? 'demo'}`);
  return token;
};

/** A token with both scopes of the pet store, in the database of a server that runs elsewhere. */
export const issuePetToken = async (databaseUrl: string): Promise<string> => {
  const db = await openDatabase(databaseUrl, { connections: 2 });
  const grant = { service: 'petstore', scopes: ['write:pets', 'read:pets'] };
  return issueToken(db, grant).finally(() => closeDatabase(db));
};
