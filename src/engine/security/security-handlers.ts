/** Security handlers: the program verifies credentials for the engine, and names their holders. */

import type { CredentialRequest, Principal } from '../../http/caller';

/**
 * Says whose a credential is; undefined where it is not, or no longer, good. May throw, or reject with, an HttpError (429 when a
 * limit is used up, 403 when a browser's session comes from another origin). The last argument is the name of the security scheme, by
 * which several schemes of a kind are told apart; empty where a public operation looks who calls.
 * @example const apiKey: SecurityHandler<string> = async (key) => (await keys.find(key))?.principal;
 */
export type SecurityHandler<Credential> = (
  credential: Credential,
  request: CredentialRequest,
  scheme: string,
) => Principal | undefined | Promise<Principal | undefined>;

/**
 * The security handlers of one service. A scheme whose type has no security handler can never be satisfied.
 * @example { apiKey, basic: async ({ username, password }) => users.check(username, password) }
 */
export interface SecurityHandlers {
  /** For `type: apiKey`. */
  readonly apiKey?: SecurityHandler<string>;
  /** For `type: http, scheme: bearer`, `oauth2` and `openIdConnect` (RFC 6750). */
  readonly bearer?: SecurityHandler<string>;
  /** For `type: http, scheme: basic` (RFC 7617). */
  readonly basic?: SecurityHandler<{ readonly username: string; readonly password: string }>;
  /** For `type: http` with any other scheme, by its name in lower case; the credential is what follows the name. */
  readonly http?: Readonly<Record<string, SecurityHandler<string>>>;
  /** The login that a browser carries of itself; asked only where an operation needs a login and no bearer token came. */
  readonly session?: (
    request: CredentialRequest,
  ) => Principal | undefined | Promise<Principal | undefined>;
  /** Tells whether an account of that name exists; an account that does not is "not found", another's is forbidden. */
  readonly accountExists?: (name: string) => Promise<boolean>;
}
